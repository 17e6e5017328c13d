//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/AnchorMatching.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace egg {

Operation *matchCombiner(linalg::LinalgOp op, unsigned i) {
  Block *body = op.getBlock();
  BlockArgument accumulator =
      op.getMatchingBlockArgument(op.getDpsInitOperand(i));
  if (!accumulator.hasOneUse())
    return nullptr;
  Operation *combiner = *accumulator.getUsers().begin();
  if (combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
      body->getTerminator()->getOperand(i) != combiner->getResult(0) ||
      combiner->getOperand(0) == combiner->getOperand(1))
    return nullptr;
  return isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::MulIOp,
             arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp>(combiner)
             ? combiner
             : nullptr;
}

/// True if the value is the block argument, possibly widened.
static bool isWidened(Value value, BlockArgument arg) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp>(def))
      return false;
    value = def->getOperand(0);
  }
  return value == arg;
}

std::optional<ContractionInfo> matchContraction(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  Block *body = op.getBlock();
  BlockArgument acc = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return std::nullopt;
  Value product = add->getOperand(0) == acc   ? add->getOperand(1)
                  : add->getOperand(1) == acc ? add->getOperand(0)
                                              : Value();
  Operation *mul = product ? product.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(mul))
    return std::nullopt;
  BlockArgument a = body->getArgument(0), b = body->getArgument(1);
  Value l = mul->getOperand(0), r = mul->getOperand(1);
  if (!(isWidened(l, a) && isWidened(r, b)) &&
      !(isWidened(l, b) && isWidened(r, a)))
    return std::nullopt;

  AffineMap maps[2] = {op.getMatchingIndexingMap(op.getDpsInputOperand(0)),
                       op.getMatchingIndexingMap(op.getDpsInputOperand(1))};
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!out.isProjectedPermutation())
    return std::nullopt;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto types = op.getIteratorTypesArray();
  // The operand that owns the innermost result dim (one operand alone) is N.
  unsigned columnOperand = 1;
  for (AffineExpr expr : llvm::reverse(out.getResults())) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    bool in0 = maps[0].isFunctionOfDim(d), in1 = maps[1].isFunctionOfDim(d);
    if (in0 != in1) {
      columnOperand = in0 ? 0 : 1;
      break;
    }
  }
  ContractionInfo info;
  info.columnOperand = columnOperand;
  info.rowOperand = 1 - columnOperand;
  for (auto [d, type] : llvm::enumerate(types)) {
    if (type == utils::IteratorType::reduction) {
      info.reductionDims.push_back(d);
      info.k *= extents[d];
      continue;
    }
    bool inRow = maps[info.rowOperand].isFunctionOfDim(d);
    bool inColumn = maps[info.columnOperand].isFunctionOfDim(d);
    if (inRow && inColumn) {
      info.batchDims.push_back(d);
      info.batch *= extents[d];
    } else if (inRow) {
      info.rowDims.push_back(d);
      info.m *= extents[d];
    } else if (inColumn) {
      info.columnDims.push_back(d);
      info.n *= extents[d];
    } else {
      return std::nullopt;
    }
  }
  return info;
}

} // namespace egg
