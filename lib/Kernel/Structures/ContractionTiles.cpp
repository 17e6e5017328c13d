//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ContractionTiles.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace egg {

ContractionTiles::ContractionTiles(KernelBuilder &kb)
    : kb(kb), info(*kb.analysis.contraction),
      op(cast<linalg::LinalgOp>(kb.analysis.anchors.front().op)),
      type(KernelBuilder::elementType(op->getResult(0))), b(kb.b), loc(kb.loc) {
}

SmallVector<AffineExpr> ContractionTiles::loopsAt(AffineExpr m, AffineExpr n,
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

LogicalResult ContractionTiles::setUp() {
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
  column =
      makeSide(info.columnOperand, info.columnDims, info.n, c.tileN, c.threadN);
  if (c.sharedPadding < 0 || c.sharedPadding % row.group != 0 ||
      c.sharedPadding % column.group != 0)
    return kb.fail("shared_padding is " + Twine(c.sharedPadding) +
                   ", but it must be a multiple of " +
                   Twine(std::max(row.group, column.group)) +
                   ", the elements that a thread reads at once");
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

Value ContractionTiles::inside(
    std::initializer_list<std::pair<AffineExpr, int64_t>> tests) {
  Value result;
  for (auto [expr, extent] : tests) {
    if (kb.space.range(expr).hi < extent)
      continue;
    Value test = kb.isBelow(kb.emitter.emitIndex(expr), extent);
    result =
        result ? arith::AndIOp::create(b, loc, result, test).getResult() : test;
  }
  return result;
}

Value ContractionTiles::widen(Value value) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::ExtSIOp::create(b, loc, type, value);
}

SmallVector<AffineExpr> ContractionTiles::operandIndex(const Side &side,
                                                       AffineExpr outer,
                                                       AffineExpr k) {
  AffineExpr zero = kb.space.constant(0);
  bool isRow = &side == &row;
  auto loops = loopsAt(isRow ? outer : zero, isRow ? zero : outer, k);
  return applyMap(
      op.getMatchingIndexingMap(op.getDpsInputOperand(side.operand)), loops,
      kb.space);
}

bool ContractionTiles::laneIsOuter(const Side &side) {
  if (side.dims.empty())
    return false;
  // Neighbouring threads should read neighbouring addresses: ask the buffers
  // behind the operand, which may be a transpose of them.
  OpOperand *operand = op.getDpsInputOperand(side.operand);
  AffineExpr outer = kb.space.addDim(side.extent);
  AffineExpr k = kb.space.addDim(info.k);
  auto idx = operandIndex(side, outer, k);
  if (kb.emitter.readStride(operand->get(), idx, outer) == 1)
    return true;
  if (kb.emitter.readStride(operand->get(), idx, k) == 1)
    return false;
  // Windows and padding: the operand's last index is the best guess.
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (map.getNumResults() == 0)
    return true;
  AffineExpr last = map.getResult(map.getNumResults() - 1);
  return llvm::any_of(side.dims,
                      [&](unsigned d) { return last.isFunctionOfDim(d); });
}

int64_t ContractionTiles::loadWidth(const Side &side, bool outerLane) {
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
    if (kb.emitter.readsContiguously(operand->get(),
                                     operandIndex(side, outer, k), lane, 0))
      return width;
  }
  return 1;
}

FailureOr<Lanes> ContractionTiles::fetchElements(Side &side, AffineExpr outer,
                                                 AffineExpr k, AffineExpr lane,
                                                 int64_t width, bool outerLane,
                                                 Value test) {
  // Inside the bounds test the indices are known to be in range.
  AffineExpr zero = kb.space.constant(0);
  AffineExpr outerBase = kb.space.simplify(outer.replace(lane, zero));
  AffineExpr kBase = kb.space.simplify(k.replace(lane, zero));
  if (Value bounds = inside({{outerBase, side.extent}, {kBase, info.k}}))
    test =
        test ? arith::AndIOp::create(b, loc, test, bounds).getResult() : bounds;
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
    AffineExpr o =
        narrowed(outerBase, outer, side.extent, outerLane && width > 1);
    AffineExpr kk = narrowed(kBase, k, info.k, !outerLane && width > 1);
    auto lanes = kb.emitter.evaluate(operand->get(), operandIndex(side, o, kk));
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
ContractionTiles::fetchTile(Side &side, AffineExpr kOrigin) {
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
    auto lanes = fetchElements(side, kb.space.simplify(side.origin + outer),
                               kb.space.simplify(kOrigin + k), fetched.lane,
                               width, outerLane, fetched.test);
    kb.emitter.setLane(fetched.lane, 1);
    if (failed(lanes))
      return failure();
    fetched.lanes = *lanes;
    result.push_back(fetched);
  }
  return result;
}

void ContractionTiles::commitTile(Side &side, ArrayRef<Fetched> tile,
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

LogicalResult ContractionTiles::copyTiles(AffineExpr step, AffineExpr stage,
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

} // namespace egg
