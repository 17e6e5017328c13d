//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Extents of zero leave the payload: what has no elements is empty, and what
// runs no iteration is what it starts from, so that no kernel meets either.
//
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace egg;

bool egg::hasNoElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0) &&
         tensor.hasStaticShape();
}

namespace {

/// An op all of whose results have no elements computes nothing.
struct EmptyResults : RewritePattern {
  EmptyResults(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/10, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0 || isa<tensor::EmptyOp>(op) ||
        !llvm::all_of(op->getResultTypes(), hasNoElements) ||
        !(isa<linalg::LinalgOp, ScanOp>(op) || isMemoryEffectFree(op)))
      return failure();
    SmallVector<Value> empty;
    for (Type type : op->getResultTypes())
      empty.push_back(tensor::EmptyOp::create(
          rewriter, op->getLoc(), cast<RankedTensorType>(type).getShape(),
          cast<RankedTensorType>(type).getElementType()));
    rewriter.replaceOp(op, empty);
    return success();
  }
};

/// A reduction over no elements is its init: zero for a sum, one for a product.
struct NoIterations : OpInterfaceRewritePattern<linalg::LinalgOp> {
  NoIterations(MLIRContext *context)
      : OpInterfaceRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        !llvm::is_contained(op.getStaticLoopRanges(), 0))
      return failure();
    rewriter.replaceOp(op, SmallVector<Value>(op.getDpsInits()));
    return success();
  }
};

struct ConcatWithEmpty : OpRewritePattern<tensor::ConcatOp> {
  ConcatWithEmpty(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs(op.getInputs());
    llvm::erase_if(inputs,
                   [](Value input) { return hasNoElements(input.getType()); });
    if (inputs.empty() || inputs.size() == op.getInputs().size())
      return failure();
    if (inputs.size() == 1 && inputs[0].getType() == op.getType())
      rewriter.replaceOp(op, inputs[0]);
    else
      rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(),
                                                    op.getDim(), inputs);
    return success();
  }
};

/// Padding around nothing is all there is.
struct PadOfEmpty : OpRewritePattern<tensor::PadOp> {
  PadOfEmpty(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    Value padding = op.getConstantPaddingValue();
    RankedTensorType type = op.getResultType();
    if (!padding || !hasNoElements(op.getSource().getType()) ||
        !type.hasStaticShape())
      return failure();
    // The value may be defined in the op's region.
    if (op->isAncestor(padding.getParentRegion()->getParentOp()))
      padding = rewriter.clone(*padding.getDefiningOp())->getResult(0);
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, padding, empty);
    return success();
  }
};

struct InsertionOfEmpty : OpRewritePattern<tensor::InsertSliceOp> {
  InsertionOfEmpty(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasNoElements(op.getSourceType()))
      return failure();
    rewriter.replaceOp(op, op.getDest());
    return success();
  }
};

} // namespace

void egg::populateEmptyExtentPatterns(RewritePatternSet &patterns) {
  patterns.add<EmptyResults, NoIterations, ConcatWithEmpty, PadOfEmpty,
               InsertionOfEmpty>(patterns.getContext());
}
