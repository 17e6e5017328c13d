//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions computed in parts: index semantics, combiners and their flags.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;

namespace egg {

static bool isAssociative(Operation *op) {
  return isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::MinimumFOp,
             arith::MaximumFOp, arith::MinNumFOp, arith::MaxNumFOp,
             arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
      op);
}

SmallVector<Operation *> findCombiners(linalg::LinalgOp op, std::string &why) {
  SmallVector<Operation *> combiners;
  auto accumulators = llvm::to_vector(op.getRegionOutputArgs());
  for (auto [i, accumulator] : llvm::enumerate(accumulators)) {
    SmallVector<Operation *> chain;
    if (!matchReduction(accumulators, i, chain) || chain.size() != 1) {
      why = ("result " + Twine(i) +
             " is not combined with its accumulator by one single op")
                .str();
      return {};
    }
    Operation *combiner = chain.front();
    Value yielded = op.getBlock()->getTerminator()->getOperand(i);
    if (!isAssociative(combiner)) {
      why = ("result " + Twine(i) + " is combined by " +
             combiner->getName().getStringRef() +
             ", which is not known to be associative")
                .str();
      return {};
    }
    if (!accumulator.hasOneUse() || yielded != combiner->getResult(0)) {
      why = ("the accumulator of result " + Twine(i) +
             " is used for more than the combining")
                .str();
      return {};
    }
    combiners.push_back(combiner);
  }
  return combiners;
}

/// A flag of the combiner that partial results may not honour.
static StringRef findUnsafeFlag(Operation *combiner) {
  if (auto overflow =
          dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(combiner)) {
    if (overflow.hasNoSignedWrap())
      return "nsw";
    if (overflow.hasNoUnsignedWrap())
      return "nuw";
  }
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(combiner)) {
    arith::FastMathFlags flags = fast.getFastMathFlagsAttr().getValue();
    if (bitEnumContainsAny(flags, arith::FastMathFlags::nnan))
      return "nnan";
    if (bitEnumContainsAny(flags, arith::FastMathFlags::ninf))
      return "ninf";
  }
  return "";
}

/// Reduces of `op` in parts, along the loops that `isCut` holds for.
static void checkParts(linalg::LinalgOp op, function_ref<bool(int64_t)> isCut,
                       Findings &findings) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (extents.empty()) {
    findings.refuse(op, "its payload has no loops (rank 0), so there is no "
                        "reduction; leave it as it is");
    return;
  }
  for (auto [i, extent] : llvm::enumerate(extents))
    if (extent == 0) {
      findings.refuse(op, "loop " + Twine(i) +
                              " of its payload has extent 0; its result is its "
                              "init, so use that instead");
      return;
    }
  WalkResult walk = op.getBlock()->walk([&](linalg::IndexOp index) {
    if (!isCut(index.getDim()))
      return WalkResult::advance();
    findings.refuse(op, "its body reads linalg.index " + Twine(index.getDim()) +
                            ", which would count within a part instead of the "
                            "whole; pass the index as a tensor, or keep the "
                            "reduction in one piece");
    return WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return;
  std::string why;
  SmallVector<Operation *> combiners = findCombiners(op, why);
  if (!why.empty()) {
    findings.refuse(op, why + ", so parts of it cannot be put together; keep "
                              "the reduction in one piece");
    return;
  }
  for (Operation *combiner : combiners) {
    if (StringRef flag = findUnsafeFlag(combiner); !flag.empty()) {
      findings.refuse(op, "its " + combiner->getName().getStringRef().str() +
                              " promises " + flag.str() +
                              " for the sums in the given order, which partial "
                              "results need not keep (poison); drop the flag");
      return;
    }
    if (!arith::getNeutralElement(combiner)) {
      findings.refuse(op, "its " + combiner->getName().getStringRef().str() +
                              " has no neutral element to start a part with; "
                              "keep the reduction in one piece");
      return;
    }
  }
}

void checkSplitReduction(transform::TransformOpInterface op,
                         transform::TransformState &state, Findings &findings) {
  auto split = cast<transform::SplitReductionOp>(op.getOperation());
  for (Operation *payload : state.getPayloadOps(split.getTarget())) {
    auto reduction = dyn_cast<linalg::LinalgOp>(payload);
    if (!reduction)
      continue;
    if (int64_t(split.getSplitFactor()) <= 0) {
      findings.refuse(payload, "split_factor " +
                                   Twine(int64_t(split.getSplitFactor())) +
                                   " makes no parts; give it 2 or more");
      continue;
    }
    // The new dimension shifts the numbers of the others.
    checkParts(reduction, [](int64_t) { return true; }, findings);
  }
}

static void checkTiledReduction(Value target, ArrayRef<int64_t> sizes,
                                transform::TransformState &state,
                                Findings &findings) {
  for (Operation *payload : state.getPayloadOps(target)) {
    auto bad = llvm::find_if(sizes, [](int64_t size) { return size < 0; });
    if (bad != sizes.end()) {
      findings.refuse(payload, "size " + Twine(*bad) +
                                   " is negative; sizes are 0 (leave the loop "
                                   "whole) or more");
      continue;
    }
    if (auto reduction = dyn_cast<linalg::LinalgOp>(payload))
      checkParts(
          reduction,
          [&](int64_t loop) {
            return loop < int64_t(sizes.size()) && sizes[loop] != 0;
          },
          findings);
    else
      findings.leaveOpen(payload,
                         "whether its partial results combine is known "
                         "only to the op; verify the result");
  }
}

void checkTileReductionUsingFor(transform::TransformOpInterface op,
                                transform::TransformState &state,
                                Findings &findings) {
  auto tile = cast<transform::TileReductionUsingForOp>(op.getOperation());
  SmallVector<int64_t> sizes;
  for (Attribute size : tile.getTileSizes())
    sizes.push_back(cast<IntegerAttr>(size).getInt());
  checkTiledReduction(tile.getTarget(), sizes, state, findings);
}

void checkTileReductionUsingForall(transform::TransformOpInterface op,
                                   transform::TransformState &state,
                                   Findings &findings) {
  auto tile = cast<transform::TileReductionUsingForallOp>(op.getOperation());
  // Both lists count loops; where both are given, either may be negative.
  SmallVector<int64_t> sizes(
      std::max(tile.getTileSizes().size(), tile.getNumThreads().size()), 0);
  for (ArrayRef<int64_t> given : {tile.getTileSizes(), tile.getNumThreads()})
    for (auto [i, size] : llvm::enumerate(given))
      if (size != 0 && sizes[i] >= 0)
        sizes[i] = size;
  checkTiledReduction(tile.getTarget(), sizes, state, findings);
}

} // namespace egg
