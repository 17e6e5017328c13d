//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loops whose iterations change places: with those of another loop, or with
// each other.
//
//===----------------------------------------------------------------------===//
#include "Accesses.h"
#include "Checks.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace egg {

static std::optional<ValueRange> getIndices(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getIndices();
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getIndices();
  return std::nullopt;
}

static SmallVector<Value> getInductionVars(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return {};
  return loop.getLoopInductionVars().value_or(SmallVector<Value>());
}

/// Whether `x` in iteration `a` of its loop touches what `y` touches in the
/// equal iteration `b` of its own, and no other iteration touches it.
static bool isSameElement(const Access &x, ArrayRef<Value> a, const Access &y,
                          ArrayRef<Value> b) {
  std::optional<ValueRange> first = getIndices(x.op), second = getIndices(y.op);
  if (!first || !second || first->size() != second->size() || a.empty() ||
      a.size() != b.size())
    return false;
  SmallVector<bool> isUsed(a.size(), false);
  for (auto [i, j] : llvm::zip(*first, *second)) {
    const Value *found = llvm::find(a, i);
    if (found != a.end()) {
      if (b[found - a.begin()] != j)
        return false;
      isUsed[found - a.begin()] = true;
      continue;
    }
    APInt c, d;
    if (i != j && !(matchPattern(i, m_ConstantInt(&c)) &&
                    matchPattern(j, m_ConstantInt(&d)) && c == d))
      return false;
  }
  return llvm::all_of(isUsed, [](bool used) { return used; });
}

/// Refuses `payload` if an iteration of `first` touches what another iteration
/// of `second` writes, or the other way round.
static void checkIndependent(Operation *first, Operation *second,
                             Operation *payload, StringRef what,
                             Findings &findings) {
  SmallVector<Access> ofFirst, ofSecond;
  collectAccesses(first, ofFirst);
  collectAccesses(second, ofSecond);
  SmallVector<Value> a = getInductionVars(first), b = getInductionVars(second);
  bool isOpen = false;
  for (const Access &x : ofFirst)
    for (const Access &y : ofSecond) {
      if (!x.isWrite && !y.isWrite)
        continue;
      if (!x.buffer || !y.buffer) {
        isOpen = true;
        continue;
      }
      if (x.buffer != y.buffer || isSameElement(x, a, y, b))
        continue;
      findings.refuse(payload, what + "; keep the loops as they are");
      return;
    }
  if (isOpen)
    findings.leaveOpen(payload, "it holds operations of which nothing says "
                                "what memory they touch; verify the result");
}

void checkFuseSibling(transform::TransformOpInterface op,
                      transform::TransformState &state, Findings &findings) {
  auto fuse = cast<transform::LoopFuseSiblingOp>(op.getOperation());
  for (Operation *target : state.getPayloadOps(fuse.getTarget()))
    for (Operation *source : state.getPayloadOps(fuse.getSource()))
      checkIndependent(target, source, source,
                       "one loop writes a buffer that the other reads or "
                       "writes at other elements, and in one loop an iteration "
                       "would come before what it needs",
                       findings);
}

void checkOverlap(transform::TransformOpInterface op,
                  transform::TransformState &state, Findings &findings) {
  for (Operation *loop : state.getPayloadOps(op->getOperand(0))) {
    if (auto interval = op->getAttrOfType<IntegerAttr>("iteration_interval");
        interval && interval.getInt() <= 0) {
      findings.refuse(loop, "iteration_interval " + Twine(interval.getInt()) +
                                " is none, and upstream divides by it; give "
                                "it 1 or more");
      continue;
    }
    checkIndependent(loop, loop, loop,
                     "the loop writes a buffer that other iterations of it "
                     "read or write, and iterations would overlap",
                     findings);
  }
}

void checkReductionOrder(Operation *payload,
                         ArrayRef<std::optional<int64_t>> sizes,
                         ArrayRef<int64_t> order, Findings &findings) {
  auto op = dyn_cast<linalg::LinalgOp>(payload);
  if (!op)
    return;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<int64_t> reductions, permuted;
  bool changes = false;
  for (auto [i, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::reduction)
      continue;
    reductions.push_back(i);
    std::optional<int64_t> size = i < sizes.size() ? sizes[i] : 0;
    bool isCut = !size || (*size != 0 && (ShapedType::isDynamic(extents[i]) ||
                                          *size < extents[i]));
    // Tiles of an inner loop come before the iterations of an outer one.
    changes |= isCut && reductions.size() > 1;
  }
  for (int64_t loop : order)
    if (llvm::is_contained(reductions, loop))
      permuted.push_back(loop);
  std::string why;
  if ((changes || !llvm::is_sorted(permuted)) && findCombiners(op, why).empty())
    findings.refuse(payload, "it changes the order of its reductions, and " +
                                 why +
                                 "; cut the outermost reduction only, and keep "
                                 "their order");
}

void checkInterchange(transform::TransformOpInterface op,
                      transform::TransformState &state, Findings &findings) {
  auto change = cast<transform::InterchangeOp>(op.getOperation());
  for (Operation *payload : state.getPayloadOps(change.getTarget()))
    checkReductionOrder(payload, {}, change.getIteratorInterchange(), findings);
}

} // namespace egg
