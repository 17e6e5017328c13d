//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Proposal/SubstitutedPayload.h"
#include "egg/TransformOps/TransformOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

/// exp of 640 elements, of which a script computes the first 320 alone, and
/// something of another extent.
static constexpr const char *kPayload = R"(
  func.func @main(%x: tensor<640xf32>, %y: tensor<128xf32>)
      -> (tensor<640xf32>, tensor<128xf32>) {
    %e = tensor.empty() : tensor<640xf32>
    %0 = linalg.exp {egg.name = "exp_0"} ins(%x : tensor<640xf32>)
        outs(%e : tensor<640xf32>) -> tensor<640xf32>
    %d = tensor.empty() : tensor<128xf32>
    %1 = linalg.log {egg.name = "log_0"} ins(%y : tensor<128xf32>)
        outs(%d : tensor<128xf32>) -> tensor<128xf32>
    return %0, %1 : tensor<640xf32>, tensor<128xf32>
  })";
static constexpr const char *kSchedule = R"(
  module attributes {transform.with_named_sequence} {
    func.func private @half(%x: tensor<640xf32>) -> tensor<640xf32> {
      %h = tensor.extract_slice %x[0] [320] [1] {egg.name = "slice"}
          : tensor<640xf32> to tensor<320xf32>
      %e = tensor.empty() : tensor<320xf32>
      %0 = linalg.exp {egg.name = "half"} ins(%h : tensor<320xf32>)
          outs(%e : tensor<320xf32>) -> tensor<320xf32>
      %1 = tensor.insert_slice %0 into %x[0] [320] [1] {egg.name = "insert"}
          : tensor<320xf32> into tensor<640xf32>
      return %1 : tensor<640xf32>
    }
    transform.named_sequence @substitution(%f: !transform.any_op) {
      %ops = transform.egg.select %f ["exp_0"]
          : (!transform.any_op) -> !transform.any_op
      transform.egg.substitute %ops with @half : !transform.any_op
      transform.yield
    }
  })";

static SmallPayload shrink(MLIRContext &context, StringRef schedule,
                           ShrinkVariant variant,
                           StringRef payloadText = kPayload) {
  auto payload = parseSourceString<ModuleOp>(payloadText, &context);
  auto script = parseSourceString<ModuleOp>(schedule, &context);
  EXPECT_TRUE(payload && script);
  ShrinkTarget target;
  target.variant = variant;
  target.maxWork = 2000;
  auto small = shrinkWithSubstitution(*payload, *script, target);
  EXPECT_TRUE(succeeded(small));
  return std::move(*small);
}

namespace {
class SubstitutedPayloadTest : public ::testing::Test {
protected:
  MLIRContext context;
  SubstitutedPayloadTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerTransformOps(registry);
    context.appendDialectRegistry(registry);
  }
};
} // namespace

TEST_F(SubstitutedPayloadTest, BothHaveTheSameExtents) {
  SmallPayload small = shrink(context, kSchedule, ShrinkVariant::Odd);
  EXPECT_TRUE(small.merged.empty());
  EXPECT_FALSE(small.pairs.empty());
  auto original = small.original->lookupSymbol<func::FuncOp>("main");
  auto substituted = small.substituted->lookupSymbol<func::FuncOp>("main");
  EXPECT_EQ(original.getFunctionType(), substituted.getFunctionType());
  EXPECT_NE(original.getArgumentTypes().front(),
            RankedTensorType::get({640}, Float32Type::get(&context)));
  std::string first, second;
  llvm::raw_string_ostream(first) << original;
  llvm::raw_string_ostream(second) << substituted;
  EXPECT_EQ(StringRef(first).count("linalg.exp"), 1u);
  EXPECT_NE(first.find("exp_0"), std::string::npos);
  EXPECT_EQ(second.find("exp_0"), std::string::npos);
  EXPECT_NE(second.find("insert"), std::string::npos);
}

/// What holds where all extents are one may not hold where they differ.
TEST_F(SubstitutedPayloadTest, ExtentsThatBecomeOneAreNoticed) {
  SmallPayload small = shrink(context, kSchedule, ShrinkVariant::Least);
  EXPECT_FALSE(small.merged.empty());
}

/// The tenth element from the front, where the least extent is ten, is the
/// last.
TEST_F(SubstitutedPayloadTest, PositionsThatBecomeOneAreNoticed) {
  constexpr const char *payload = R"(
    func.func @main(%x: tensor<1000xf32>) -> tensor<f32> {
      %0 = tensor.extract_slice %x[9] [1] [1] {egg.name = "slice_0"}
          : tensor<1000xf32> to tensor<f32>
      return %0 : tensor<f32>
    })";
  constexpr const char *schedule = R"(
    module attributes {transform.with_named_sequence} {
      func.func private @last(%x: tensor<1000xf32>) -> tensor<f32> {
        %0 = tensor.extract_slice %x[999] [1] [1] {egg.name = "slice"}
            : tensor<1000xf32> to tensor<f32>
        return %0 : tensor<f32>
      }
      transform.named_sequence @substitution(%f: !transform.any_op) {
        %ops = transform.egg.select %f ["slice_0"]
            : (!transform.any_op) -> !transform.any_op
        transform.egg.substitute %ops with @last : !transform.any_op
        transform.yield
      }
    })";
  SmallPayload least = shrink(context, schedule, ShrinkVariant::Least, payload);
  EXPECT_TRUE(least.pairs.count({1000, 9, 999}));
  EXPECT_TRUE(least.merged.count({1000, 9, 999}));
  for (ShrinkVariant variant : {ShrinkVariant::Aligned, ShrinkVariant::Odd}) {
    SmallPayload small = shrink(context, schedule, variant, payload);
    EXPECT_TRUE(small.pairs.count({1000, 9, 999}));
    EXPECT_TRUE(small.merged.empty());
  }
}

TEST_F(SubstitutedPayloadTest, WithoutSubstitutionBothAreThePayload) {
  SmallPayload small =
      shrink(context, "module attributes {transform.with_named_sequence} {}",
             ShrinkVariant::Aligned);
  EXPECT_TRUE(small.merged.empty());
  std::string first, second;
  llvm::raw_string_ostream(first) << *small.original;
  llvm::raw_string_ostream(second) << *small.substituted;
  EXPECT_EQ(first, second);
}
