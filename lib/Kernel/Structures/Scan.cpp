//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The scan structure: a block walks one line of the scanned dimension in
// chunks. A thread scans a few neighbouring elements, the warp scans the
// threads' totals by shuffles, the block the warps' totals in shared memory,
// and a carry goes from chunk to chunk.
//
//===----------------------------------------------------------------------===//
#include "GroupReduce.h"
#include "KernelBuilder.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace egg {

namespace {

class ScanEmitter {
public:
  explicit ScanEmitter(KernelBuilder &kb)
      : kb(kb), b(kb.b), loc(kb.loc),
        op(cast<ScanOp>(kb.analysis.anchors.front().op)),
        extents(extentsOf(op.getInput())), length(extents[op.getDim()]),
        type(KernelBuilder::elementType(op.getInput())) {}

  LogicalResult run();

private:
  Value combine(Value lhs, Value rhs) {
    return op.buildCombine(b, loc, lhs, rhs);
  }
  Value neutral() {
    return arith::ConstantOp::create(b, loc, op.getNeutralElement());
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  /// The point of the line at scan position p, counted in scan direction.
  SmallVector<AffineExpr> pointAt(AffineExpr position);
  FailureOr<SmallVector<Value>> loadItems(AffineExpr firstStep);
  FailureOr<Value> emitChunk(AffineExpr chunk, Value carry);
  /// Combination of the totals of all threads before this one, and of all.
  std::pair<Value, Value> scanThreads(Value total);
  LogicalResult storeItem(AffineExpr position, Value value);

  KernelBuilder &kb;
  OpBuilder &b;
  Location loc;
  ScanOp op;
  ArrayRef<int64_t> extents;
  int64_t length;
  Type type;
  SmallVector<AffineExpr> line;
  Value totals;
};

SmallVector<AffineExpr> ScanEmitter::pointAt(AffineExpr position) {
  SmallVector<AffineExpr> point = line;
  point[op.getDim()] =
      kb.space.simplify(op.getReverse() ? (length - 1) - position : position);
  return point;
}

FailureOr<SmallVector<Value>> ScanEmitter::loadItems(AffineExpr first) {
  SmallVector<Value> items;
  for (int64_t i = 0; i < kb.config.itemsPerThread; ++i) {
    AffineExpr position = kb.space.simplify(first + i);
    if (kb.space.range(position).hi < length) {
      auto lanes = kb.emitter.evaluate(op.getInput(), pointAt(position));
      if (failed(lanes))
        return failure();
      items.push_back(lanes->front());
      continue;
    }
    Value number = kb.emitter.emitIndex(position);
    auto ifOp = scf::IfOp::create(b, loc, TypeRange{type},
                                  kb.isBelow(number, length), true);
    OpBuilder::InsertionGuard guard(b);
    {
      ElementEmitter::Scope scope(kb.emitter);
      b.setInsertionPointToStart(ifOp.thenBlock());
      auto lanes = kb.emitter.evaluate(
          op.getInput(), pointAt(kb.space.addDim(length, number)));
      if (failed(lanes))
        return failure();
      scf::YieldOp::create(b, loc, lanes->front());
    }
    b.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(b, loc, neutral());
    items.push_back(ifOp.getResult(0));
  }
  return items;
}

std::pair<Value, Value> ScanEmitter::scanThreads(Value total) {
  AffineExpr lane = kb.space.simplify(kb.thread % 32);
  Value laneValue = kb.emitter.emitIndex(lane);
  Value inclusive = total;
  for (int64_t offset = 1; offset < 32; offset *= 2) {
    Value before = shuffle(b, loc, inclusive, offset, gpu::ShuffleMode::UP);
    Value isFirst = kb.isBelow(laneValue, offset);
    inclusive = select(isFirst, inclusive, combine(before, inclusive));
  }
  Value before = shuffle(b, loc, inclusive, 1, gpu::ShuffleMode::UP);
  Value exclusive = select(kb.isBelow(laneValue, 1), neutral(), before);

  int64_t warps = kb.threads / 32;
  Value warp = kb.emitter.emitIndex(kb.space.simplify(kb.thread.floorDiv(32)));
  Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                       laneValue, kb.integer(31));
  auto ifOp = scf::IfOp::create(b, loc, isLast);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    memref::StoreOp::create(b, loc, inclusive, totals,
                            kb.emitter.toIndex(warp));
  }
  kb.barrier();
  Value beforeWarp = neutral(), all;
  for (int64_t w = 0; w < warps; ++w) {
    Value at = kb.emitter.toIndex(kb.integer(w));
    Value value = memref::LoadOp::create(b, loc, totals, at);
    all = all ? combine(all, value) : value;
    Value isBefore = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                           warp, kb.integer(w));
    beforeWarp = select(isBefore, all, beforeWarp);
  }
  // The next chunk overwrites the totals.
  kb.barrier();
  return {combine(beforeWarp, exclusive), all};
}

LogicalResult ScanEmitter::storeItem(AffineExpr position, Value value) {
  OpBuilder::InsertionGuard guard(b);
  ElementEmitter::Scope scope(kb.emitter);
  if (kb.space.range(position).hi >= length) {
    Value number = kb.emitter.emitIndex(position);
    auto ifOp = scf::IfOp::create(b, loc, kb.isBelow(number, length));
    b.setInsertionPointToStart(ifOp.thenBlock());
    position = kb.space.addDim(length, number);
  }
  kb.emitter.bindAnchor(op.getResult(), Lanes{value});
  AffineExpr row = kb.space.linearize(pointAt(position), extents);
  for (unsigned i = 0, e = kb.kernel.getNumResults(); i < e; ++i)
    if (failed(kb.storeResult(i, row, kb.space.constant(0))))
      return failure();
  return success();
}

FailureOr<Value> ScanEmitter::emitChunk(AffineExpr chunk, Value carry) {
  int64_t items = kb.config.itemsPerThread;
  AffineExpr first =
      kb.space.simplify(chunk * (kb.threads * items) + kb.thread * items);
  auto values = loadItems(first);
  if (failed(values))
    return failure();
  SmallVector<Value> inclusive;
  for (Value value : *values)
    inclusive.push_back(inclusive.empty() ? value
                                          : combine(inclusive.back(), value));
  auto [before, all] = scanThreads(inclusive.back());
  Value start = combine(carry, before);
  for (int64_t i = 0; i < items; ++i) {
    Value value = op.getExclusive()
                      ? (i == 0 ? start : combine(start, inclusive[i - 1]))
                      : combine(start, inclusive[i]);
    if (failed(storeItem(kb.space.simplify(first + i), value)))
      return failure();
  }
  return combine(carry, all);
}

LogicalResult ScanEmitter::run() {
  int64_t items = kb.config.itemsPerThread;
  if (kb.config.threads % 32 != 0 || kb.config.threads < 32 ||
      kb.config.threads > 1024 || items < 1)
    return kb.fail("a scan needs 32 to 1024 threads, a multiple of 32, and at "
                   "least one item a thread");
  kb.threads = kb.config.threads;
  kb.blocks = kb.analysis.rows / std::max<int64_t>(length, 1);
  kb.createIds();
  SmallVector<int64_t> lineExtents(extents);
  lineExtents[op.getDim()] = 1;
  line = kb.space.delinearize(kb.block, lineExtents);
  totals = kb.sharedBuffer(kb.threads / 32, type);
  int64_t chunks = llvm::divideCeil(length, kb.threads * items);
  auto forOp = scf::ForOp::create(b, loc, kb.integer(0), kb.integer(chunks),
                                  kb.integer(1), neutral());
  OpBuilder::InsertionGuard guard(b);
  ElementEmitter::Scope scope(kb.emitter);
  b.setInsertionPointToStart(forOp.getBody());
  auto carry = emitChunk(kb.space.addDim(chunks, forOp.getInductionVar()),
                         forOp.getRegionIterArg(0));
  if (failed(carry))
    return failure();
  scf::YieldOp::create(b, loc, *carry);
  return success();
}

} // namespace

LogicalResult emitScan(KernelBuilder &kb) {
  if (!isa<ScanOp>(kb.analysis.anchors.front().op))
    return kb.fail("the scan structure needs an egg.scan");
  return ScanEmitter(kb).run();
}

} // namespace egg
