//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operands of linalg.generic in their simplest form: a splat is a constant of
// the body, an affine gather an indexing map, and an init that the body never
// reads is empty.
//
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {

/// The scalar constant that fills the whole tensor, if one does.
TypedAttr getSplat(Value tensor) {
  DenseElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&elements)) && elements.isSplat())
    return cast<TypedAttr>(elements.getSplatValue<Attribute>());
  TypedAttr scalar;
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  if (fill && matchPattern(fill.value(), m_Constant(&scalar)))
    return scalar;
  return {};
}

/// Replaces the op by one with other inputs and indexing maps; the body moves
/// over, its input arguments renumbered by the caller beforehand.
void replaceInputs(PatternRewriter &rewriter, linalg::GenericOp op,
                   ValueRange inputs, ArrayRef<AffineMap> maps) {
  auto newOp = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray());
  newOp->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(op.getRegion(), newOp.getRegion(),
                              newOp.getRegion().begin());
  rewriter.replaceOp(op, newOp.getResults());
}

struct InlineSplatInput : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *input : op.getDpsInputOperands()) {
      TypedAttr splat = getSplat(input->get());
      if (!splat)
        continue;
      unsigned number = input->getOperandNumber();
      SmallVector<Value> inputs(op.getInputs());
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      inputs.erase(inputs.begin() + number);
      maps.erase(maps.begin() + number);
      // Every loop needs an operand that gives its extent.
      if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
        continue;
      Block *body = op.getBody();
      rewriter.setInsertionPointToStart(body);
      Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), splat);
      rewriter.replaceAllUsesWith(body->getArgument(number), constant);
      rewriter.modifyOpInPlace(op, [&] { body->eraseArgument(number); });
      rewriter.setInsertionPoint(op);
      replaceInputs(rewriter, op, inputs, maps);
      return success();
    }
    return failure();
  }
};

/// The affine expression in the loops that an index computes, or null.
AffineExpr getAffineExpr(Value index) {
  MLIRContext *context = index.getContext();
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context);
  Operation *op = index.getDefiningOp();
  if (!op)
    return {};
  if (auto loop = dyn_cast<linalg::IndexOp>(op))
    return getAffineDimExpr(loop.getDim(), context);
  if (isa<arith::IndexCastOp>(op))
    return getAffineExpr(op->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return {};
  AffineExpr lhs = getAffineExpr(op->getOperand(0));
  AffineExpr rhs = getAffineExpr(op->getOperand(1));
  if (!lhs || !rhs)
    return {};
  if (isa<arith::AddIOp>(op))
    return lhs + rhs;
  if (isa<arith::SubIOp>(op))
    return lhs - rhs;
  AffineExpr product = lhs * rhs;
  return product.isPureAffine() ? product : AffineExpr();
}

/// Least and greatest value of the expression over the loops' extents.
std::pair<int64_t, int64_t> getRange(AffineExpr expr,
                                     ArrayRef<int64_t> extents) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {0, extents[dim.getPosition()] - 1};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto [lowLeft, highLeft] = getRange(binary.getLHS(), extents);
  auto [lowRight, highRight] = getRange(binary.getRHS(), extents);
  if (binary.getKind() == AffineExprKind::Add)
    return {lowLeft + lowRight, highLeft + highRight};
  auto corners = {lowLeft * lowRight, lowLeft * highRight, highLeft * lowRight,
                  highLeft * highRight};
  return std::minmax(corners);
}

/// tensor.extract at affine indices becomes an input with that indexing map.
struct GatherToInput : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    for (auto extract : op.getBody()->getOps<tensor::ExtractOp>()) {
      auto type = extract.getTensor().getType();
      if (op->isProperAncestor(
              extract.getTensor().getParentRegion()->getParentOp()) ||
          extract.getTensor().getParentRegion() == &op.getRegion())
        continue;
      SmallVector<AffineExpr> exprs;
      for (auto [index, extent] :
           llvm::zip_equal(extract.getIndices(), type.getShape())) {
        AffineExpr expr = getAffineExpr(index);
        if (!expr || !expr.isPureAffine())
          break;
        auto [low, high] = getRange(expr, extents);
        // Whether an access out of bounds happens depends on the body.
        if (low < 0 || high >= extent)
          break;
        exprs.push_back(expr);
      }
      if (static_cast<int64_t>(exprs.size()) != type.getRank())
        continue;
      SmallVector<Value> inputs(op.getInputs());
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      unsigned number = inputs.size();
      maps.insert(maps.begin() + number,
                  AffineMap::get(extents.size(), 0, exprs, op.getContext()));
      inputs.push_back(extract.getTensor());
      Value argument;
      rewriter.modifyOpInPlace(op, [&] {
        argument = op.getBody()->insertArgument(number, type.getElementType(),
                                                extract.getLoc());
      });
      rewriter.replaceOp(extract, argument);
      replaceInputs(rewriter, op, inputs, maps);
      return success();
    }
    return failure();
  }
};

struct EmptyUnreadInit : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto type = cast<RankedTensorType>(init.get().getType());
      if (init.get().getDefiningOp<tensor::EmptyOp>() ||
          !op.getMatchingBlockArgument(&init).use_empty() ||
          !type.hasStaticShape() || op.getNumReductionLoops() != 0)
        continue;
      Value empty = tensor::EmptyOp::create(
          rewriter, op.getLoc(), type.getShape(), type.getElementType());
      rewriter.modifyOpInPlace(op, [&] { init.set(empty); });
      changed = true;
    }
    return success(changed);
  }
};

} // namespace

void egg::populateOperandPatterns(RewritePatternSet &patterns) {
  patterns.add<InlineSplatInput, GatherToInput, EmptyUnreadInit>(
      patterns.getContext());
}
