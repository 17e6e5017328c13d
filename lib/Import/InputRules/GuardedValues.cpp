//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "GuardedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include <utility>

using namespace mlir;
using namespace egg;

namespace {

/// Evaluates integers of a payload where all elements of an argument are one
/// number.
class AtOneValue {
public:
  AtOneValue(func::FuncOp main, unsigned argument, int64_t value)
      : argument(main.getArgument(argument)), value(value) {}

  /// Null where it depends on more than the argument.
  TypedAttr evaluate(Value value);
  /// Whether the last evaluations met the argument.
  bool met = false;

private:
  TypedAttr evaluateAnew(Value value);
  TypedAttr evaluateResult(OpResult result);

  /// What is known, and whether it met the argument: a value may be used twice
  /// by each of many that follow one another.
  llvm::DenseMap<Value, std::pair<TypedAttr, bool>> known;
  BlockArgument argument;
  int64_t value;
};

} // namespace

TypedAttr AtOneValue::evaluate(Value of) {
  auto found = known.find(of);
  if (found == known.end()) {
    bool before = std::exchange(met, false);
    TypedAttr result = evaluateAnew(of);
    found = known.try_emplace(of, result, met).first;
    met = before;
  }
  met |= found->second.second;
  return found->second.first;
}

TypedAttr AtOneValue::evaluateAnew(Value of) {
  if (of == argument) {
    met = true;
    Type type = getElementTypeOrSelf(of.getType());
    return IntegerAttr::get(type,
                            APInt(type.getIntOrFloatBitWidth(), uint64_t(value),
                                  /*isSigned=*/true, /*implicitTrunc=*/true));
  }
  if (auto result = dyn_cast<OpResult>(of))
    return evaluateResult(result);
  auto inner = cast<BlockArgument>(of);
  auto op = dyn_cast<linalg::LinalgOp>(inner.getOwner()->getParentOp());
  if (!op || !op.isDpsInput(&op->getOpOperand(inner.getArgNumber())))
    return {};
  return evaluate(op->getOperand(inner.getArgNumber()));
}

TypedAttr AtOneValue::evaluateResult(OpResult result) {
  Operation *op = result.getOwner();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<SplatElementsAttr>(constant.getValue());
    return elements ? elements.getSplatValue<TypedAttr>()
                    : dyn_cast<IntegerAttr>(constant.getValue());
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (linalgOp.getNumReductionLoops() != 0)
      return {};
    return evaluate(linalgOp.getBlock()->getTerminator()->getOperand(
        result.getResultNumber()));
  }
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          tensor::ExtractSliceOp>(op))
    return evaluate(op->getOperand(0));
  if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumResults() != 1)
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(evaluate(operand));
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto condition = dyn_cast_or_null<IntegerAttr>(operands[0]);
    return condition ? cast_or_null<TypedAttr>(
                           operands[condition.getValue().isZero() ? 2 : 1])
                     : TypedAttr();
  }
  SmallVector<OpFoldResult> folded;
  if (llvm::is_contained(operands, Attribute()) ||
      failed(op->fold(operands, folded)) || folded.size() != 1)
    return {};
  if (auto known = dyn_cast<Attribute>(folded.front()))
    return dyn_cast<TypedAttr>(known);
  return evaluate(cast<Value>(folded.front()));
}

/// Whether no index leaves its tensor, as far as it depends on the argument,
/// and no shift its width.
/// Whether the operation excludes an overflow that the value may bring about.
static bool mayOverflow(Operation *op, AtOneValue &at) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (!flags || !(flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap()))
    return false;
  at.met = false;
  SmallVector<llvm::APInt> operands;
  for (Value operand : op->getOperands())
    if (auto known = dyn_cast_or_null<IntegerAttr>(at.evaluate(operand)))
      operands.push_back(known.getValue());
  if (!at.met)
    return false;
  if (operands.size() != 2)
    return true;
  const llvm::APInt &a = operands[0], &b = operands[1];
  bool wraps = true, wrapsUnsigned = true;
  if (isa<arith::AddIOp>(op)) {
    (void)a.sadd_ov(b, wraps);
    (void)a.uadd_ov(b, wrapsUnsigned);
  } else if (isa<arith::SubIOp>(op)) {
    (void)a.ssub_ov(b, wraps);
    (void)a.usub_ov(b, wrapsUnsigned);
  } else if (isa<arith::MulIOp>(op)) {
    (void)a.smul_ov(b, wraps);
    (void)a.umul_ov(b, wrapsUnsigned);
  }
  return (wraps && flags.hasNoSignedWrap()) ||
         (wrapsUnsigned && flags.hasNoUnsignedWrap());
}

/// Values at which narrower arithmetic, another sign or a narrower shift would
/// tell.
static void appendTelling(unsigned width, SmallVectorImpl<int64_t> &values) {
  for (int64_t value : {-2, -3, 20, int(width) / 2 + 1, int(width) - 1})
    values.push_back(value);
  for (unsigned narrow : {8u, 16u, 32u})
    if (narrow < width)
      for (int64_t value :
           {int64_t(1) << (narrow - 1), (int64_t(1) << narrow) + 1,
            -(int64_t(1) << narrow)})
        values.push_back(value);
  int64_t largest = llvm::APInt::getSignedMaxValue(width).getSExtValue();
  llvm::append_values(values, largest, -largest - 1, largest - 1, -largest);
}

static bool isSafe(func::FuncOp main, unsigned argument, int64_t value) {
  AtOneValue at(main, argument, value);
  auto isBelow = [&](Value index, int64_t end) {
    at.met = false;
    auto known = dyn_cast_or_null<IntegerAttr>(at.evaluate(index));
    if (!known)
      return !at.met;
    return known.getValue().isNonNegative() &&
           known.getValue().getLimitedValue() < uint64_t(end);
  };
  return !main.walk([&](Operation *op) {
                bool holds = true;
                if (auto extract = dyn_cast<tensor::ExtractOp>(op))
                  for (auto [dim, index] :
                       llvm::enumerate(extract.getIndices()))
                    holds &= isBelow(
                        index,
                        extract.getTensor().getType().getDimSize(int64_t(dim)));
                if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op)) {
                  Type type = getElementTypeOrSelf(op->getResult(0).getType());
                  holds &= isBelow(
                      op->getOperand(1),
                      type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
                }
                holds &= !mayOverflow(op, at);
                return holds ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

SmallVector<int64_t> egg::findGuardedValues(func::FuncOp main,
                                            unsigned argument, int64_t bound,
                                            ArrayRef<int64_t> constants) {
  // An element that meets others in a way that is not seen may be anything.
  unsigned width = getElementTypeOrSelf(main.getArgumentTypes()[argument])
                       .getIntOrFloatBitWidth();
  SmallVector<int64_t> candidates = {-1, bound};
  appendTelling(width, candidates);
  auto appendExtent = [&](int64_t extent) {
    llvm::append_values(candidates, extent - 1, extent / 2, extent / 3,
                        extent - extent / 3, -extent);
  };
  main.walk([&](tensor::ExtractOp extract) {
    llvm::for_each(extract.getTensor().getType().getShape(), appendExtent);
  });
  for (int64_t constant : constants)
    for (int64_t offset : {0, -1, 1})
      candidates.push_back(int64_t(uint64_t(constant) + uint64_t(offset)));
  // What counts may count as far as a loop goes.
  main.walk([&](linalg::LinalgOp op) {
    llvm::for_each(op.getStaticLoopRanges(), appendExtent);
  });
  SmallVector<int64_t> values;
  for (int64_t value : candidates)
    if ((value < 0 || value >= bound) &&
        APInt(64, uint64_t(value)).isSignedIntN(width) &&
        values.size() < kMaxGuarded && !llvm::is_contained(values, value) &&
        isSafe(main, argument, value))
      values.push_back(value);
  return values;
}
