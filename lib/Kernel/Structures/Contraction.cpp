//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The contraction structure: a block computes a tile of the output. Tiles of
// both operands go through shared memory, K-major; each thread accumulates a
// small block of the tile in registers, and the consumers of the result are
// evaluated on those registers.
//
//===----------------------------------------------------------------------===//
#include "ContractionTiles.h"
#include "GroupReduce.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace egg {

namespace {

class ContractionEmitter {
public:
  explicit ContractionEmitter(KernelBuilder &kb)
      : kb(kb), b(kb.b), loc(kb.loc), t(kb) {}

  LogicalResult run();

private:
  LogicalResult runSingle(int64_t steps, SmallVector<Value> &acc);
  LogicalResult runDouble(int64_t steps, SmallVector<Value> &acc);
  /// Accumulates the product of the tiles in buffers number stage.
  SmallVector<Value> multiplyTiles(ArrayRef<Value> accumulators,
                                   AffineExpr stage);
  LogicalResult storeTile(ArrayRef<Value> accumulators);
  /// Stores the results of row i and column group j of the thread's share.
  LogicalResult storeGroup(int64_t i, int64_t j, Value vector);
  /// Evaluates and stores the results at a point (or at lanes along n).
  LogicalResult storePoint(AffineExpr m, AffineExpr n, Lanes lanes);

  KernelBuilder &kb;
  OpBuilder &b;
  Location loc;
  ContractionTiles t;
};

SmallVector<Value>
ContractionEmitter::multiplyTiles(ArrayRef<Value> accumulators,
                                  AffineExpr stage) {
  SmallVector<Value> acc(accumulators);
  auto rowType = VectorType::get({t.row.group}, t.type);
  auto columnType = VectorType::get({t.column.group}, t.type);
  int64_t columnGroups = t.column.perThread / t.column.group;
  for (int64_t k = 0; k < kb.config.tileK; ++k) {
    auto loadGroups = [&](Side &side, VectorType vectorType) {
      SmallVector<Value> result;
      for (int64_t i = 0; i < side.perThread; i += side.group) {
        Value at = kb.emitter.toIndex(kb.emitter.emitIndex(
            kb.space.simplify(side.element(i, kb.space) + k * side.pitch +
                              stage * (kb.config.tileK * side.pitch))));
        result.push_back(
            vector::LoadOp::create(b, loc, vectorType, side.buffer, at));
      }
      return result;
    };
    SmallVector<Value> rows = loadGroups(t.row, rowType);
    SmallVector<Value> columns = loadGroups(t.column, columnType);
    for (int64_t i = 0; i < t.row.perThread; ++i) {
      Value a = vector::ExtractOp::create(b, loc, rows[i / t.row.group],
                                          i % t.row.group);
      Value splat = vector::BroadcastOp::create(b, loc, columnType, a);
      for (int64_t j = 0; j < columnGroups; ++j) {
        Value &c = acc[i * columnGroups + j];
        if (isa<FloatType>(t.type)) {
          c = vector::FMAOp::create(b, loc, splat, columns[j], c);
        } else {
          Value product = arith::MulIOp::create(b, loc, splat, columns[j]);
          c = arith::AddIOp::create(b, loc, c, product);
        }
      }
    }
  }
  return acc;
}

LogicalResult ContractionEmitter::storePoint(AffineExpr m, AffineExpr n,
                                             Lanes lanes) {
  AffineExpr zero = kb.space.constant(0);
  auto loops = t.loopsAt(m, n, zero);
  OpOperand *init = t.op.getDpsInitOperand(0);
  auto start = kb.emitter.evaluate(
      init->get(),
      applyMap(t.op.getMatchingIndexingMap(init), loops, kb.space));
  if (failed(start))
    return failure();
  for (auto [l, value] : llvm::enumerate(lanes)) {
    Value from = start->size() == 1 ? start->front() : (*start)[l];
    Operation *add =
        t.op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
    // A sum that starts at zero stays as it is.
    if (!matchPattern(from, m_AnyZeroFloat()) && !matchPattern(from, m_Zero()))
      value = applyCombiner(b, add, from, value);
  }
  kb.emitter.bindAnchor(t.op->getResult(0), lanes);
  SmallVector<AffineExpr> parallel;
  for (unsigned d : kb.analysis.anchors.front().parallelDims)
    parallel.push_back(loops[d]);
  AffineExpr rowNumber =
      kb.space.linearize(parallel, kb.analysis.anchors.front().parallelExtents);
  for (unsigned r = 0, e = kb.kernel.getNumResults(); r < e; ++r)
    if (failed(kb.storeResult(r, rowNumber, zero)))
      return failure();
  return success();
}

LogicalResult ContractionEmitter::storeGroup(int64_t i, int64_t j,
                                             Value vector) {
  AffineExpr lane = kb.space.addDim(t.column.group);
  AffineExpr zero = kb.space.constant(0);
  AffineExpr m = kb.space.simplify(t.row.origin + t.row.element(i, kb.space));
  AffineExpr n = kb.space.simplify(
      t.column.origin + t.column.element(j * t.column.group, kb.space));
  int64_t width = t.column.group;
  bool lanesTogether = t.info.n % width == 0;

  // Stores inside the bounds test.
  auto guarded = [&](AffineExpr nBase, int64_t step, Lanes lanes,
                     AffineExpr laneExpr) -> LogicalResult {
    OpBuilder::InsertionGuard guard(b);
    ElementEmitter::Scope scope(kb.emitter);
    AffineExpr mm = m, nn = nBase;
    if (Value test = t.inside({{m, t.info.m}, {nBase, t.info.n}})) {
      auto ifOp = scf::IfOp::create(b, loc, test);
      b.setInsertionPointToStart(ifOp.thenBlock());
      if (kb.space.range(m).hi >= t.info.m)
        mm = kb.space.addDim(t.info.m, kb.emitter.emitIndex(m));
      if (kb.space.range(nBase).hi >= t.info.n)
        nn = kb.space.addDim(t.info.n / step,
                             kb.emitter.emitIndex(
                                 kb.space.simplify(nBase.floorDiv(step)))) *
             step;
    }
    return storePoint(mm, kb.space.simplify(nn + laneExpr), std::move(lanes));
  };

  Lanes values;
  for (int64_t l = 0; l < width; ++l)
    values.push_back(vector::ExtractOp::create(b, loc, vector, l));
  if (lanesTogether) {
    kb.emitter.setLane(lane, width);
    LogicalResult result = guarded(n, width, values, width > 1 ? lane : zero);
    kb.emitter.setLane(lane, 1);
    return result;
  }
  for (int64_t l = 0; l < width; ++l)
    if (failed(guarded(kb.space.simplify(n + l), 1, Lanes{values[l]}, zero)))
      return failure();
  return success();
}

LogicalResult ContractionEmitter::storeTile(ArrayRef<Value> accumulators) {
  int64_t columnGroups = t.column.perThread / t.column.group;
  for (int64_t i = 0; i < t.row.perThread; ++i)
    for (int64_t j = 0; j < columnGroups; ++j)
      if (failed(storeGroup(i, j, accumulators[i * columnGroups + j])))
        return failure();
  return success();
}

LogicalResult ContractionEmitter::run() {
  if (failed(t.setUp()))
    return failure();
  auto vectorType = VectorType::get({t.column.group}, t.type);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType));
  SmallVector<Value> acc(
      t.row.perThread * (t.column.perThread / t.column.group), zero);
  int64_t steps = llvm::divideCeil(t.info.k, kb.config.tileK);
  LogicalResult done = kb.config.stages == 1 || steps == 1
                           ? runSingle(steps, acc)
                           : runDouble(steps, acc);
  if (failed(done))
    return failure();
  return storeTile(acc);
}

/// One buffer: load, barrier, multiply, barrier.
LogicalResult ContractionEmitter::runSingle(int64_t steps,
                                            SmallVector<Value> &acc) {
  AffineExpr zero = kb.space.constant(0);
  auto forOp = scf::ForOp::create(b, loc, kb.integer(0), kb.integer(steps),
                                  kb.integer(1), acc);
  OpBuilder::InsertionGuard guard(b);
  ElementEmitter::Scope scope(kb.emitter);
  b.setInsertionPointToStart(forOp.getBody());
  AffineExpr step = kb.space.addDim(steps, forOp.getInductionVar());
  if (failed(t.copyTiles(step, zero, []() {})))
    return failure();
  kb.barrier();
  SmallVector<Value> args(forOp.getRegionIterArgs());
  SmallVector<Value> next = multiplyTiles(args, zero);
  kb.barrier();
  scf::YieldOp::create(b, loc, next);
  acc = SmallVector<Value>(forOp.getResults());
  return success();
}

/// Two buffers: the next tile is on its way to registers while this one is
/// multiplied, and goes to the buffer that nobody reads any more.
LogicalResult ContractionEmitter::runDouble(int64_t steps,
                                            SmallVector<Value> &acc) {
  AffineExpr zero = kb.space.constant(0);
  {
    ElementEmitter::Scope scope(kb.emitter);
    if (failed(t.copyTiles(zero, zero, []() {})))
      return failure();
  }
  kb.barrier();
  auto forOp = scf::ForOp::create(b, loc, kb.integer(0), kb.integer(steps - 1),
                                  kb.integer(1), acc);
  {
    OpBuilder::InsertionGuard guard(b);
    ElementEmitter::Scope scope(kb.emitter);
    b.setInsertionPointToStart(forOp.getBody());
    AffineExpr step = kb.space.addDim(steps - 1, forOp.getInductionVar());
    SmallVector<Value> args(forOp.getRegionIterArgs()), next;
    if (failed(t.copyTiles(step + 1, (step + 1) % 2,
                           [&]() { next = multiplyTiles(args, step % 2); })))
      return failure();
    kb.barrier();
    scf::YieldOp::create(b, loc, next);
  }
  acc = multiplyTiles(SmallVector<Value>(forOp.getResults()),
                      kb.space.constant((steps - 1) % 2));
  return success();
}

} // namespace

LogicalResult emitContraction(KernelBuilder &kb) {
  return ContractionEmitter(kb).run();
}

} // namespace egg
