//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ReducedDims.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace mlir;
using namespace egg;

namespace {

/// A value that an argument's elements reach, and by its dimensions the
/// argument's that they come from.
struct Reached {
  Value value;
  SmallVector<llvm::SmallBitVector> origins;
};

class Search {
public:
  explicit Search(Value value)
      : rank(cast<RankedTensorType>(value.getType()).getRank()) {
    Reached start{value, {}};
    for (int64_t dim = 0; dim < rank; ++dim) {
      start.origins.emplace_back(rank);
      start.origins.back().set(dim);
    }
    pending.push_back(std::move(start));
  }

  llvm::SmallBitVector run();

private:
  /// The dimensions that a use reduces; none: the search goes on behind it.
  llvm::SmallBitVector visit(const Reached &from, OpOperand &use);
  llvm::SmallBitVector visitLinalg(const Reached &from, OpOperand &use);
  SmallVector<llvm::SmallBitVector>
  findOrigins(linalg::LinalgOp op, unsigned result,
              ArrayRef<llvm::SmallBitVector> byLoop) const;
  void add(Value value, SmallVector<llvm::SmallBitVector> origins) {
    if (seen.insert(value).second)
      pending.push_back({value, std::move(origins)});
  }

  int64_t rank;
  std::deque<Reached> pending;
  llvm::DenseSet<Value> seen;
};

} // namespace

/// Where the dimensions of a result come from, given where the loops do.
SmallVector<llvm::SmallBitVector>
Search::findOrigins(linalg::LinalgOp op, unsigned result,
                    ArrayRef<llvm::SmallBitVector> byLoop) const {
  SmallVector<llvm::SmallBitVector> origins;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  for (AffineExpr expression : map.getResults()) {
    origins.emplace_back(rank);
    for (auto [loop, from] : llvm::enumerate(byLoop))
      if (expression.isFunctionOfDim(unsigned(loop)))
        origins.back() |= from;
  }
  return origins;
}

/// What a reduction combines by; null if it is not that alone.
static Operation *getCombiner(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  return llvm::hasSingleElement(body.without_terminator()) ? &body.front()
                                                           : nullptr;
}

/// Where all that becomes of a reduction is reduced further in the same way,
/// the use that does it.
static OpOperand *getNextStage(linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || !op->hasOneUse())
    return nullptr;
  OpOperand &use = *op->getUses().begin();
  auto next = dyn_cast<linalg::LinalgOp>(use.getOwner());
  Operation *combiner = getCombiner(op);
  if (!next || !next.isDpsInput(&use) || !combiner)
    return nullptr;
  Operation *other = getCombiner(next);
  return other && other->getName() == combiner->getName() ? &use : nullptr;
}

llvm::SmallBitVector Search::visitLinalg(const Reached &from, OpOperand &use) {
  auto op = cast<linalg::LinalgOp>(use.getOwner());
  AffineMap map = op.getMatchingIndexingMap(&use);
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  llvm::SmallBitVector reduced(rank);
  SmallVector<llvm::SmallBitVector> byLoop(kinds.size(),
                                           llvm::SmallBitVector(rank));
  for (auto [dim, expression] : llvm::enumerate(map.getResults()))
    for (unsigned loop = 0; loop < kinds.size(); ++loop)
      if (expression.isFunctionOfDim(loop)) {
        byLoop[loop] |= from.origins[dim];
        if (kinds[loop] == utils::IteratorType::reduction)
          reduced |= from.origins[dim];
      }
  if (reduced.any()) {
    if (OpOperand *next = getNextStage(op))
      reduced |=
          visitLinalg({op->getResult(0), findOrigins(op, 0, byLoop)}, *next);
    return reduced;
  }
  for (auto [number, result] : llvm::enumerate(op->getResults()))
    add(result, findOrigins(op, unsigned(number), byLoop));
  return reduced;
}

/// Dimensions that are split or merged: each knows all of its group.
static SmallVector<llvm::SmallBitVector>
regroup(ArrayRef<llvm::SmallBitVector> origins,
        ArrayRef<ReassociationIndices> groups, bool collapses, int64_t rank) {
  SmallVector<llvm::SmallBitVector> result;
  for (auto [number, group] : llvm::enumerate(groups)) {
    if (!collapses) {
      result.append(group.size(), origins[number]);
      continue;
    }
    result.emplace_back(rank);
    for (int64_t dim : group)
      result.back() |= origins[dim];
  }
  return result;
}

llvm::SmallBitVector Search::visit(const Reached &from, OpOperand &use) {
  Operation *op = use.getOwner();
  llvm::SmallBitVector nothing(rank);
  if (isa<linalg::LinalgOp>(op))
    return visitLinalg(from, use);
  if (auto scan = dyn_cast<ScanOp>(op))
    return from.origins[scan.getDim()];
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    add(collapse, regroup(from.origins, collapse.getReassociationIndices(),
                          /*collapses=*/true, rank));
  else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    add(expand, regroup(from.origins, expand.getReassociationIndices(),
                        /*collapses=*/false, rank));
  else if (isa<tensor::PadOp, tensor::ExtractSliceOp, tensor::CastOp>(op) &&
           cast<RankedTensorType>(op->getResult(0).getType()).getRank() ==
               int64_t(from.origins.size()))
    add(op->getResult(0), from.origins);
  return nothing;
}

llvm::SmallBitVector Search::run() {
  for (; !pending.empty(); pending.pop_front()) {
    Reached from = pending.front();
    // Uses are listed latest first.
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : from.value.getUses())
      uses.push_back(&use);
    for (OpOperand *use : llvm::reverse(uses))
      if (llvm::SmallBitVector reduced = visit(from, *use); reduced.any())
        return reduced;
  }
  return llvm::SmallBitVector(rank);
}

llvm::SmallBitVector egg::findReducedDims(Value value) {
  return Search(value).run();
}
