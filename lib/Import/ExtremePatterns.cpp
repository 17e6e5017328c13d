//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Positions of the greatest and least element as PyTorch finds them: NaN is
// beyond every number, and the first of equals counts.
//
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace {

/// torch-mlir takes a new position where `in > best`, which is false for NaN,
/// while the best value itself becomes NaN. Here it is also taken where the
/// element is the first NaN.
struct PositionOfNaN : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    auto generic = dyn_cast<linalg::GenericOp>(op->getParentOp());
    auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
    if (!generic || !compare || generic.getNumReductionLoops() == 0)
      return failure();
    bool isMax = compare.getPredicate() == arith::CmpFPredicate::OGT;
    if (!isMax && compare.getPredicate() != arith::CmpFPredicate::OLT)
      return failure();
    Value in = compare.getLhs(), best = compare.getRhs();
    if (!isBestSoFar(generic, in, best, isMax) || !isOutput(generic, op))
      return failure();
    Value beyond = arith::CmpFOp::create(rewriter, op.getLoc(),
                                         isMax ? arith::CmpFPredicate::UGT
                                               : arith::CmpFPredicate::ULT,
                                         in, best);
    Value isNumber = arith::CmpFOp::create(
        rewriter, op.getLoc(), arith::CmpFPredicate::ORD, best, best);
    Value taken =
        arith::AndIOp::create(rewriter, op.getLoc(), beyond, isNumber);
    rewriter.modifyOpInPlace(op,
                             [&] { op.getConditionMutable().assign(taken); });
    return success();
  }

private:
  /// Whether best is an output that becomes the greater (less) of it and in,
  /// NaN if one is.
  static bool isBestSoFar(linalg::GenericOp generic, Value in, Value best,
                          bool isMax) {
    auto argument = dyn_cast<BlockArgument>(best);
    if (!argument || argument.getOwner() != generic.getBody() ||
        argument.getArgNumber() < generic.getNumDpsInputs())
      return false;
    Operation *next = yielded(generic, argument).getDefiningOp();
    if (isMax ? !isa_and_nonnull<arith::MaximumFOp>(next)
              : !isa_and_nonnull<arith::MinimumFOp>(next))
      return false;
    return llvm::is_contained(next->getOperands(), in) &&
           llvm::is_contained(next->getOperands(), best);
  }

  /// Whether an output keeps its value where the select does not take a new
  /// one.
  static bool isOutput(linalg::GenericOp generic, arith::SelectOp op) {
    auto argument = dyn_cast<BlockArgument>(op.getFalseValue());
    return argument && argument.getOwner() == generic.getBody() &&
           argument.getArgNumber() >= generic.getNumDpsInputs() &&
           yielded(generic, argument) == op.getResult();
  }

  static Value yielded(linalg::GenericOp generic, BlockArgument output) {
    return generic.getBody()->getTerminator()->getOperand(
        output.getArgNumber() - generic.getNumDpsInputs());
  }
};

} // namespace

void egg::populateExtremePatterns(RewritePatternSet &patterns) {
  patterns.add<PositionOfNaN>(patterns.getContext());
}
