//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Evaluation of elements: caching, linalg bodies, scalars.
//
//===----------------------------------------------------------------------===//
#include "egg/Kernel/ElementEmitter.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace egg {

Value ElementEmitter::toIndex(Value value) {
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), value);
}

bool ElementEmitter::dependsOnLane(AffineExpr expr) const {
  return lane && expr.isFunctionOfDim(cast<AffineDimExpr>(lane).getPosition());
}

SmallVector<AffineExpr> ElementEmitter::atLane(Index idx, int64_t k) const {
  SmallVector<AffineExpr> result;
  for (AffineExpr expr : idx)
    result.push_back(
        lane ? space.simplify(expr.replace(lane, space.constant(k))) : expr);
  return result;
}

void ElementEmitter::bindAnchor(Value result, Lanes lanes) {
  anchors[result] = std::move(lanes);
}

FailureOr<Lanes> ElementEmitter::perLane(Value tensor, Index idx) {
  Lanes lanes;
  for (int64_t k = 0; k < laneCount; ++k) {
    OneLane only(*this, k);
    auto value = evaluate(tensor, atLane(idx, k));
    if (failed(value))
      return failure();
    lanes.push_back(value->front());
  }
  return lanes;
}

FailureOr<Lanes> ElementEmitter::evaluate(Value tensor, Index idx) {
  // Anchors are rebound from row to row and never cached.
  if (auto it = anchors.find(tensor); it != anchors.end())
    return oneLane && it->second.size() > 1 ? Lanes{it->second[*oneLane]}
                                            : it->second;
  SmallVector<AffineExpr> key;
  for (AffineExpr expr : idx)
    key.push_back(space.simplify(expr));
  for (const Entry &entry : llvm::reverse(memo[tensor]))
    if (entry.idx == key)
      return entry.lanes;
  FailureOr<Lanes> lanes = failure();
  if (auto it = buffers.find(tensor); it != buffers.end())
    lanes = load(it->second, space.linearize(key, extentsOf(tensor)),
                 cast<RankedTensorType>(tensor.getType()).getElementType());
  else
    lanes = compute(cast<OpResult>(tensor), key);
  if (failed(lanes))
    return failure();
  memo[tensor].push_back({key, *lanes});
  log.push_back(tensor);
  return lanes;
}

FailureOr<Lanes> ElementEmitter::compute(OpResult result, Index idx) {
  Operation *op = result.getOwner();
  if (isAnchor(op)) {
    op->emitError("a reduction's result is needed before it is computed");
    return failure();
  }
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](linalg::LinalgOp linalgOp) {
        return computeLinalg(linalgOp, result.getResultNumber(), idx);
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([&](auto reshape) {
        return evaluate(reshape.getSrc(),
                        reshapeSourceIndex(reshape, idx, space));
      })
      .Case(
          [&](tensor::CastOp cast) { return evaluate(cast.getSource(), idx); })
      .Case([&](tensor::ExtractSliceOp) -> Result {
        auto reads = operandReads(result, idx, space);
        if (failed(reads) || reads->empty())
          return failure();
        return evaluate(reads->front().tensor, reads->front().idx);
      })
      .Case([&](tensor::PadOp) { return computePad(op, idx); })
      .Case([&](tensor::InsertSliceOp) { return computeInsertSlice(op, idx); })
      .Case([&](tensor::ConcatOp) { return computeConcat(op, idx); })
      .Case(
          [&](tensor::FromElementsOp) { return computeFromElements(op, idx); })
      .Case([&](tensor::SplatOp splat) -> Result {
        auto value = evaluateScalar(splat.getInput());
        if (failed(value))
          return failure();
        return Lanes{*value};
      })
      .Case([&](arith::ConstantOp constant) -> Result {
        auto attr = dyn_cast<DenseElementsAttr>(constant.getValue());
        if (!attr) {
          op->emitError("a kernel needs the values of this constant, which are "
                        "not in the module");
          return failure();
        }
        return computeConstant(attr, idx);
      })
      .Default([&](Operation *) -> Result {
        op->emitError("cannot evaluate '")
            << op->getName() << "' inside a kernel";
        return failure();
      });
}

FailureOr<Value> ElementEmitter::cloneBodyOp(Operation *op, Index loops,
                                             DenseMap<Value, Value> &map) {
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return toIndex(emitIndex(loops[index.getDim()]));
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<AffineExpr> idx;
    for (auto [i, index] : llvm::enumerate(extract.getIndices())) {
      if (auto expr = affineIndex(index, loops, space)) {
        idx.push_back(*expr);
        continue;
      }
      auto known = map.find(index);
      FailureOr<Value> value = known != map.end()
                                   ? FailureOr<Value>(known->second)
                                   : evaluateScalar(index);
      if (failed(value))
        return failure();
      Value narrowed = arith::IndexCastOp::create(b, loc, indexType, *value);
      idx.push_back(space.addDim(extentsOf(extract.getTensor())[i], narrowed));
    }
    auto lanes = evaluate(extract.getTensor(), idx);
    if (failed(lanes))
      return failure();
    return lanes->front();
  }
  if (op->getNumRegions() != 0 || op->getNumResults() != 1) {
    op->emitError("cannot evaluate '") << op->getName() << "' inside a kernel";
    return failure();
  }
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    auto known = map.find(operand);
    if (known != map.end()) {
      mapping.map(operand, known->second);
      continue;
    }
    auto value = evaluateScalar(operand);
    if (failed(value))
      return failure();
    mapping.map(operand, *value);
  }
  return b.clone(*op, mapping)->getResult(0);
}

LogicalResult ElementEmitter::evaluateOperands(
    linalg::LinalgOp op, Index loops, bool withInits,
    SmallVectorImpl<std::pair<Value, Lanes>> &args, size_t &count) {
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument arg = op.getMatchingBlockArgument(&operand);
    if (arg.use_empty() || (!withInits && op.isDpsInit(&operand)))
      continue;
    if (!isa<RankedTensorType>(operand.get().getType())) {
      auto value = evaluateScalar(operand.get());
      if (failed(value))
        return failure();
      args.push_back({arg, Lanes{*value}});
      continue;
    }
    auto lanes =
        evaluate(operand.get(),
                 applyMap(op.getMatchingIndexingMap(&operand), loops, space));
    if (failed(lanes))
      return failure();
    count = std::max(count, lanes->size());
    args.push_back({arg, *lanes});
  }
  for (Operation &inner : op.getBlock()->without_terminator())
    if (isa<linalg::IndexOp, tensor::ExtractOp>(inner) && dependsOnLane(loops))
      count = laneCount;
  return success();
}

FailureOr<SmallVector<Value>>
ElementEmitter::cloneBody(linalg::LinalgOp op, Index loops,
                          DenseMap<Value, Value> &map) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    auto value = cloneBodyOp(&inner, loops, map);
    if (failed(value))
      return failure();
    map[inner.getResult(0)] = *value;
  }
  SmallVector<Value> yielded;
  for (Value operand : op.getBlock()->getTerminator()->getOperands()) {
    auto known = map.find(operand);
    FailureOr<Value> value = known != map.end()
                                 ? FailureOr<Value>(known->second)
                                 : evaluateScalar(operand);
    if (failed(value))
      return failure();
    yielded.push_back(*value);
  }
  return yielded;
}

FailureOr<Lanes> ElementEmitter::computeLinalg(linalg::LinalgOp op,
                                               unsigned number, Index idx) {
  auto maybeLoops = loopsWriting(op, number, idx);
  if (failed(maybeLoops)) {
    op->emitError("cannot evaluate an op whose result map is no permutation");
    return failure();
  }
  SmallVector<AffineExpr> loops = *maybeLoops;
  for (AffineExpr &loop : loops)
    if (!loop)
      loop = space.constant(0);
  // Operands first: contiguous ones load all their lanes at once.
  SmallVector<std::pair<Value, Lanes>> args;
  size_t count = 1;
  if (failed(evaluateOperands(op, loops, /*withInits=*/true, args, count)))
    return failure();
  Lanes result;
  for (size_t k = 0; k < count; ++k) {
    DenseMap<Value, Value> map;
    for (auto &[arg, lanes] : args)
      map[arg] = lanes.size() == 1 ? lanes.front() : lanes[k];
    OneLane only(*this, count > 1 ? std::optional(k) : oneLane);
    auto yielded = cloneBody(op, count > 1 ? atLane(loops, k) : loops, map);
    if (failed(yielded))
      return failure();
    result.push_back((*yielded)[number]);
  }
  return result;
}

FailureOr<SmallVector<Value>>
ElementEmitter::accumulate(linalg::LinalgOp op, Index loops,
                           ArrayRef<Value> accumulators) {
  SmallVector<std::pair<Value, Lanes>> args;
  size_t count = dependsOnLane(loops) ? laneCount : 1;
  if (failed(evaluateOperands(op, loops, /*withInits=*/false, args, count)))
    return failure();
  SmallVector<Value> current(accumulators);
  for (size_t k = 0; k < count; ++k) {
    DenseMap<Value, Value> map;
    for (auto &[arg, lanes] : args)
      map[arg] = lanes.size() == 1 ? lanes.front() : lanes[k];
    for (auto [i, value] : llvm::enumerate(current))
      map[op.getMatchingBlockArgument(op.getDpsInitOperand(i))] = value;
    OneLane only(*this, count > 1 ? std::optional(k) : oneLane);
    auto yielded = cloneBody(op, count > 1 ? atLane(loops, k) : loops, map);
    if (failed(yielded))
      return failure();
    current = *yielded;
  }
  return current;
}

FailureOr<Value> ElementEmitter::evaluateScalar(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    emitError(value.getLoc(), "a kernel cannot use this scalar argument");
    return failure();
  }
  DenseMap<Value, Value> none;
  if (isa<linalg::IndexOp>(op)) {
    op->emitError("index of an op that is not being evaluated");
    return failure();
  }
  return cloneBodyOp(op, {}, none);
}

bool ElementEmitter::readsContiguously(Value tensor, Index idx, AffineExpr dim,
                                       int64_t sizeable) {
  if (buffers.count(tensor)) {
    if (ShapedType::getNumElements(extentsOf(tensor)) < sizeable)
      return true;
    auto split =
        space.splitLinear(space.linearize(idx, extentsOf(tensor)), dim);
    return split && (split->second == 0 || split->second == 1);
  }
  auto result = dyn_cast<OpResult>(tensor);
  if (!result || anchors.count(tensor) || isAnchor(result.getOwner()))
    return true;
  unsigned position = cast<AffineDimExpr>(dim).getPosition();
  if (!llvm::any_of(idx, [&](auto e) { return e.isFunctionOfDim(position); }))
    return true;
  // A test on the lane makes every lane a case of its own.
  if (isa<tensor::PadOp, tensor::InsertSliceOp, tensor::ConcatOp>(
          result.getOwner()))
    return false;
  auto reads = operandReads(result, idx, space);
  if (failed(reads))
    return false;
  return llvm::all_of(*reads, [&](ElementRead &read) {
    return readsContiguously(read.tensor, read.idx, dim, sizeable);
  });
}

LogicalResult
ElementEmitter::collectBufferReads(Value tensor, Index idx,
                                   SmallVectorImpl<ElementRead> &reads) {
  if (buffers.count(tensor)) {
    reads.push_back({tensor, llvm::to_vector(idx)});
    return success();
  }
  auto result = dyn_cast<OpResult>(tensor);
  if (!result || anchors.count(tensor) || isAnchor(result.getOwner()))
    return success();
  if (isa<tensor::PadOp, tensor::InsertSliceOp, tensor::ConcatOp>(
          result.getOwner()))
    return failure();
  auto operands = operandReads(result, idx, space);
  if (failed(operands))
    return failure();
  for (ElementRead &read : *operands)
    if (failed(collectBufferReads(read.tensor, read.idx, reads)))
      return failure();
  return success();
}

std::optional<int64_t> ElementEmitter::readStride(Value tensor, Index idx,
                                                  AffineExpr dim) {
  SmallVector<ElementRead> reads;
  if (failed(collectBufferReads(tensor, idx, reads)) || reads.empty())
    return std::nullopt;
  auto size = [](const ElementRead &read) {
    return ShapedType::getNumElements(extentsOf(read.tensor));
  };
  const ElementRead *largest = &reads.front();
  for (const ElementRead &read : reads)
    if (size(read) > size(*largest))
      largest = &read;
  auto split = space.splitLinear(
      space.linearize(largest->idx, extentsOf(largest->tensor)), dim);
  if (!split)
    return std::nullopt;
  return split->second;
}

} // namespace egg
