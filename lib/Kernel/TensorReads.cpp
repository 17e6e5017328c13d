//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace egg {

ArrayRef<int64_t> extentsOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

bool isAnchor(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getNumReductionLoops() > 0;
  return op->getName().getStringRef() == "egg.scan";
}

FailureOr<SmallVector<AffineExpr>> loopsWriting(linalg::LinalgOp op,
                                                unsigned resultNumber,
                                                ArrayRef<AffineExpr> idx) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(resultNumber));
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return failure();
  SmallVector<AffineExpr> loops(op.getNumLoops());
  for (auto [expr, i] : llvm::zip_equal(map.getResults(), idx))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      loops[dim.getPosition()] = i;
  return loops;
}

SmallVector<AffineExpr> applyMap(AffineMap map, ArrayRef<AffineExpr> loops,
                                 const IndexSpace &space) {
  SmallVector<AffineExpr> result;
  for (AffineExpr expr : map.getResults())
    result.push_back(space.simplify(expr.replaceDims(loops)));
  return result;
}

std::optional<AffineExpr> affineIndex(Value value, ArrayRef<AffineExpr> loops,
                                      const IndexSpace &space) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return space.constant(constant.getSExtValue());
  Operation *def = value.getDefiningOp();
  if (!def)
    return std::nullopt;
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    return loops[index.getDim()];
  auto operand = [&](unsigned i) {
    return affineIndex(def->getOperand(i), loops, space);
  };
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::TruncIOp>(def))
    return operand(0);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(def)) {
    SmallVector<AffineExpr> dims, symbols;
    unsigned numDims = apply.getAffineMap().getNumDims();
    for (unsigned i = 0; i < def->getNumOperands(); ++i) {
      auto expr = operand(i);
      if (!expr)
        return std::nullopt;
      (i < numDims ? dims : symbols).push_back(*expr);
    }
    AffineExpr result =
        apply.getAffineMap().getResult(0).replaceDimsAndSymbols(dims, symbols);
    return result;
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(def))
    return std::nullopt;
  auto lhs = operand(0), rhs = operand(1);
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::AddIOp>(def))
    return *lhs + *rhs;
  if (isa<arith::SubIOp>(def))
    return *lhs - *rhs;
  if (!isa<AffineConstantExpr>(*lhs) && !isa<AffineConstantExpr>(*rhs))
    return std::nullopt;
  return *lhs * *rhs;
}

SmallVector<AffineExpr> reshapeSourceIndex(Operation *reshape,
                                           ArrayRef<AffineExpr> idx,
                                           const IndexSpace &space) {
  SmallVector<AffineExpr> result;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape)) {
    ArrayRef<int64_t> extents = extentsOf(expand.getResult());
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      SmallVector<AffineExpr> part;
      SmallVector<int64_t> partExtents;
      for (int64_t d : group) {
        part.push_back(idx[d]);
        partExtents.push_back(extents[d]);
      }
      result.push_back(space.linearize(part, partExtents));
    }
    return result;
  }
  auto collapse = cast<tensor::CollapseShapeOp>(reshape);
  ArrayRef<int64_t> extents = extentsOf(collapse.getSrc());
  if (idx.empty()) {
    result.assign(extents.size(), space.constant(0));
    return result;
  }
  for (auto [i, group] :
       llvm::zip_equal(idx, collapse.getReassociationIndices())) {
    SmallVector<int64_t> partExtents;
    for (int64_t d : group)
      partExtents.push_back(extents[d]);
    llvm::append_range(result, space.delinearize(i, partExtents));
  }
  return result;
}

/// Reads inside the body of a pointwise linalg op.
static FailureOr<SmallVector<ElementRead>> linalgReads(linalg::LinalgOp op,
                                                       unsigned resultNumber,
                                                       ArrayRef<AffineExpr> idx,
                                                       IndexSpace &space) {
  auto loops = loopsWriting(op, resultNumber, idx);
  if (failed(loops))
    return failure();
  for (AffineExpr &loop : *loops)
    if (!loop)
      loop = space.constant(0);
  SmallVector<ElementRead> reads;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()) ||
        op.getMatchingBlockArgument(&operand).use_empty())
      continue;
    reads.push_back(
        {operand.get(),
         applyMap(op.getMatchingIndexingMap(&operand), *loops, space)});
  }
  bool supported = true;
  for (Operation &inner : *op.getBlock()) {
    if (inner.getNumRegions() != 0)
      supported = false;
    auto extract = dyn_cast<tensor::ExtractOp>(inner);
    if (!extract)
      continue;
    ElementRead read = {extract.getTensor(), {}};
    for (auto [i, index] : llvm::enumerate(extract.getIndices())) {
      auto expr = affineIndex(index, *loops, space);
      read.idx.push_back(expr
                             ? space.simplify(*expr)
                             : space.addDim(extentsOf(extract.getTensor())[i]));
    }
    reads.push_back(std::move(read));
  }
  if (!supported)
    return failure();
  return reads;
}

FailureOr<SmallVector<ElementRead>>
operandReads(OpResult result, ArrayRef<AffineExpr> idx, IndexSpace &space) {
  using Reads = FailureOr<SmallVector<ElementRead>>;
  // An index that a bounds test guards: nothing is known but its range.
  auto opaque = [&](Value tensor) {
    SmallVector<AffineExpr> fresh;
    for (int64_t extent : extentsOf(tensor))
      fresh.push_back(space.addDim(extent));
    return fresh;
  };
  return llvm::TypeSwitch<Operation *, Reads>(result.getOwner())
      .Case([&](linalg::LinalgOp op) {
        return linalgReads(op, result.getResultNumber(), idx, space);
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([&](auto op) {
        return SmallVector<ElementRead>{
            {op.getSrc(), reshapeSourceIndex(op, idx, space)}};
      })
      .Case([&](tensor::CastOp op) {
        return SmallVector<ElementRead>{{op.getSource(), llvm::to_vector(idx)}};
      })
      .Case([&](tensor::ExtractSliceOp op) -> Reads {
        if (llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic) ||
            llvm::any_of(op.getStaticStrides(), ShapedType::isDynamic))
          return SmallVector<ElementRead>{
              {op.getSource(), opaque(op.getSource())}};
        SmallVector<AffineExpr> source;
        llvm::SmallBitVector dropped = op.getDroppedDims();
        unsigned next = 0;
        for (int64_t d = 0, e = op.getSourceType().getRank(); d < e; ++d) {
          AffineExpr i = dropped[d] ? space.constant(0) : idx[next++];
          source.push_back(space.simplify(i * op.getStaticStrides()[d] +
                                          op.getStaticOffsets()[d]));
        }
        return SmallVector<ElementRead>{{op.getSource(), source}};
      })
      .Case([&](tensor::PadOp op) {
        return SmallVector<ElementRead>{
            {op.getSource(), opaque(op.getSource())}};
      })
      .Case([&](tensor::InsertSliceOp op) {
        return SmallVector<ElementRead>{
            {op.getSource(), opaque(op.getSource())},
            {op.getDest(), llvm::to_vector(idx)}};
      })
      .Case([&](tensor::ConcatOp op) {
        SmallVector<ElementRead> reads;
        for (Value input : op.getInputs())
          reads.push_back({input, opaque(input)});
        return reads;
      })
      .Case<arith::ConstantOp, tensor::EmptyOp, tensor::SplatOp,
            tensor::FromElementsOp>(
          [&](auto) { return SmallVector<ElementRead>{}; })
      .Default([&](Operation *) -> Reads { return failure(); });
}

} // namespace egg
