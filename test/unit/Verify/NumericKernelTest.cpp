//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels that compute something else than their payload, in floats.
//
//===----------------------------------------------------------------------===//
#include "KernelCheckTest.h"

using namespace mlir;
using namespace egg;

namespace {

class NumericKernelTest : public KernelCheckTest {
protected:
  void expectRefused(StringRef body, StringRef step, StringRef reason) {
    std::optional<Rejection> rejection = check(body);
    ASSERT_TRUE(rejection.has_value());
    EXPECT_EQ(rejection->step, step);
    EXPECT_NE(rejection->reason.find(reason.str()), std::string::npos)
        << rejection->reason;
    EXPECT_FALSE(rejection->remedy.empty());
    EXPECT_NE(rejection->notes.back().find("at the small extents aligned"),
              std::string::npos);
  }
};

TEST_F(NumericKernelTest, TheSameComputationPasses) {
  std::optional<Rejection> rejection = check(kRight);
  EXPECT_FALSE(rejection) << rejection->str();
}

TEST_F(NumericKernelTest, OtherRoundingPasses) {
  EXPECT_FALSE(check("%r = math.fma %v, %two, %one : f32 "
                     "memref.store %r, %y[%t] : memref<64xf32>"));
}

/// Measuring more carefully how far an element may move excuses no error
/// beyond.
TEST_F(NumericKernelTest, OneElementOffByUnitsIsRefused) {
  expectRefused("%c5 = arith.constant 5 : index "
                "%is = arith.cmpi eq, %t, %c5 : index "
                "%off = arith.constant 1.000002 : f32 "
                "%a = arith.mulf %v, %two : f32 %b = arith.addf %a, %one : f32 "
                "%c = arith.mulf %b, %off : f32 "
                "%r = arith.select %is, %c, %b : f32 "
                "memref.store %r, %y[%t] : memref<64xf32>",
                "numeric", "1 of 64 elements differ");
}

/// With the element, both values and the inputs it is computed from.
TEST_F(NumericKernelTest, RefusalNamesTheInputsOfTheWorstElement) {
  std::optional<Rejection> rejection = check(
      "%c5 = arith.constant 5 : index %is = arith.cmpi eq, %t, %c5 : index "
      "%a = arith.mulf %v, %two : f32 %b = arith.addf %a, %one : f32 "
      "%r = arith.select %is, %v, %b : f32 "
      "memref.store %r, %y[%t] : memref<64xf32>");
  ASSERT_TRUE(rejection);
  EXPECT_NE(rejection->reason.find("the worst at [5] is "), std::string::npos);
  ASSERT_EQ(rejection->notes.size(), 3u);
  EXPECT_EQ(rejection->notes[0], "inputs: uniform, seed 0");
  std::string value = rejection->reason.substr(
      rejection->reason.find("[5] is ") + 7, std::string::npos);
  value = value.substr(0, value.find(','));
  EXPECT_EQ(rejection->notes[1],
            "that element is computed from argument 0[5] = " + value);
}

TEST_F(NumericKernelTest, ZerosAreRefused) {
  expectRefused("%r = arith.constant 0.0 : f32 "
                "memref.store %r, %y[%t] : memref<64xf32>",
                "numeric", "64 of 64 elements differ");
}

TEST_F(NumericKernelTest, TheInputIsRefused) {
  expectRefused("memref.store %v, %y[%t] : memref<64xf32>", "numeric",
                "differ from the payload");
}

TEST_F(NumericKernelTest, OneWrongElementIsFound) {
  expectRefused(
      "%c17 = arith.constant 17 : index "
      "%a = arith.mulf %v, %two : f32  %r = arith.addf %a, %one : f32 "
      "%bad = arith.cmpi eq, %t, %c17 : index "
      "%s = arith.select %bad, %a, %r : f32 "
      "memref.store %s, %y[%t] : memref<64xf32>",
      "numeric", "1 of 64 elements differ from the payload; the worst at [17]");
}

TEST_F(NumericKernelTest, LowerPrecisionIsRefused) {
  expectRefused("%h = arith.truncf %v : f32 to bf16 "
                "%w = arith.extf %h : bf16 to f32 "
                "%a = arith.mulf %w, %two : f32 "
                "%r = arith.addf %a, %one : f32 "
                "memref.store %r, %y[%t] : memref<64xf32>",
                "numeric", "differ from the payload");
}

TEST_F(NumericKernelTest, ADroppedTailIsRefused) {
  expectRefused("%c60 = arith.constant 60 : index "
                "%a = arith.mulf %v, %two : f32 "
                "%r = arith.addf %a, %one : f32 "
                "%in = arith.cmpi ult, %t, %c60 : index "
                "scf.if %in { memref.store %r, %y[%t] : memref<64xf32> }",
                "emulate", "no thread writes element 60");
}

TEST_F(NumericKernelTest, OpsThatDoNotLowerAreRefused) {
  expectRefused(std::string(kRight) + " gpu.printf \"%f\", %v : f32", "emulate",
                "'gpu.printf' must not be in a kernel: kernels do not print");
}

TEST_F(NumericKernelTest, LongestReduction) {
  auto longest = [&](StringRef text) {
    return getLongestReduction(
        *parseSourceString<ModuleOp>(text, context.get()));
  };
  EXPECT_EQ(getLongestReduction(*payload()), 1);
  EXPECT_EQ(longest("func.func @main(%x: tensor<3x70xf32>) -> tensor<3x70xf32> "
                    "{ %0 = egg.scan <mul> %x dim = 1 : tensor<3x70xf32> "
                    "return %0 : tensor<3x70xf32> }"),
            70);
  EXPECT_EQ(longest("func.func @main(%x: tensor<3x70xf32>, %y: tensor<f32>) -> "
                    "tensor<f32> { %0 = linalg.reduce { arith.addf } ins(%x : "
                    "tensor<3x70xf32>) outs(%y : tensor<f32>) dimensions = [0, "
                    "1] return %0 : tensor<f32> }"),
            210);
}

} // namespace
