//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Extents that are indexed by computed values: they stay as large as the
// indices need.
//
//===----------------------------------------------------------------------===//
#include "PayloadDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace egg;

/// The largest of the indices where they are those of a constant tensor, none
/// of them negative, perhaps with PyTorch's wrap of negative ones around it.
static std::optional<int64_t> getLargestIndex(Value index) {
  while (Operation *op = index.getDefiningOp()) {
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
      if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt ||
          compare.getLhs() != select.getFalseValue() ||
          getConstantIntValue(compare.getRhs()) != 0)
        return std::nullopt;
      index = select.getFalseValue();
    } else if (isa<arith::IndexCastOp, arith::ExtSIOp>(op)) {
      index = op->getOperand(0);
    } else {
      return std::nullopt;
    }
  }
  auto argument = cast<BlockArgument>(index);
  auto parent = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
  DenseIntElementsAttr indices;
  if (!parent || !matchPattern(parent->getOperand(argument.getArgNumber()),
                               m_Constant(&indices)))
    return std::nullopt;
  int64_t largest = 0;
  for (const APInt &value : indices) {
    if (value.isNegative())
      return std::nullopt;
    largest = std::max(largest, value.getSExtValue());
  }
  return largest;
}

/// Fixes every loop whose index the value is computed from; true if there is
/// one, or if the value comes from a constant tensor.
bool PayloadDims::fixIndexSources(Value value,
                                  llvm::SmallPtrSetImpl<void *> &seen) {
  if (!getElementTypeOrSelf(value.getType()).isIntOrIndex() ||
      !seen.insert(value.getAsOpaquePointer()).second)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto parent =
        dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
    return parent &&
           fixIndexSources(parent->getOperand(argument.getArgNumber()), seen);
  }
  Operation *op = value.getDefiningOp();
  if (isa<RankedTensorType>(value.getType()) &&
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    system.fix(loopNests[nestOf.lookup(index->getParentOp())][index.getDim()]);
    return true;
  }
  bool found = false;
  for (Value operand : op->getOperands())
    found |= fixIndexSources(operand, seen);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    found |= fixIndexSources(linalgOp.getBlock()->getTerminator()->getOperand(
                                 cast<OpResult>(value).getResultNumber()),
                             seen);
  return found;
}

void PayloadDims::collectExtracts(linalg::LinalgOp op, const Vars &loops) {
  op->walk([&](tensor::ExtractOp extract) {
    Vars source = dims(extract.getTensor());
    for (auto [extent, index] : llvm::zip_equal(source, extract.getIndices())) {
      if (auto loop = index.getDefiningOp<linalg::IndexOp>()) {
        DimSystem::Var range = loops[loop.getDim()];
        if (system.getOriginal(range) == system.getOriginal(extent))
          system.unite(range, extent);
        else
          system.boundSum({{1, extent}, {-1, range}}, 0);
        continue;
      }
      if (auto constant = getConstantIntValue(index)) {
        system.bound(extent, *constant + 1);
        positions.push_back({extent, {}, *constant});
        continue;
      }
      if (std::optional<int64_t> largest = getLargestIndex(index)) {
        system.bound(extent, *largest + 1);
        positions.push_back({extent, {}, *largest});
        continue;
      }
      // An index that comes from data is chosen to fit; one that is computed
      // from loop indices or from constants is not.
      llvm::SmallPtrSet<void *, 16> seen;
      if (fixIndexSources(index, seen))
        system.fix(extent);
    }
  });
}
