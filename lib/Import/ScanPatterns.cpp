//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Variants of scans that PyTorch writes with flips, slices and concatenation.
//
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace egg;

namespace {

/// The tensor that the op reverses along dim, or null.
Value getFlipped(Value value, int64_t dim) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0 ||
      op.getBody()->getTerminator()->getOperand(0) !=
          op.getBody()->getArgument(0) ||
      !op.getIndexingMapsArray()[1].isIdentity())
    return {};
  auto type = cast<RankedTensorType>(value.getType());
  AffineMap map = op.getIndexingMapsArray()[0];
  if (map.getNumResults() != type.getRank())
    return {};
  for (auto [number, result] : llvm::enumerate(map.getResults())) {
    AffineExpr expected = getAffineDimExpr(number, op.getContext());
    if (static_cast<int64_t>(number) == dim)
      expected = (type.getDimSize(dim) - 1) - expected;
    if (result != expected)
      return {};
  }
  return op.getInputs()[0];
}

/// flip(scan(flip(x))) scans from the other end.
struct FlippedScan : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumDpsInputs() != 1)
      return failure();
    auto scan = op.getInputs()[0].getDefiningOp<ScanOp>();
    if (!scan || op->getNumResults() != 1 ||
        !getFlipped(op.getResult(0), scan.getDim()))
      return failure();
    Value source = getFlipped(scan.getInput(), scan.getDim());
    if (!source)
      return failure();
    rewriter.replaceOpWithNewOp<ScanOp>(
        op, source.getType(), scan.getKind(), source, scan.getDim(),
        scan.getExclusive(), !scan.getReverse());
    return success();
  }
};

/// [neutral, scan(x without its last element)] is the exclusive scan of x.
struct ShiftedScan : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 2)
      return failure();
    int64_t dim = op.getDim();
    auto scan = op.getInputs()[1].getDefiningOp<ScanOp>();
    DenseElementsAttr first;
    if (!scan || static_cast<int64_t>(scan.getDim()) != dim ||
        scan.getExclusive() || scan.getReverse() ||
        !matchPattern(op.getInputs()[0], m_Constant(&first)) ||
        !first.isSplat() || first.getType().getDimSize(dim) != 1 ||
        first.getSplatValue<Attribute>() != scan.getNeutralElement())
      return failure();
    auto slice = scan.getInput().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || slice.getSourceType() != op.getResultType() ||
        slice.getType().getRank() != op.getResultType().getRank() ||
        !slice.hasUnitStride() || !slice.hasZeroOffset())
      return failure();
    rewriter.replaceOpWithNewOp<ScanOp>(op, op.getResultType(), scan.getKind(),
                                        slice.getSource(), dim,
                                        /*exclusive=*/true, /*reverse=*/false);
    return success();
  }
};

} // namespace

void egg::populateScanPatterns(RewritePatternSet &patterns) {
  patterns.add<FlippedScan, ShiftedScan>(patterns.getContext());
}
