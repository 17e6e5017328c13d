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
#include "GroupReduce.h"
#include "KernelBuilder.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace egg {

namespace {

/// One side of the product: its tile and how threads and registers cover it.
struct Side {
  unsigned operand;
  ArrayRef<unsigned> dims;
  /// Extent of the whole dimension, of a tile, and of a thread's share.
  int64_t extent, tile, perThread;
  /// Elements of one shared-memory access; neighbours belong to one thread.
  int64_t group;
  /// Threads along this side.
  int64_t threads;
  /// First element of the block's tile, and the thread's place in it.
  AffineExpr origin, place;
  Value buffer;
  int64_t pitch;

  /// Place in the tile of the thread's element i.
  AffineExpr element(int64_t i, const IndexSpace &space) const {
    return space.simplify(place * group + (i / group) * (group * threads) +
                          i % group);
  }
};

/// Elements on their way from global to shared memory.
struct Fetched {
  Lanes lanes;
  AffineExpr lane;
  /// Where they go in the tile.
  AffineExpr place;
  /// True in the threads that have such elements; null if all do.
  Value test;
};

class ContractionEmitter {
public:
  explicit ContractionEmitter(KernelBuilder &kb)
      : kb(kb), b(kb.b), loc(kb.loc), info(*kb.analysis.contraction),
        op(cast<linalg::LinalgOp>(kb.analysis.anchors.front().op)),
        type(KernelBuilder::elementType(op->getResult(0))) {}

  LogicalResult run();

private:
  LogicalResult setUp();
  /// Loop indices of the anchor at a point of batch, rows, columns and K.
  SmallVector<AffineExpr> loopsAt(AffineExpr m, AffineExpr n, AffineExpr k);
  /// Reads the thread's part of a tile into registers.
  FailureOr<SmallVector<Fetched>> fetchTile(Side &side, AffineExpr kOrigin);
  FailureOr<Lanes> fetchElements(Side &side, AffineExpr outer, AffineExpr k,
                                 AffineExpr lane, int64_t width, bool outerLane,
                                 Value test);
  /// Writes it to the side's buffer number stage.
  void commitTile(Side &side, ArrayRef<Fetched> tile, AffineExpr stage);
  /// Fetches both tiles of a K step, emits what comes between, commits them.
  LogicalResult copyTiles(AffineExpr step, AffineExpr stage,
                          function_ref<void()> between);
  LogicalResult runSingle(int64_t steps, SmallVector<Value> &acc);
  LogicalResult runDouble(int64_t steps, SmallVector<Value> &acc);
  bool laneIsOuter(const Side &side);
  int64_t loadWidth(const Side &side, bool outerLane);
  Value widen(Value value);
  SmallVector<Value> multiplyTiles(ArrayRef<Value> accumulators,
                                   AffineExpr stage);
  LogicalResult storeTile(ArrayRef<Value> accumulators);
  LogicalResult storeGroup(int64_t i, int64_t j, Value vector);
  /// AND of the tests that origin + place lies inside, null if always.
  Value inside(std::initializer_list<std::pair<AffineExpr, int64_t>> tests);

  KernelBuilder &kb;
  OpBuilder &b;
  Location loc;
  const ContractionInfo &info;
  linalg::LinalgOp op;
  /// The type of the accumulators and of the tiles in shared memory.
  Type type;
  Side row, column;
  AffineExpr batch;
};

SmallVector<AffineExpr> ContractionEmitter::loopsAt(AffineExpr m, AffineExpr n,
                                                    AffineExpr k) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<AffineExpr> loops(op.getNumLoops());
  auto place = [&](AffineExpr position, ArrayRef<unsigned> dims) {
    SmallVector<int64_t> sizes;
    for (unsigned d : dims)
      sizes.push_back(extents[d]);
    auto idx = kb.space.delinearize(position, sizes);
    for (auto [d, i] : llvm::zip_equal(dims, idx))
      loops[d] = i;
  };
  place(batch, info.batchDims);
  place(m, info.rowDims);
  place(n, info.columnDims);
  place(k, info.reductionDims);
  return loops;
}

LogicalResult ContractionEmitter::setUp() {
  const KernelConfig &c = kb.config;
  auto makeSide = [&](unsigned operand, ArrayRef<unsigned> dims, int64_t extent,
                      int64_t tile, int64_t perThread) {
    Side side;
    side.operand = operand;
    side.dims = dims;
    side.extent = extent;
    side.tile = tile;
    side.perThread = perThread;
    side.group = perThread % 4 == 0 ? 4 : perThread % 2 == 0 ? 2 : 1;
    side.threads = tile / perThread;
    side.pitch = tile + c.sharedPadding;
    return side;
  };
  if (c.tileM < 1 || c.tileN < 1 || c.threadM < 1 || c.threadN < 1 ||
      c.tileK < 1 || c.tileM % c.threadM != 0 || c.tileN % c.threadN != 0)
    return kb.fail("the tile must be a multiple of a thread's share of it");
  row = makeSide(info.rowOperand, info.rowDims, info.m, c.tileM, c.threadM);
  column = makeSide(info.columnOperand, info.columnDims, info.n, c.tileN,
                    c.threadN);
  if (c.sharedPadding < 0 || c.sharedPadding % row.group != 0 ||
      c.sharedPadding % column.group != 0)
    return kb.fail("shared-memory padding must keep accesses of 4 elements "
                   "aligned: use a multiple of 4");
  kb.threads = row.threads * column.threads;
  if (kb.threads > 1024)
    return kb.fail("tile and thread sizes ask for " + Twine(kb.threads) +
                   " threads; a block has at most 1024");
  int64_t tilesM = llvm::divideCeil(info.m, row.tile);
  int64_t tilesN = llvm::divideCeil(info.n, column.tile);
  kb.blocks = info.batch * tilesM * tilesN;
  unsigned bits = type.getIntOrFloatBitWidth();
  if (c.stages != 1 && c.stages != 2)
    return kb.fail("a contraction keeps 1 or 2 tiles in shared memory");
  int64_t bytes =
      c.stages * c.tileK * (row.pitch + column.pitch) * ((bits + 7) / 8);
  if (bytes > 48 * 1024)
    return kb.fail("the tiles need " + Twine(bytes) +
                   " bytes of shared memory; static shared memory has 49152");
  kb.createIds();
  auto tile = kb.space.delinearize(kb.block, {info.batch, tilesM, tilesN});
  batch = tile[0];
  row.origin = kb.space.simplify(tile[1] * row.tile);
  column.origin = kb.space.simplify(tile[2] * column.tile);
  row.place = kb.space.simplify(kb.thread.floorDiv(column.threads));
  column.place = kb.space.simplify(kb.thread % column.threads);
  row.buffer = kb.sharedBuffer(c.stages * c.tileK * row.pitch, type);
  column.buffer = kb.sharedBuffer(c.stages * c.tileK * column.pitch, type);
  return success();
}

Value ContractionEmitter::inside(
    std::initializer_list<std::pair<AffineExpr, int64_t>> tests) {
  Value result;
  for (auto [expr, extent] : tests) {
    if (kb.space.range(expr).hi < extent)
      continue;
    Value test = kb.isBelow(kb.emitter.emitIndex(expr), extent);
    result = result ? arith::AndIOp::create(b, loc, result, test).getResult()
                    : test;
  }
  return result;
}

Value ContractionEmitter::widen(Value value) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::ExtSIOp::create(b, loc, type, value);
}

bool ContractionEmitter::laneIsOuter(const Side &side) {
  // Neighbouring threads should read neighbouring addresses: along the side's
  // own dims if they move the operand's last index, else along K.
  AffineMap map =
      op.getMatchingIndexingMap(op.getDpsInputOperand(side.operand));
  if (map.getNumResults() == 0 || side.dims.empty())
    return !side.dims.empty();
  AffineExpr last = map.getResult(map.getNumResults() - 1);
  return llvm::any_of(side.dims, [&](unsigned d) { return last.isFunctionOfDim(d); });
}

int64_t ContractionEmitter::loadWidth(const Side &side, bool outerLane) {
  OpOperand *operand = op.getDpsInputOperand(side.operand);
  unsigned bits =
      KernelBuilder::elementType(operand->get()).getIntOrFloatBitWidth();
  int64_t extent = outerLane ? side.extent : info.k;
  int64_t tile = outerLane ? side.tile : kb.config.tileK;
  for (int64_t width = 4; width > 1; width /= 2) {
    if (width * bits > 128 || extent % width != 0 || tile % width != 0 ||
        (side.tile * kb.config.tileK) % (width * kb.threads) != 0)
      continue;
    AffineExpr lane = kb.space.addDim(width);
    AffineExpr other = kb.space.addDim(outerLane ? info.k : side.extent);
    AffineExpr along = kb.space.addDim(extent / width) * width + lane;
    AffineExpr outer = outerLane ? along : other;
    AffineExpr k = outerLane ? other : along;
    AffineExpr zero = kb.space.constant(0);
    bool isRow = &side == &row;
    auto loops = loopsAt(isRow ? outer : zero, isRow ? zero : outer, k);
    if (kb.emitter.readsContiguously(
            operand->get(),
            applyMap(op.getMatchingIndexingMap(operand), loops, kb.space), lane,
            0))
      return width;
  }
  return 1;
}

FailureOr<Lanes> ContractionEmitter::fetchElements(Side &side, AffineExpr outer,
                                                   AffineExpr k,
                                                   AffineExpr lane,
                                                   int64_t width,
                                                   bool outerLane, Value test) {
  // Inside the bounds test the indices are known to be in range.
  AffineExpr zero = kb.space.constant(0);
  AffineExpr outerBase = kb.space.simplify(outer.replace(lane, zero));
  AffineExpr kBase = kb.space.simplify(k.replace(lane, zero));
  if (Value bounds = inside({{outerBase, side.extent}, {kBase, info.k}}))
    test = test ? arith::AndIOp::create(b, loc, test, bounds).getResult()
                : bounds;
  OpOperand *operand = op.getDpsInputOperand(side.operand);
  auto evaluate = [&]() -> FailureOr<Lanes> {
    auto narrowed = [&](AffineExpr base, AffineExpr full, int64_t extent,
                        bool hasLane) {
      if (kb.space.range(full).hi < extent)
        return full;
      int64_t step = hasLane ? width : 1;
      Value value =
          kb.emitter.emitIndex(kb.space.simplify(base.floorDiv(step)));
      AffineExpr dim = kb.space.addDim(extent / step, value);
      return hasLane ? dim * step + lane : dim;
    };
    bool isRow = &side == &row;
    AffineExpr o =
        narrowed(outerBase, outer, side.extent, outerLane && width > 1);
    AffineExpr kk = narrowed(kBase, k, info.k, !outerLane && width > 1);
    auto loops = loopsAt(isRow ? o : zero, isRow ? zero : o, kk);
    auto lanes = kb.emitter.evaluate(
        operand->get(),
        applyMap(op.getMatchingIndexingMap(operand), loops, kb.space));
    if (failed(lanes))
      return failure();
    Lanes wide;
    for (int64_t l = 0; l < width; ++l)
      wide.push_back(widen(lanes->size() == 1 ? lanes->front() : (*lanes)[l]));
    return wide;
  };
  if (!test)
    return evaluate();
  SmallVector<Type> types(width, type);
  auto ifOp = scf::IfOp::create(b, loc, types, test, true);
  OpBuilder::InsertionGuard guard(b);
  {
    ElementEmitter::Scope scope(kb.emitter);
    b.setInsertionPointToStart(ifOp.thenBlock());
    auto lanes = evaluate();
    if (failed(lanes))
      return failure();
    scf::YieldOp::create(b, loc, *lanes);
  }
  b.setInsertionPointToStart(ifOp.elseBlock());
  Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  scf::YieldOp::create(b, loc, SmallVector<Value>(width, nothing));
  return Lanes(ifOp.getResults());
}

FailureOr<SmallVector<Fetched>>
ContractionEmitter::fetchTile(Side &side, AffineExpr kOrigin) {
  bool outerLane = laneIsOuter(side);
  int64_t width = loadWidth(side, outerLane);
  int64_t tileK = kb.config.tileK;
  int64_t elements = side.tile * tileK / width;
  SmallVector<Fetched> result;
  for (int64_t first = 0; first < elements; first += kb.threads) {
    Fetched fetched;
    fetched.lane = kb.space.addDim(width);
    AffineExpr position = kb.space.simplify(kb.thread + first);
    if (first + kb.threads > elements) {
      // The last round has work for some threads only; the others' position
      // is never used.
      Value number = kb.emitter.emitIndex(position);
      fetched.test = kb.isBelow(number, elements);
      position = kb.space.addDim(elements, number);
    }
    AffineExpr outer, k;
    if (outerLane) {
      auto p = kb.space.delinearize(position, {tileK, side.tile / width});
      k = p[0];
      outer = p[1] * width + fetched.lane;
    } else {
      auto p = kb.space.delinearize(position, {side.tile, tileK / width});
      outer = p[0];
      k = p[1] * width + fetched.lane;
    }
    fetched.place = kb.space.simplify(k * side.pitch + outer);
    kb.emitter.setLane(fetched.lane, width);
    auto lanes = fetchElements(
        side, kb.space.simplify(side.origin + outer),
        kb.space.simplify(kOrigin + k), fetched.lane, width, outerLane,
        fetched.test);
    kb.emitter.setLane(fetched.lane, 1);
    if (failed(lanes))
      return failure();
    fetched.lanes = *lanes;
    result.push_back(fetched);
  }
  return result;
}

void ContractionEmitter::commitTile(Side &side, ArrayRef<Fetched> tile,
                                    AffineExpr stage) {
  for (const Fetched &fetched : tile) {
    OpBuilder::InsertionGuard guard(b);
    if (fetched.test)
      b.setInsertionPointToStart(
          scf::IfOp::create(b, loc, fetched.test).thenBlock());
    kb.emitter.setLane(fetched.lane, fetched.lanes.size());
    AffineExpr place = kb.space.simplify(
        fetched.place + stage * (kb.config.tileK * side.pitch));
    kb.emitter.store(side.buffer, place, fetched.lanes);
    kb.emitter.setLane(fetched.lane, 1);
  }
}

LogicalResult ContractionEmitter::copyTiles(AffineExpr step, AffineExpr stage,
                                            function_ref<void()> between) {
  AffineExpr kOrigin = step * kb.config.tileK;
  auto rows = fetchTile(row, kOrigin);
  if (failed(rows))
    return failure();
  auto columns = fetchTile(column, kOrigin);
  if (failed(columns))
    return failure();
  between();
  commitTile(row, *rows, stage);
  commitTile(column, *columns, stage);
  return success();
}

SmallVector<Value>
ContractionEmitter::multiplyTiles(ArrayRef<Value> accumulators,
                                  AffineExpr stage) {
  SmallVector<Value> acc(accumulators);
  auto rowType = VectorType::get({row.group}, type);
  auto columnType = VectorType::get({column.group}, type);
  int64_t columnGroups = column.perThread / column.group;
  for (int64_t k = 0; k < kb.config.tileK; ++k) {
    auto loadGroups = [&](Side &side, VectorType vectorType) {
      SmallVector<Value> result;
      for (int64_t i = 0; i < side.perThread; i += side.group) {
        Value at = kb.emitter.toIndex(kb.emitter.emitIndex(kb.space.simplify(
            side.element(i, kb.space) + k * side.pitch +
            stage * (kb.config.tileK * side.pitch))));
        result.push_back(
            vector::LoadOp::create(b, loc, vectorType, side.buffer, at));
      }
      return result;
    };
    SmallVector<Value> rows = loadGroups(row, rowType);
    SmallVector<Value> columns = loadGroups(column, columnType);
    for (int64_t i = 0; i < row.perThread; ++i) {
      Value a = vector::ExtractOp::create(b, loc, rows[i / row.group],
                                          i % row.group);
      Value splat = vector::BroadcastOp::create(b, loc, columnType, a);
      for (int64_t j = 0; j < columnGroups; ++j) {
        Value &c = acc[i * columnGroups + j];
        if (isa<FloatType>(type)) {
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

LogicalResult ContractionEmitter::storeGroup(int64_t i, int64_t j,
                                             Value vector) {
  AffineExpr lane = kb.space.addDim(column.group);
  AffineExpr zero = kb.space.constant(0);
  AffineExpr m = kb.space.simplify(row.origin + row.element(i, kb.space));
  AffineExpr n = kb.space.simplify(
      column.origin + column.element(j * column.group, kb.space));
  int64_t width = column.group;
  bool lanesTogether = info.n % width == 0;

  auto emitPoint = [&](AffineExpr mm, AffineExpr nn,
                       Lanes lanes) -> LogicalResult {
    auto loops = loopsAt(mm, nn, zero);
    OpOperand *init = op.getDpsInitOperand(0);
    auto start = kb.emitter.evaluate(
        init->get(),
        applyMap(op.getMatchingIndexingMap(init), loops, kb.space));
    if (failed(start))
      return failure();
    for (auto [l, value] : llvm::enumerate(lanes)) {
      Value from = start->size() == 1 ? start->front() : (*start)[l];
      Operation *add =
          op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
      // A sum that starts at zero stays as it is.
      if (!matchPattern(from, m_AnyZeroFloat()) && !matchPattern(from, m_Zero()))
        value = applyCombiner(b, add, from, value);
    }
    kb.emitter.bindAnchor(op->getResult(0), lanes);
    SmallVector<AffineExpr> parallel;
    for (unsigned d : kb.analysis.anchors.front().parallelDims)
      parallel.push_back(loops[d]);
    AffineExpr rowNumber = kb.space.linearize(
        parallel, kb.analysis.anchors.front().parallelExtents);
    for (unsigned r = 0, e = kb.kernel.getNumResults(); r < e; ++r)
      if (failed(kb.storeResult(r, rowNumber, zero)))
        return failure();
    return success();
  };

  // guarded(m, n): run emitPoint inside the bounds test.
  auto guarded = [&](AffineExpr nBase, int64_t step, Lanes lanes,
                     AffineExpr laneExpr) -> LogicalResult {
    OpBuilder::InsertionGuard guard(b);
    ElementEmitter::Scope scope(kb.emitter);
    AffineExpr mm = m, nn = nBase;
    if (Value test = inside({{m, info.m}, {nBase, info.n}})) {
      auto ifOp = scf::IfOp::create(b, loc, test);
      b.setInsertionPointToStart(ifOp.thenBlock());
      if (kb.space.range(m).hi >= info.m)
        mm = kb.space.addDim(info.m, kb.emitter.emitIndex(m));
      if (kb.space.range(nBase).hi >= info.n)
        nn = kb.space.addDim(info.n / step,
                             kb.emitter.emitIndex(
                                 kb.space.simplify(nBase.floorDiv(step)))) *
             step;
    }
    return emitPoint(mm, kb.space.simplify(nn + laneExpr), std::move(lanes));
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
  int64_t columnGroups = column.perThread / column.group;
  for (int64_t i = 0; i < row.perThread; ++i)
    for (int64_t j = 0; j < columnGroups; ++j)
      if (failed(storeGroup(i, j, accumulators[i * columnGroups + j])))
        return failure();
  return success();
}

LogicalResult ContractionEmitter::run() {
  if (failed(setUp()))
    return failure();
  auto vectorType = VectorType::get({column.group}, type);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType));
  SmallVector<Value> acc(row.perThread * (column.perThread / column.group),
                         zero);
  int64_t steps = llvm::divideCeil(info.k, kb.config.tileK);
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
  if (failed(copyTiles(step, zero, []() {})))
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
    if (failed(copyTiles(zero, zero, []() {})))
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
    if (failed(copyTiles(step + 1, (step + 1) % 2, [&]() {
          next = multiplyTiles(args, step % 2);
        })))
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
