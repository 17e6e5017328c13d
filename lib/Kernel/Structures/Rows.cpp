//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rows structure: a group of threads works on one row. Every reduction of
// the row is finished, in order, before anything that needs it is evaluated.
//
//===----------------------------------------------------------------------===//
#include "GroupReduce.h"
#include "KernelBuilder.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace egg {

namespace {

/// Sums of more columns than this are formed in levels of at most so many
/// steps.
constexpr int64_t kLongSum = 256, kLevelSteps = 64;

class RowsEmitter {
public:
  explicit RowsEmitter(KernelBuilder &kb)
      : kb(kb), b(kb.b), loc(kb.loc), group(kb.config.threadsPerRow) {}

  LogicalResult run();

private:
  LogicalResult emitRow();
  LogicalResult reduce(const AnchorInfo &anchor);
  FailureOr<SmallVector<Value>> reduceAlone(linalg::LinalgOp op,
                                            const AnchorInfo &anchor,
                                            SmallVector<AffineExpr> &loops,
                                            ArrayRef<Value> inits, size_t dim);
  FailureOr<SmallVector<Value>> reduceTogether(linalg::LinalgOp op,
                                               const AnchorInfo &anchor,
                                               SmallVector<AffineExpr> &loops,
                                               ArrayRef<Value> inits);
  using LoopBody =
      function_ref<FailureOr<SmallVector<Value>>(Value, ArrayRef<Value>)>;
  /// A loop over [from, to) with a step; longest is the most iterations of any
  /// thread. Long float sums are split in two levels.
  FailureOr<SmallVector<Value>> loop(const AnchorInfo &anchor, Value from,
                                     int64_t to, int64_t step, int64_t longest,
                                     ArrayRef<Value> inits, LoopBody body);
  bool sumsInLevels(const AnchorInfo &anchor);
  SmallVector<Value> neutralElements(const AnchorInfo &anchor);
  SmallVector<Value> combineAll(const AnchorInfo &anchor, ArrayRef<Value> lhs,
                                ArrayRef<Value> rhs);
  LogicalResult storeRowResult(unsigned i);
  LogicalResult storeFullResult(unsigned i);
  int64_t reductionWidth(linalg::LinalgOp op, const AnchorInfo &anchor,
                         ArrayRef<AffineExpr> parallel);
  /// The loop indices of an anchor at the current row; reduction dims null.
  SmallVector<AffineExpr> loopsAtRow(linalg::LinalgOp op,
                                     const AnchorInfo &anchor);

  KernelBuilder &kb;
  OpBuilder &b;
  Location loc;
  /// Threads that share a row.
  int64_t group;
  AffineExpr row, rowInBlock, threadInRow;
  /// False for the surplus groups of the last block; null if there are none.
  Value rowExists;
};

SmallVector<AffineExpr> RowsEmitter::loopsAtRow(linalg::LinalgOp op,
                                                const AnchorInfo &anchor) {
  SmallVector<AffineExpr> loops(op.getNumLoops());
  auto point = kb.space.delinearize(row, anchor.parallelExtents);
  for (auto [d, i] : llvm::zip_equal(anchor.parallelDims, point))
    loops[d] = i;
  return loops;
}

int64_t RowsEmitter::reductionWidth(linalg::LinalgOp op,
                                    const AnchorInfo &anchor,
                                    ArrayRef<AffineExpr> atRow) {
  unsigned bits = 8;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (isa<RankedTensorType>(operand->get().getType()))
      bits = std::max(
          bits,
          KernelBuilder::elementType(operand->get()).getIntOrFloatBitWidth());
  int64_t width = kb.vectorWidth(anchor.columns, bits);
  for (; width > 1; width /= 2) {
    AffineExpr lane = kb.space.addDim(width);
    AffineExpr step = kb.space.addDim(anchor.columns / width);
    SmallVector<AffineExpr> loops(atRow);
    auto columns =
        kb.space.delinearize(step * width + lane, anchor.reductionExtents);
    for (auto [d, i] : llvm::zip_equal(anchor.reductionDims, columns))
      loops[d] = i;
    if (llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
          return !isa<RankedTensorType>(operand.get().getType()) ||
                 op.getMatchingBlockArgument(&operand).use_empty() ||
                 kb.emitter.readsContiguously(
                     operand.get(),
                     applyMap(op.getMatchingIndexingMap(&operand), loops,
                              kb.space),
                     lane, anchor.columns / 4);
        }))
      return width;
  }
  return 1;
}

/// The neutral elements of all combiners; empty if one has none.
SmallVector<Value> RowsEmitter::neutralElements(const AnchorInfo &anchor) {
  SmallVector<Value> values;
  for (Operation *combiner : anchor.combiners) {
    Value value = combiner ? neutralElement(b, loc, combiner) : Value();
    if (!value)
      return {};
    values.push_back(value);
  }
  return values;
}

SmallVector<Value> RowsEmitter::combineAll(const AnchorInfo &anchor,
                                           ArrayRef<Value> lhs,
                                           ArrayRef<Value> rhs) {
  SmallVector<Value> values;
  for (auto [i, combiner] : llvm::enumerate(anchor.combiners))
    values.push_back(applyCombiner(b, combiner, lhs[i], rhs[i]));
  return values;
}

bool RowsEmitter::sumsInLevels(const AnchorInfo &anchor) {
  // The rounding error of one running sum grows with its length, that of sums
  // of sums with the sum of their lengths.
  return anchor.columns > kLongSum && anchor.isCombinable() &&
         llvm::any_of(anchor.combiners, [](Operation *combiner) {
           return isa<arith::AddFOp>(combiner);
         });
}

FailureOr<SmallVector<Value>> RowsEmitter::loop(const AnchorInfo &anchor,
                                                Value from, int64_t to,
                                                int64_t step, int64_t longest,
                                                ArrayRef<Value> inits,
                                                LoopBody body) {
  auto emitLoop = [&](Value lower, Value upper, Value stride,
                      ArrayRef<Value> start,
                      LoopBody inner) -> FailureOr<SmallVector<Value>> {
    auto forOp = scf::ForOp::create(b, loc, lower, upper, stride, start);
    OpBuilder::InsertionGuard guard(b);
    ElementEmitter::Scope scope(kb.emitter);
    b.setInsertionPointToStart(forOp.getBody());
    auto values = inner(forOp.getInductionVar(),
                        SmallVector<Value>(forOp.getRegionIterArgs()));
    if (failed(values))
      return failure();
    scf::YieldOp::create(b, loc, *values);
    return SmallVector<Value>(forOp.getResults());
  };
  Value end = kb.integer(to), stride = kb.integer(step);
  if (!sumsInLevels(anchor) || longest <= kLevelSteps)
    return emitLoop(from, end, stride, inits, body);
  Value block = kb.integer(kLevelSteps * step);
  return emitLoop(
      from, end, block, inits,
      [&](Value first, ArrayRef<Value> sums) -> FailureOr<SmallVector<Value>> {
        Value last = arith::MinSIOp::create(
            b, loc, end,
            arith::AddIOp::create(b, loc, first, block).getResult());
        auto part =
            emitLoop(first, last, stride, neutralElements(anchor), body);
        if (failed(part))
          return failure();
        return combineAll(anchor, sums, *part);
      });
}

FailureOr<SmallVector<Value>>
RowsEmitter::reduceAlone(linalg::LinalgOp op, const AnchorInfo &anchor,
                         SmallVector<AffineExpr> &loops, ArrayRef<Value> inits,
                         size_t dim) {
  if (dim == anchor.reductionDims.size())
    return kb.emitter.accumulate(op, loops, inits);
  bool level = dim > 0 && sumsInLevels(anchor);
  SmallVector<Value> start =
      level ? neutralElements(anchor) : SmallVector<Value>(inits);
  int64_t extent = anchor.reductionExtents[dim];
  auto values = loop(anchor, kb.integer(0), extent, 1, extent, start,
                     [&](Value i, ArrayRef<Value> sums) {
                       loops[anchor.reductionDims[dim]] =
                           kb.space.addDim(extent, i);
                       return reduceAlone(op, anchor, loops, sums, dim + 1);
                     });
  if (failed(values) || !level)
    return values;
  return combineAll(anchor, inits, *values);
}

FailureOr<SmallVector<Value>>
RowsEmitter::reduceTogether(linalg::LinalgOp op, const AnchorInfo &anchor,
                            SmallVector<AffineExpr> &loops,
                            ArrayRef<Value> inits) {
  SmallVector<Value> neutral = neutralElements(anchor);
  if (neutral.empty())
    return FailureOr<SmallVector<Value>>(
        kb.fail("a reduction has no neutral element to start partial results "
                "with; use threads_per_row = 1"));
  int64_t width = reductionWidth(op, anchor, loops);
  int64_t steps = anchor.columns / width;
  AffineExpr lane = kb.space.addDim(width);
  kb.emitter.setLane(lane, width);
  auto partials = loop(
      anchor, kb.emitter.emitIndex(threadInRow), steps, group,
      llvm::divideCeil(steps, group), neutral,
      [&](Value i, ArrayRef<Value> sums) {
        AffineExpr step = kb.space.addDim(steps, i);
        auto columns =
            kb.space.delinearize(step * width + lane, anchor.reductionExtents);
        for (auto [d, column] : llvm::zip_equal(anchor.reductionDims, columns))
          loops[d] = column;
        return kb.emitter.accumulate(op, loops, sums);
      });
  kb.emitter.setLane(lane, 1);
  if (failed(partials))
    return failure();
  SmallVector<Value> totals;
  for (auto [i, partial] : llvm::enumerate(*partials))
    totals.push_back(reduceInGroup(kb, anchor.combiners[i], partial, group,
                                   kb.config.rowsPerBlock, rowInBlock,
                                   threadInRow));
  return combineAll(anchor, inits, totals);
}

LogicalResult RowsEmitter::reduce(const AnchorInfo &anchor) {
  auto op = cast<linalg::LinalgOp>(anchor.op);
  SmallVector<AffineExpr> loops = loopsAtRow(op, anchor);
  SmallVector<Value> inits;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    SmallVector<AffineExpr> atRow = loops;
    for (unsigned d : anchor.reductionDims)
      atRow[d] = kb.space.constant(0);
    auto lanes = kb.emitter.evaluate(
        init.get(),
        applyMap(op.getMatchingIndexingMap(&init), atRow, kb.space));
    if (failed(lanes))
      return failure();
    inits.push_back(lanes->front());
  }
  if (group > 1 && !anchor.isCombinable())
    return kb.fail("a reduction whose partial results cannot be combined needs "
                   "threads_per_row = 1");
  auto totals = group == 1 ? reduceAlone(op, anchor, loops, inits, 0)
                           : reduceTogether(op, anchor, loops, inits);
  if (failed(totals))
    return failure();
  for (auto [i, total] : llvm::enumerate(*totals))
    kb.emitter.bindAnchor(op->getResult(i), Lanes{total});
  return success();
}

LogicalResult RowsEmitter::storeRowResult(unsigned i) {
  Value condition = group == 1 ? Value() : rowExists;
  if (group > 1) {
    Value isFirst =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                              kb.emitter.emitIndex(threadInRow), kb.integer(0));
    condition =
        condition ? arith::AndIOp::create(b, loc, condition, isFirst) : isFirst;
  }
  if (!condition)
    return kb.storeResult(i, row, kb.space.constant(0));
  auto ifOp = scf::IfOp::create(b, loc, condition);
  OpBuilder::InsertionGuard guard(b);
  ElementEmitter::Scope scope(kb.emitter);
  b.setInsertionPointToStart(ifOp.thenBlock());
  return kb.storeResult(i, row, kb.space.constant(0));
}

LogicalResult RowsEmitter::storeFullResult(unsigned i) {
  int64_t columns = kb.analysis.results[i].columns;
  int64_t width = group == 1 ? 1 : kb.resultWidth(columns);
  for (; width > 1; width /= 2) {
    AffineExpr lane = kb.space.addDim(width);
    AffineExpr step = kb.space.addDim(columns / width);
    if (kb.emitter.readsContiguously(
            kb.result(i), kb.resultIndex(i, row, step * width + lane), lane,
            columns / 4))
      break;
  }
  OpBuilder::InsertionGuard outer(b);
  if (rowExists && group > 1)
    b.setInsertionPointToStart(
        scf::IfOp::create(b, loc, rowExists).thenBlock());
  AffineExpr lane = kb.space.addDim(width);
  kb.emitter.setLane(lane, width);
  int64_t steps = columns / width;
  auto forOp = scf::ForOp::create(b, loc, kb.emitter.emitIndex(threadInRow),
                                  kb.integer(steps), kb.integer(group));
  OpBuilder::InsertionGuard inner(b);
  ElementEmitter::Scope scope(kb.emitter);
  b.setInsertionPointToStart(forOp.getBody());
  AffineExpr step = kb.space.addDim(steps, forOp.getInductionVar());
  LogicalResult stored = kb.storeResult(i, row, step * width + lane);
  kb.emitter.setLane(lane, 1);
  return stored;
}

LogicalResult RowsEmitter::emitRow() {
  for (const AnchorInfo &anchor : kb.analysis.anchors)
    if (failed(reduce(anchor)))
      return failure();
  for (unsigned i = 0, e = kb.kernel.getNumResults(); i < e; ++i)
    if (failed(kb.analysis.results[i].columns == 1 ? storeRowResult(i)
                                                   : storeFullResult(i)))
      return failure();
  return success();
}

LogicalResult RowsEmitter::run() {
  int64_t rows = kb.analysis.rows, rowsPerBlock = kb.config.rowsPerBlock;
  if (group < 1 || rowsPerBlock < 1 || group * rowsPerBlock > 1024 ||
      (group & (group - 1)) != 0)
    return kb.fail("threads_per_row must be a power of two and "
                   "threads_per_row * rows_per_block at most 1024");
  kb.threads = group * rowsPerBlock;
  // A shuffle needs whole warps.
  if (group > 1 && kb.threads % 32 != 0)
    return kb.fail("threads_per_row * rows_per_block must be a multiple of 32");
  kb.blocks = llvm::divideCeil(rows, rowsPerBlock);
  kb.createIds();
  rowInBlock = kb.space.simplify(kb.thread.floorDiv(group));
  threadInRow = kb.space.simplify(kb.thread % group);
  row = kb.space.simplify(kb.block * rowsPerBlock + rowInBlock);
  if (rows % rowsPerBlock == 0)
    return emitRow();

  Value number = kb.emitter.emitIndex(row);
  rowExists = kb.isBelow(number, rows);
  if (group == 1) {
    auto ifOp = scf::IfOp::create(b, loc, rowExists);
    OpBuilder::InsertionGuard guard(b);
    ElementEmitter::Scope scope(kb.emitter);
    b.setInsertionPointToStart(ifOp.thenBlock());
    row = kb.space.addDim(rows, number);
    return emitRow();
  }
  // Surplus groups repeat the last row, so that barriers and shuffles are met
  // by all, and store nothing.
  Value clamped = arith::MinUIOp::create(b, loc, number, kb.integer(rows - 1));
  row = kb.space.addDim(rows, clamped);
  return emitRow();
}

} // namespace

LogicalResult emitRows(KernelBuilder &kb) { return RowsEmitter(kb).run(); }

} // namespace egg
