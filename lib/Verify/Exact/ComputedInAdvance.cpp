//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ComputedInAdvance.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace egg;

/// Whether the op computes a float from floats, and may round.
static bool isFloatArithmetic(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         !op->hasTrait<OpTrait::ConstantLike>() && op->getNumResults() == 1 &&
         isa<FloatType>(op->getResult(0).getType()) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<FloatType>) &&
         !isa<arith::ExtFOp, arith::TruncFOp, arith::SelectOp, arith::NegFOp,
              arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
              arith::MinNumFOp, math::AbsFOp>(op);
}

Operation *egg::findComputedInAdvance(ModuleOp payload) {
  // Values that follow from constants and indices alone.
  llvm::DenseSet<Value> known;
  auto isKnown = [&](Value value) { return known.contains(value); };
  Operation *found = nullptr;
  payload.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      // Accumulators change from step to step and stay unknown, unless there
      // is one step.
      bool hasSteps = false;
      for (auto [extent, kind] :
           llvm::zip_equal(linalgOp.getStaticLoopRanges(),
                           linalgOp.getIteratorTypesArray()))
        hasSteps |= kind == utils::IteratorType::reduction && extent != 1;
      for (OpOperand &operand : op->getOpOperands())
        if (isKnown(operand.get()) &&
            !(hasSteps && linalgOp.isDpsInit(&operand)))
          known.insert(linalgOp.getMatchingBlockArgument(&operand));
      return WalkResult::advance();
    }
    if (op->getNumRegions() != 0)
      return WalkResult::advance();
    if (isa<linalg::YieldOp>(op)) {
      for (auto [value, result] :
           llvm::zip(op->getOperands(), op->getParentOp()->getResults()))
        if (isKnown(value))
          known.insert(result);
      return WalkResult::advance();
    }
    // What is chosen may be computed for both choices.
    ValueRange operands = op->getOperands();
    if (isa<arith::SelectOp>(op))
      operands = operands.drop_front();
    if (!llvm::all_of(operands, isKnown))
      return WalkResult::advance();
    known.insert(op->result_begin(), op->result_end());
    if (!isFloatArithmetic(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
