//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// egg-import-torch: torch-mlir's output becomes a payload.
//
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Import/NameOps.h"
#include "egg/Import/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace egg {
#define GEN_PASS_DEF_IMPORTTORCH
#include "egg/Import/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

/// Assertions, unused globals and functions, and attributes of torch-mlir.
void eraseLeftovers(ModuleOp module) {
  SmallVector<Operation *> dead;
  module.walk([&](cf::AssertOp op) { dead.push_back(op); });
  for (Operation &op : *module.getBody()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (symbol && isa<ml_program::GlobalOp, func::FuncOp>(op) &&
        symbol.getName() != "main" &&
        SymbolTable::symbolKnownUseEmpty(&op, module))
      dead.push_back(&op);
    if (auto function = dyn_cast<func::FuncOp>(op))
      function->removeAttr("torch.assume_strict_symbolic_shapes");
  }
  for (Operation *op : dead)
    op->erase();
  for (NamedAttribute attribute :
       llvm::to_vector(module->getDiscardableAttrs()))
    if (attribute.getName().strref().starts_with("torch."))
      module->removeDiscardableAttr(attribute.getName());
}

struct ImportTorch : egg::impl::ImportTorchBase<ImportTorch> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateScalarPatterns(set);
    populateOperandPatterns(set);
    populateScanPatterns(set);
    populateEmptyExtentPatterns(set);
    populateExtremePatterns(set);
    linalg::populateElementwiseToLinalgConversionPatterns(set);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(set);
    tensor::populateFoldTensorEmptyPatterns(set);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (isa<arith::ArithDialect, linalg::LinalgDialect, tensor::TensorDialect,
              math::MathDialect, EggDialect>(op.getDialect()))
        op.getCanonicalizationPatterns(set, context);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    eraseLeftovers(module);
    inlineResourceConstants(module);
    // Cells of recurrent layers are functions: simplified once, then inlined
    // at every step.
    if (!llvm::hasSingleElement(module.getOps<func::FuncOp>())) {
      OpPassManager inliner(ModuleOp::getOperationName());
      for (auto function : module.getOps<func::FuncOp>())
        function.setNoInline(false);
      inliner.addPass(createInlinerPass({}, [](OpPassManager &) {}));
      if (failed(applyPatternsGreedily(module, patterns)) ||
          failed(runPipeline(inliner, module)))
        return signalPassFailure();
    }
    OpPassManager cleanUp(ModuleOp::getOperationName());
    cleanUp.addPass(createCSEPass());
    // Dropping unit extents leaves reshapes that cancel, and cancelling
    // leaves equal ops.
    for (int round = 0; round < 2; ++round) {
      if (failed(applyPatternsGreedily(module, patterns)) ||
          failed(runPipeline(cleanUp, module)))
        return signalPassFailure();
      dropUnitExtents(module);
    }
    if (failed(applyPatternsGreedily(module, patterns)) ||
        failed(runPipeline(cleanUp, module)) || failed(checkPayload(module)))
      return signalPassFailure();
    copyReturnedConstants(module.lookupSymbol<func::FuncOp>("main"));
    nameComputeOps(module);
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
