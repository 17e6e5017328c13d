//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IntegerArithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace egg;

unsigned egg::getIntegerWidth(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
}

static bool promisesNoOverflow(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && (flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap());
}

IntegerValue IntegerArithmetic::settle(Operation *op, IntegerValue value,
                                       unsigned width) const {
  Interval type = Interval::ofWidth(width);
  bool leavesTried = value.tried && !type.contains(*value.tried);
  if (leavesTried) {
    value.tried = type;
    for (Integer &sample : value.samples)
      sample = llvm::mod(sample - type.low, powerOfTwo(width)) + type.low;
  }
  if (type.contains(value.full))
    return value;
  value.full = type;
  if (leavesTried && value.progression)
    value.wrapped = value.progression->replaceModulo(powerOfTwo(width), false);
  value.progression.reset();
  bool promises = promisesNoOverflow(op);
  if (promises && isPayload)
    return value;
  if (value.promised != 0 && width >= value.promised && !promises)
    value.lowBitsOnly = true;
  else if (value.follows && !leavesTried)
    findings.add(op,
                 "may leave the range of " + std::to_string(width) + " bits");
  return value;
}

/// Of an operation that tells apart what is equal in its lowest bits.
void IntegerArithmetic::checkAllBits(Operation *op, Operands operands) const {
  for (const IntegerValue &value : operands)
    if (value.wrapped)
      findings.addRepeating(op, *value.wrapped);
  for (const IntegerValue &value : operands)
    if (value.lowBitsOnly)
      findings.add(op, "meets a value that may have overflowed, of inputs that "
                       "are drawn small because the payload promises that it "
                       "does not overflow");
}

void IntegerArithmetic::checkUse(Operation *op, Operands operands) const {
  checkAllBits(op, operands);
  if (isa<arith::UIToFPOp>(op))
    asUnsigned(op, operands.front(),
               getIntegerWidth(op->getOperand(0).getType()));
}

IntegerValue IntegerArithmetic::asUnsigned(Operation *op, IntegerValue value,
                                           unsigned width) const {
  if (value.full.low >= 0)
    return value;
  bool isTried = value.tried && value.tried->low < 0;
  if (value.follows && !isTried)
    findings.add(op, "takes as unsigned what may be negative");
  value.full = {Integer(0), powerOfTwo(width) - 1};
  if (isTried)
    value.tried = value.full;
  value.progression.reset();
  value.samples.clear();
  return value;
}

/// Constants that positions meet are IndexConstants' affair, but not those that
/// they meet by way of an argument.
void IntegerArithmetic::checkThreshold(Operation *op, const IntegerValue &a,
                                       const IntegerValue &b,
                                       IntegerValue &result) const {
  for (auto [value, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (value->follows && value->progression)
      for (const Integer &turn : other->turns)
        if (Interval at = Interval::ofConstant(turn);
            value->full.overlaps(at) &&
            !(value->tried && value->tried->overlaps(at)))
          findings.add(op, "meets a position with a value of an input that "
                           "turns where no position at the small extents is");
    if (std::optional<Integer> constant = other->getConstant();
        constant && !value->sources.arguments.empty())
      result.turns.insert(*constant);
    if (value->follows && !value->progression && other->getConstant() &&
        value->full.overlaps(other->full) &&
        !(value->tried && value->tried->overlaps(other->full)))
      findings.add(op, "meets a constant that the values at the small extents "
                       "do not reach");
  }
}

void IntegerArithmetic::checkBitsTried(Operation *op,
                                       const IntegerValue &a) const {
  if (a.follows && !(a.tried && a.tried->toBits().contains(a.full.toBits())))
    findings.add(op, "works on bits that are never set at the small extents");
}

IntegerValue IntegerArithmetic::unknown(Operation *op,
                                        Operands operands) const {
  IntegerValue result =
      IntegerValue::unknown(getIntegerWidth(op->getResult(0).getType()));
  checkAllBits(op, operands);
  for (const IntegerValue &value : operands) {
    if (value.follows)
      findings.add(op, "is applied to values that depend on the extents, and "
                       "nothing is known of its result");
    IntegerValue both = inherit(result, value);
    both.full = result.full;
    result = both;
  }
  return result;
}

IntegerValue IntegerArithmetic::evaluateCast(Operation *op,
                                             const IntegerValue &a) const {
  unsigned from = getIntegerWidth(op->getOperand(0).getType());
  unsigned to = getIntegerWidth(op->getResult(0).getType());
  if (to < from)
    return settle(op, a, to);
  checkAllBits(op, a);
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return asUnsigned(op, a, from);
  // The one of i1 is -1.
  if (from == 1 && to > 1)
    return subtract(IntegerValue::ofConstant(Integer(0)), a);
  return a;
}

IntegerValue IntegerArithmetic::shiftLeft(Operation *op, const IntegerValue &a,
                                          const IntegerValue &amount) const {
  unsigned width = getIntegerWidth(op->getResult(0).getType());
  Interval allowed{Integer(0), Integer(int64_t(width) - 1)};
  auto power = [&](const Integer &exponent) {
    return powerOfTwo(
        unsigned(int64_t(std::clamp(exponent, allowed.low, allowed.high))));
  };
  IntegerValue factor = amount;
  factor.full = {power(amount.full.low), power(amount.full.high)};
  factor.progression.reset();
  factor.samples.clear();
  if (factor.tried)
    factor.tried =
        Interval{power(factor.tried->low), power(factor.tried->high)};
  if (amount.getConstant())
    factor = IntegerValue::ofConstant(factor.full.low);
  if (amount.follows && !allowed.contains(amount.full) &&
      !(amount.tried && !allowed.contains(*amount.tried)))
    findings.add(op, "may shift by more than the type's width");
  return settle(op, multiply(a, factor, false), width);
}

IntegerValue IntegerArithmetic::compare(Operation *op,
                                        Operands operands) const {
  const IntegerValue &a = operands[0], &b = operands[1];
  checkAllBits(op, operands);
  IntegerValue result = inherit(a, b);
  checkThreshold(op, a, b, result);
  if (auto compare = dyn_cast<arith::CmpIOp>(op);
      compare && compare.getPredicate() >= arith::CmpIPredicate::ult)
    for (const IntegerValue &side : operands)
      asUnsigned(op, side, getIntegerWidth(op->getOperand(0).getType()));
  result.full = Interval::ofWidth(1);
  return result;
}

IntegerValue IntegerArithmetic::evaluateAffine(AffineExpr expr,
                                               affine::AffineApplyOp op,
                                               Operands operands) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IntegerValue::ofConstant(Integer(constant.getValue()));
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[op.getAffineMap().getNumDims() + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  IntegerValue a = evaluateAffine(binary.getLHS(), op, operands);
  IntegerValue b = evaluateAffine(binary.getRHS(), op, operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return settle(op, add(a, b), 64);
  case AffineExprKind::Mul:
    return settle(op, multiply(a, b, false), 64);
  case AffineExprKind::Mod:
    return remainder(op, a, b);
  case AffineExprKind::CeilDiv:
    return divide(op, a, b, Rounding::Up);
  default:
    return divide(op, a, b, Rounding::Down);
  }
}

IntegerValue IntegerArithmetic::evaluate(Operation *op, Operands operands,
                                         bool isPayload) {
  this->isPayload = isPayload;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return evaluateAffine(apply.getAffineMap().getResult(0), apply, operands);
  unsigned width = getIntegerWidth(op->getResult(0).getType());
  if (isa<arith::SelectOp>(op)) {
    IntegerValue chosen = either(operands[1], operands[2]);
    IntegerValue result = inherit(chosen, operands[0]);
    result.full = chosen.full;
    return result;
  }
  if (isa<arith::CmpIOp, arith::CmpFOp>(op))
    return compare(op, operands);
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op))
    return evaluateCast(op, operands[0]);
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    IntegerValue result = IntegerValue::unknown(width);
    result.follows = operands[0].follows;
    if (result.follows && !isPayload)
      findings.add(op, "makes an integer of a float that depends on the "
                       "extents, or on inputs that are drawn small, and how "
                       "far floats hold such integers is not followed");
    return result;
  }
  if (isa<math::AbsIOp>(op)) {
    checkAllBits(op, operands);
    IntegerValue zero = IntegerValue::ofConstant(Integer(0));
    IntegerValue most =
        selectMost(operands[0], subtract(zero, operands[0]), true);
    checkThreshold(op, operands[0], zero, most);
    return settle(op, most, width);
  }
  if (operands.size() != 2)
    return unknown(op, operands);
  IntegerValue a = operands[0], b = operands[1];
  if (width == 1 && isa<arith::ArithDialect>(op->getDialect())) {
    IntegerValue result = inherit(a, b);
    result.full = Interval::ofWidth(1);
    return result;
  }
  if (isa<arith::AddIOp>(op))
    return settle(op, add(a, b), width);
  if (isa<arith::SubIOp>(op))
    return settle(op, subtract(a, b), width);
  if (isa<arith::MulIOp>(op))
    return settle(op, multiply(a, b, op->getOperand(0) == op->getOperand(1)),
                  width);
  if (isa<arith::ShLIOp>(op))
    return shiftLeft(op, a, b);
  // The others tell equal lowest bits apart.
  checkAllBits(op, operands);
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return bits(op, a, b);
  if (isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp, arith::ShRUIOp,
          arith::MaxUIOp, arith::MinUIOp>(op)) {
    a = asUnsigned(op, a, width);
    b = asUnsigned(op, b, width);
  }
  if (isa<arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(op)) {
    IntegerValue most =
        selectMost(a, b, isa<arith::MaxSIOp, arith::MaxUIOp>(op));
    checkThreshold(op, a, b, most);
    return settle(op, most, width);
  }
  if (isa<arith::ShRSIOp, arith::ShRUIOp>(op)) {
    std::optional<Integer> amount = b.getConstant();
    if (!amount || *amount < 0 || *amount >= int64_t(width))
      return unknown(op, operands);
    Integer divisor = powerOfTwo(unsigned(int64_t(*amount)));
    return settle(
        op, divide(op, a, IntegerValue::ofConstant(divisor), Rounding::Down),
        width);
  }
  if (isa<arith::DivSIOp, arith::DivUIOp>(op))
    return settle(op, divide(op, a, b, Rounding::Zero), width);
  if (isa<arith::FloorDivSIOp>(op))
    return settle(op, divide(op, a, b, Rounding::Down), width);
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return settle(op, divide(op, a, b, Rounding::Up), width);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return settle(op, remainder(op, a, b), width);
  return unknown(op, operands);
}
