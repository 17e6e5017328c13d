//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Evaluation of elements: buffers, constants, and ops that test bounds.
//
//===----------------------------------------------------------------------===//
#include "egg/Kernel/ElementEmitter.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace egg {

/// The widest power of two up to limit at which position is aligned.
static int64_t alignedWidth(int64_t divisor, int64_t limit) {
  int64_t width = limit;
  while (width > 1 && divisor % width != 0)
    width /= 2;
  return width;
}

FailureOr<Lanes> ElementEmitter::load(Value buffer, AffineExpr position,
                                      Type type) {
  Type stored = cast<MemRefType>(buffer.getType()).getElementType();
  auto convert = [&](Value value) -> Value {
    if (stored == type)
      return value;
    Value zero = arith::ConstantOp::create(b, loc, b.getIntegerAttr(stored, 0));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero);
  };
  auto loadAt = [&](AffineExpr at) {
    Value index = toIndex(emitIndex(at));
    return convert(memref::LoadOp::create(b, loc, buffer, index));
  };
  if (!dependsOnLane(position))
    return Lanes{loadAt(position)};
  Lanes lanes;
  auto split = space.splitLinear(position, lane);
  if (split && split->second == 1) {
    int64_t width = alignedWidth(space.divisor(split->first), laneCount);
    if (width > 1) {
      for (int64_t first = 0; first < laneCount; first += width) {
        Value index = toIndex(emitIndex(split->first + first));
        Value vector = vector::LoadOp::create(
            b, loc, VectorType::get({width}, stored), buffer, index);
        for (int64_t k = 0; k < width; ++k)
          lanes.push_back(
              convert(vector::ExtractOp::create(b, loc, vector, k)));
      }
      return lanes;
    }
  }
  for (int64_t k = 0; k < laneCount; ++k)
    lanes.push_back(loadAt(atLane({position}, k).front()));
  return lanes;
}

void ElementEmitter::store(Value buffer, AffineExpr position,
                           const Lanes &lanes) {
  Type stored = cast<MemRefType>(buffer.getType()).getElementType();
  auto convert = [&](Value value) -> Value {
    if (value.getType() == stored)
      return value;
    return arith::ExtUIOp::create(b, loc, stored, value);
  };
  auto laneOf = [&](int64_t k) {
    return lanes.size() == 1 ? lanes.front() : lanes[k];
  };
  if (!dependsOnLane(position)) {
    memref::StoreOp::create(b, loc, convert(lanes.front()), buffer,
                            toIndex(emitIndex(position)));
    return;
  }
  auto split = space.splitLinear(position, lane);
  int64_t width = split && split->second == 1
                      ? alignedWidth(space.divisor(split->first), laneCount)
                      : 1;
  for (int64_t first = 0; first < laneCount; first += width) {
    AffineExpr at = atLane({position}, first).front();
    if (width == 1) {
      memref::StoreOp::create(b, loc, convert(laneOf(first)), buffer,
                              toIndex(emitIndex(at)));
      continue;
    }
    SmallVector<Value> elements;
    for (int64_t k = 0; k < width; ++k)
      elements.push_back(convert(laneOf(first + k)));
    Value vector = vector::FromElementsOp::create(
        b, loc, VectorType::get({width}, stored), elements);
    vector::StoreOp::create(b, loc, vector, buffer, toIndex(emitIndex(at)));
  }
}

FailureOr<Lanes> ElementEmitter::computeConstant(DenseElementsAttr attr,
                                                 Index idx) {
  Type type = attr.getElementType();
  if (attr.isSplat()) {
    Value value = arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(attr.getSplatValue<Attribute>()));
    return Lanes{value};
  }
  Value buffer = constantBuffer(attr);
  return load(buffer, space.linearize(idx, attr.getType().getShape()), type);
}

FailureOr<Lanes> ElementEmitter::computeFromElements(Operation *op, Index idx) {
  auto from = cast<tensor::FromElementsOp>(op);
  AffineExpr position =
      space.linearize(idx, from.getResult().getType().getShape());
  if (dependsOnLane(position))
    return perLane(from.getResult(), idx);
  Value result;
  for (auto [k, element] : llvm::enumerate(from.getElements())) {
    auto value = evaluateScalar(element);
    if (failed(value))
      return failure();
    if (!result) {
      result = *value;
      continue;
    }
    Value isHere = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq, emitIndex(position),
        emitIndex(space.constant(static_cast<int64_t>(k))));
    result = arith::SelectOp::create(b, loc, isHere, *value, result);
  }
  return Lanes{result};
}

Value ElementEmitter::guard(AffineExpr expr, int64_t extent,
                            AffineExpr &inRange) {
  expr = space.simplify(expr);
  inRange = expr;
  IndexSpace::Range range = space.range(expr);
  if (range.lo >= 0 && range.hi < extent)
    return {};
  Value value = emitIndex(expr);
  inRange = space.addDim(extent, value);
  // One unsigned comparison tests both bounds.
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, value,
                               emitIndex(space.constant(extent)));
}

/// The conjunction; either may be null (true).
static Value conjunction(OpBuilder &b, Location loc, Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return arith::AndIOp::create(b, loc, x, y);
}

FailureOr<Lanes> ElementEmitter::branch(Value condition, Type type,
                                        function_ref<Result()> onTrue,
                                        function_ref<Result()> onFalse) {
  if (!condition)
    return onTrue();
  auto ifOp = scf::IfOp::create(b, loc, TypeRange{type}, condition, true);
  auto fill = [&](Block *block, function_ref<Result()> fn) -> LogicalResult {
    OpBuilder::InsertionGuard guard(b);
    Scope scope(*this);
    b.setInsertionPointToStart(block);
    auto lanes = fn();
    if (failed(lanes))
      return failure();
    scf::YieldOp::create(b, loc, lanes->front());
    return success();
  };
  if (failed(fill(ifOp.thenBlock(), onTrue)) ||
      failed(fill(ifOp.elseBlock(), onFalse)))
    return failure();
  return Lanes{ifOp.getResult(0)};
}

FailureOr<Lanes> ElementEmitter::computePad(Operation *op, Index idx) {
  auto pad = cast<tensor::PadOp>(op);
  if (llvm::any_of(pad.getStaticLow(), ShapedType::isDynamic)) {
    op->emitError("cannot evaluate padding of dynamic size");
    return failure();
  }
  Value padding = pad.getConstantPaddingValue();
  if (!padding) {
    op->emitError("cannot evaluate padding whose value depends on the index");
    return failure();
  }
  if (dependsOnLane(idx))
    for (auto [d, i] : llvm::enumerate(idx))
      if (dependsOnLane(i) &&
          (pad.getStaticLow()[d] != 0 || pad.getStaticHigh()[d] != 0))
        return perLane(pad.getResult(), idx);
  ArrayRef<int64_t> extents = extentsOf(pad.getSource());
  SmallVector<AffineExpr> source;
  Value condition;
  for (auto [d, i] : llvm::enumerate(idx)) {
    AffineExpr inRange;
    Value test = guard(i - pad.getStaticLow()[d], extents[d], inRange);
    condition = conjunction(b, loc, condition, test);
    source.push_back(inRange);
  }
  // Several lanes under one test would need several results.
  if (condition && dependsOnLane(idx))
    return perLane(pad.getResult(), idx);
  return branch(
      condition, padding.getType(),
      [&]() { return evaluate(pad.getSource(), source); },
      [&]() -> Result {
        auto value = evaluateScalar(padding);
        if (failed(value))
          return failure();
        return Lanes{*value};
      });
}

FailureOr<Lanes> ElementEmitter::computeInsertSlice(Operation *op, Index idx) {
  auto insert = cast<tensor::InsertSliceOp>(op);
  auto isDynamic = [](ArrayRef<int64_t> values) {
    return llvm::any_of(values, ShapedType::isDynamic);
  };
  if (isDynamic(insert.getStaticOffsets()) ||
      isDynamic(insert.getStaticStrides()) ||
      isDynamic(insert.getStaticSizes())) {
    op->emitError("cannot evaluate an insertion at dynamic positions");
    return failure();
  }
  if (dependsOnLane(idx))
    return perLane(insert.getResult(), idx);
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  SmallVector<AffineExpr> source;
  Value condition;
  for (auto [d, i] : llvm::enumerate(idx)) {
    int64_t stride = insert.getStaticStrides()[d];
    int64_t size = insert.getStaticSizes()[d];
    AffineExpr inRange;
    Value test = guard(i - insert.getStaticOffsets()[d],
                       (size - 1) * stride + 1, inRange);
    condition = conjunction(b, loc, condition, test);
    if (stride != 1) {
      AffineExpr rest = space.simplify(inRange % stride);
      if (rest != space.constant(0)) {
        Value onGrid = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             emitIndex(rest),
                                             emitIndex(space.constant(0)));
        condition = conjunction(b, loc, condition, onGrid);
        inRange = space.addDim(
            size, emitIndex(space.simplify(inRange.floorDiv(stride))));
      } else {
        inRange = space.simplify(inRange.floorDiv(stride));
      }
    }
    if (!dropped[d])
      source.push_back(inRange);
  }
  return branch(
      condition, insert.getSourceType().getElementType(),
      [&]() { return evaluate(insert.getSource(), source); },
      [&]() { return evaluate(insert.getDest(), idx); });
}

FailureOr<Lanes> ElementEmitter::computeConcat(Operation *op, Index idx) {
  auto concat = cast<tensor::ConcatOp>(op);
  if (dependsOnLane(idx))
    return perLane(concat.getResult(), idx);
  int64_t dim = concat.getDim();
  Type type = concat.getResultType().getElementType();
  // part(k, offset): the element, known not to lie in the inputs before k.
  std::function<Result(unsigned, int64_t)> part =
      [&](unsigned k, int64_t offset) -> Result {
    Value input = concat.getInputs()[k];
    int64_t extent = extentsOf(input)[dim];
    SmallVector<AffineExpr> source(idx);
    bool last = k + 1 == concat.getInputs().size();
    AffineExpr inRange;
    Value test = guard(idx[dim] - offset, extent, inRange);
    source[dim] = inRange;
    if (last)
      return evaluate(input, source);
    return branch(
        test, type, [&]() { return evaluate(input, source); },
        [&]() { return part(k + 1, offset + extent); });
  };
  return part(0, 0);
}

} // namespace egg
