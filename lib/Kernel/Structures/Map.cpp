//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The map structure: a thread computes a few neighbouring elements of each
// result; as many threads as it takes, no loop.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace egg {

/// Lanes pay only if the large operands are read contiguously along them: a
/// transposed read is better spread over the threads of a warp.
static int64_t chooseWidth(KernelBuilder &kb, unsigned i) {
  int64_t elements = kb.analysis.results[i].rows;
  for (int64_t width = kb.resultWidth(elements); width > 1; width /= 2) {
    AffineExpr lane = kb.space.addDim(width);
    AffineExpr group = kb.space.addDim(elements / width);
    auto idx = kb.resultIndex(i, group * width + lane, kb.space.constant(0));
    if (kb.emitter.readsContiguously(kb.result(i), idx, lane, elements / 4))
      return width;
  }
  return 1;
}

LogicalResult emitMap(KernelBuilder &kb) {
  unsigned count = kb.kernel.getNumResults();
  SmallVector<int64_t> widths, groups;
  int64_t most = 1;
  for (unsigned i = 0; i < count; ++i) {
    widths.push_back(chooseWidth(kb, i));
    groups.push_back(kb.analysis.results[i].rows / widths.back());
    most = std::max(most, groups.back());
  }
  kb.threads = kb.config.threads;
  kb.blocks = llvm::divideCeil(most, kb.threads);
  kb.createIds();
  AffineExpr item = kb.block * kb.threads + kb.thread;
  Value itemValue = kb.emitter.emitIndex(item);
  for (unsigned i = 0; i < count; ++i) {
    AffineExpr lane = kb.space.addDim(widths[i]);
    kb.emitter.setLane(lane, widths[i]);
    auto body = [&](AffineExpr group) {
      return kb.storeResult(i, group * widths[i] + lane, kb.space.constant(0));
    };
    if (groups[i] == kb.threads * kb.blocks) {
      if (failed(body(item)))
        return failure();
      continue;
    }
    auto ifOp =
        scf::IfOp::create(kb.b, kb.loc, kb.isBelow(itemValue, groups[i]));
    OpBuilder::InsertionGuard guard(kb.b);
    kb.b.setInsertionPointToStart(ifOp.thenBlock());
    ElementEmitter::Scope scope(kb.emitter);
    if (failed(body(kb.space.addDim(groups[i], itemValue))))
      return failure();
  }
  return success();
}

} // namespace egg
