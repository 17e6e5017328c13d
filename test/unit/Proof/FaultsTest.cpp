//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Faults planted into right kernels, every kind at every place: none is proved.
//
//===----------------------------------------------------------------------===//
#include "egg/Dialect/EggDialect.h"
#include "egg/Kernel/Materialize.h"
#include "egg/Proof/ProveKernels.h"
#include "egg/SelfCheck/Mutation.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

namespace {

class ProofFaultsTest : public ::testing::Test {
protected:
  ProofFaultsTest() {
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<EggDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  /// The whole body of the payload as one kernel, materialized.
  OwningOpRef<ModuleOp> materialize(ModuleOp payload, int64_t width) {
    OwningOpRef<ModuleOp> module = payload.clone();
    auto main = module->lookupSymbol<func::FuncOp>("main");
    func::FuncOp kernel = main.clone();
    kernel.setName("kernel_0");
    kernel.setPrivate();
    OpBuilder builder(&context);
    kernel->setAttr("egg.kernel", builder.getUnitAttr());
    kernel->setAttr(
        "egg.config",
        builder.getDictionaryAttr(
            {builder.getNamedAttr("structure", builder.getStringAttr("map")),
             builder.getNamedAttr("vector_width",
                                  builder.getI64IntegerAttr(width))}));
    module->push_back(kernel);
    Block &body = main.getBody().front();
    while (!body.empty())
      body.back().erase();
    builder.setInsertionPointToStart(&body);
    auto call = func::CallOp::create(builder, main.getLoc(), kernel,
                                     main.getArguments());
    func::ReturnOp::create(builder, main.getLoc(), call.getResults());
    EXPECT_TRUE(succeeded(materializeKernels(*module)));
    return module;
  }

  ProofResult prove(ModuleOp payload, ModuleOp kernels) {
    return proveKernels(payload, kernels, checkLegality(kernels, target));
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os);
    return text;
  }

  DialectRegistry registry;
  MLIRContext context;
  TargetInfo target = llvm::cantFail(lookupTarget("sm_90a"));
};

/// An elementwise payload of %x (20x24xf32), %b (24xf32) and %y (24x20xf32)
/// with the body %r of the given type.
std::string payloadOf(llvm::StringRef body, llvm::StringRef result) {
  return llvm::formatv(R"(
    #id = affine_map<(i, j) -> (i, j)>
    #column = affine_map<(i, j) -> (j)>
    #turned = affine_map<(i, j) -> (j, i)>
    func.func @main(%x: tensor<20x24xf32>, %b: tensor<24xf32>,
                    %y: tensor<24x20xf32>) -> tensor<{1}> {{
      %zero = arith.constant 0.0 : f32
      %half = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<20x24xf32>
      {0}
      return %r : tensor<{1}>
    })",
                       body, result);
}

const char *const kBias = R"(
  %r = linalg.generic {indexing_maps = [#id, #column, #turned, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %b, %y : tensor<20x24xf32>, tensor<24xf32>, tensor<24x20xf32>)
      outs(%e : tensor<20x24xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
    %1 = arith.subf %p, %q : f32
    %2 = arith.divf %1, %s : f32
    %3 = arith.maximumf %2, %half : f32
    %4 = math.exp %3 : f32
    linalg.yield %4 : f32
  } -> tensor<20x24xf32>)";
const char *const kPad = R"(
  %r = tensor.pad %x low[1, 3] high[2, 5] {
  ^bb0(%i: index, %j: index):
    tensor.yield %half : f32
  } : tensor<20x24xf32> to tensor<23x32xf32>)";
const char *const kTurned = R"(
  %t = tensor.empty() : tensor<24x20xf32>
  %0 = linalg.exp ins(%x : tensor<20x24xf32>) outs(%e : tensor<20x24xf32>)
      -> tensor<20x24xf32>
  %1 = linalg.transpose ins(%0 : tensor<20x24xf32>)
      outs(%t : tensor<24x20xf32>) permutation = [1, 0]
  %r = linalg.sub ins(%1, %y : tensor<24x20xf32>, tensor<24x20xf32>)
      outs(%t : tensor<24x20xf32>) -> tensor<24x20xf32>)";
const char *const kMask = R"(
  %r = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<20x24xf32>) outs(%e : tensor<20x24xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %1 = arith.cmpi sge, %i, %j : index
    %2 = arith.select %1, %p, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<20x24xf32>)";

struct Case {
  const char *body, *result;
};
const Case kCases[] = {{kBias, "20x24xf32"},
                       {kPad, "23x32xf32"},
                       {kTurned, "24x20xf32"},
                       {kMask, "20x24xf32"}};

TEST_F(ProofFaultsTest, NoneIsProved) {
  int64_t faults = 0;
  for (const Case &one : kCases)
    for (int64_t width : {1, 4}) {
      auto payload = parse(payloadOf(one.body, one.result));
      auto kernels = materialize(*payload, width);
      ProofResult whole = prove(*payload, *kernels);
      ASSERT_TRUE(whole.isProved()) << describe(*whole.gap) << print(*kernels);
      std::string before = print(*kernels);
      for (const Mutation &mutation : getMutations())
        for (size_t i = 0, e = mutation.findSites(*kernels).size(); i < e;
             ++i) {
          OwningOpRef<ModuleOp> broken = kernels->clone();
          auto what = applyMutation(mutation, *broken, i);
          ASSERT_TRUE(what);
          // Some inputs are not used.
          if (print(*broken) == before)
            continue;
          EXPECT_FALSE(prove(*payload, *broken).isProved())
              << mutation.name.str() << ": " << *what << print(*broken);
          ++faults;
        }
    }
  EXPECT_GT(faults, 100);
}

TEST_F(ProofFaultsTest, ASmallBudgetProvesNothing) {
  auto payload = parse(payloadOf(kBias, "20x24xf32"));
  auto kernels = materialize(*payload, 4);
  ProofResult proof =
      proveKernels(*payload, *kernels, checkLegality(*kernels, target), 20);
  ASSERT_FALSE(proof.isProved());
  EXPECT_EQ(proof.gap->reason, "the proof takes too many steps");
}

} // namespace
