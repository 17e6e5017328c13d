//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Double constants as PyTorch means them: a Python float takes the precision
// of the tensor it meets, rounded to nearest even.
//
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {

FloatAttr roundTo(const APFloat &value, FloatType type) {
  APFloat rounded = value;
  bool losesInfo;
  rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return FloatAttr::get(type, rounded);
}

/// truncf(constant) is the rounded constant. The upstream folder does it only
/// where nothing is lost.
struct RoundConstant : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    APFloat value(0.0f);
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || !matchPattern(op.getIn(), m_ConstantFloat(&value)))
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, roundTo(value, type));
    return success();
  }
};

/// Compares in the tensor's precision: cmpf(extf(x), constant) is
/// cmpf(x, rounded constant).
struct CompareInOwnPrecision : OpRewritePattern<arith::CmpFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpFOp op,
                                PatternRewriter &rewriter) const override {
    APFloat value(0.0f);
    auto extension = op.getLhs().getDefiningOp<arith::ExtFOp>();
    if (!extension || !matchPattern(op.getRhs(), m_ConstantFloat(&value)))
      return failure();
    auto type = dyn_cast<FloatType>(extension.getIn().getType());
    if (!type)
      return failure();
    Value constant =
        arith::ConstantOp::create(rewriter, op.getLoc(), roundTo(value, type));
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, op.getPredicate(),
                                               extension.getIn(), constant);
    return success();
  }
};

} // namespace

void egg::populateScalarPatterns(RewritePatternSet &patterns) {
  patterns.add<RoundConstant, CompareInOwnPrecision>(patterns.getContext());
}
