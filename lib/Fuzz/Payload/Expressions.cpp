//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Expressions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace egg::fuzz;

namespace {

class Expression {
public:
  Expression(OpBuilder &b, Location loc, Choices &choices,
             ExpressionRules &rules)
      : b(b), loc(loc), choices(choices), rules(rules) {
    b.getContext()->loadDialect<math::MathDialect>();
  }

  Value constant(Type type, double number) {
    if (isa<FloatType>(type))
      return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, number));
    // An i1 is 0 or -1 to the attribute.
    return arith::ConstantOp::create(
        b, loc,
        b.getIntegerAttr(type, type.isInteger(1) ? (number != 0 ? -1 : 0)
                                                 : int64_t(number)));
  }
  /// A few numbers, the neutral ones among them.
  Value anyConstant(Type type) {
    static constexpr double kNumbers[] = {0, 1, -1, 2, 3, 0.5, -0.25, 1.5, 7};
    return constant(type, choices.pick(kNumbers));
  }

  Value unary(Value x) {
    Type type = x.getType();
    return isa<FloatType>(type) ? unaryFloat(x)
           : type.isInteger(1)  ? op<arith::XOrIOp>(x, constant(type, 1))
                                : unaryInteger(x);
  }
  Value binary(Value x, Value y) {
    Type type = x.getType();
    return isa<FloatType>(type) ? binaryFloat(x, y)
           : type.isInteger(1)  ? binaryBool(x, y)
                                : binaryInteger(x, y);
  }
  Value compareAndSelect(Value x, Value y);
  Value indexAs(Type type);

private:
  template <typename Op, typename... Args> Value op(Args... args) {
    return Op::create(b, loc, args...);
  }
  Value unaryFloat(Value x);
  Value unaryInteger(Value x);
  Value binaryFloat(Value x, Value y);
  Value binaryInteger(Value x, Value y);
  Value binaryBool(Value x, Value y);

  OpBuilder &b;
  Location loc;
  Choices &choices;
  ExpressionRules &rules;
};

} // namespace

Value Expression::unaryFloat(Value x) {
  auto rounding = [&](Value value) {
    rules.rounds = true;
    return value;
  };
  switch (choices.draw(0, rules.mayJump && !rules.rounds ? 16 : 13)) {
  case 0:
    return op<arith::NegFOp>(x);
  case 1:
    return op<math::AbsFOp>(x);
  case 2:
    return rounding(
        op<math::ExpOp>(op<arith::MinimumFOp>(x, constant(x.getType(), 2))));
  case 3:
    return rounding(op<math::TanhOp>(x));
  case 4:
    return rounding(op<math::SqrtOp>(
        op<arith::AddFOp>(op<math::AbsFOp>(x), constant(x.getType(), 0.5))));
  case 5:
    return rounding(op<math::RsqrtOp>(
        op<arith::AddFOp>(op<arith::MulFOp>(x, x), constant(x.getType(), 1))));
  case 6:
    return rounding(op<math::ErfOp>(x));
  case 7:
    return rounding(op<math::Log1pOp>(op<math::AbsFOp>(x)));
  case 8:
    return rounding(op<math::LogOp>(
        op<arith::AddFOp>(op<math::AbsFOp>(x), constant(x.getType(), 1))));
  case 9:
    return rounding(op<arith::DivFOp>(
        constant(x.getType(), 1),
        op<arith::AddFOp>(op<math::AbsFOp>(x), constant(x.getType(), 0.5))));
  case 10:
    return op<arith::MaximumFOp>(x, constant(x.getType(), 0));
  case 11:
    return op<arith::MinimumFOp>(x, constant(x.getType(), 1));
  case 12:
    return rounding(op<math::SinOp>(x));
  case 13:
    return rounding(op<math::CosOp>(x));
  case 14:
    return op<math::FloorOp>(x);
  case 15:
    return op<math::RoundEvenOp>(x);
  default:
    return op<math::CeilOp>(x);
  }
}

Value Expression::binaryFloat(Value x, Value y) {
  switch (choices.draw(0, 8)) {
  case 0:
  case 1:
    return op<arith::AddFOp>(x, y);
  case 2:
    return op<arith::SubFOp>(x, y);
  case 3:
  case 4:
    return op<arith::MulFOp>(x, y);
  case 5:
    return op<arith::MaximumFOp>(x, y);
  case 6:
    return op<arith::MinimumFOp>(x, y);
  case 7:
    rules.rounds = true;
    return op<arith::DivFOp>(x, y);
  default:
    return op<arith::MaxNumFOp>(x, y);
  }
}

Value Expression::unaryInteger(Value x) {
  Type type = x.getType();
  switch (choices.draw(0, 3)) {
  case 0:
    return op<arith::SubIOp>(constant(type, 0), x);
  case 1:
    return op<arith::ShLIOp>(x, constant(type, 1));
  case 2:
    return op<arith::ShRSIOp>(x, constant(type, 2));
  default:
    return op<arith::MulIOp>(x, constant(type, 3));
  }
}

Value Expression::binaryInteger(Value x, Value y) {
  switch (choices.draw(0, 11)) {
  case 0:
  case 1:
    return op<arith::AddIOp>(x, y);
  case 2:
    return op<arith::SubIOp>(x, y);
  case 3:
    return op<arith::MulIOp>(x, y);
  case 4:
    return op<arith::AndIOp>(x, y);
  case 5:
    return op<arith::OrIOp>(x, y);
  case 6:
    return op<arith::XOrIOp>(x, y);
  case 7:
    return op<arith::MaxSIOp>(x, y);
  case 8:
    return op<arith::MinUIOp>(x, y);
  case 9:
    return op<arith::FloorDivSIOp>(
        x, op<arith::OrIOp>(op<arith::AndIOp>(y, constant(y.getType(), 7)),
                            constant(y.getType(), 1)));
  case 10:
    return op<arith::RemSIOp>(
        x, op<arith::OrIOp>(op<arith::AndIOp>(y, constant(y.getType(), 7)),
                            constant(y.getType(), 1)));
  default:
    return op<arith::MinSIOp>(x, y);
  }
}

Value Expression::binaryBool(Value x, Value y) {
  switch (choices.draw(0, 2)) {
  case 0:
    return op<arith::AndIOp>(x, y);
  case 1:
    return op<arith::OrIOp>(x, y);
  default:
    return op<arith::XOrIOp>(x, y);
  }
}

Value Expression::compareAndSelect(Value x, Value y) {
  static constexpr arith::CmpFPredicate kFloat[] = {
      arith::CmpFPredicate::OLT, arith::CmpFPredicate::UGE,
      arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
      arith::CmpFPredicate::UNO};
  static constexpr arith::CmpIPredicate kInteger[] = {
      arith::CmpIPredicate::slt, arith::CmpIPredicate::uge,
      arith::CmpIPredicate::eq, arith::CmpIPredicate::ne};
  Value test = isa<FloatType>(x.getType())
                   ? op<arith::CmpFOp>(choices.pick(kFloat), x, y)
                   : op<arith::CmpIOp>(choices.pick(kInteger), x, y);
  return op<arith::SelectOp>(test, x, unary(y));
}

Value Expression::indexAs(Type type) {
  Value index = op<linalg::IndexOp>(uint64_t(choices.draw(0, rules.loops - 1)));
  Value integer = op<arith::IndexCastOp>(Type(b.getI64Type()), index);
  return convertTo(b, loc, integer, type);
}

Value egg::fuzz::convertTo(OpBuilder &b, Location loc, Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  auto number = [&](double x) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(from, x));
  };
  auto toFloat = dyn_cast<FloatType>(type);
  auto fromFloat = dyn_cast<FloatType>(from);
  if (fromFloat && toFloat) {
    if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(b, loc, type, value);
    if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
      return arith::TruncFOp::create(b, loc, type, value);
    // f16 and bf16 meet in f32.
    return convertTo(b, loc, convertTo(b, loc, value, b.getF32Type()), type);
  }
  if (toFloat) {
    if (from.isInteger(1))
      return arith::UIToFPOp::create(b, loc, type, value);
    return arith::SIToFPOp::create(b, loc, type, value);
  }
  if (fromFloat) {
    if (type.isInteger(1))
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ONE, value,
                                   number(0));
    Value low = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, value,
                                      number(-100));
    Value high = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE, value,
                                       number(100));
    Value fits = arith::AndIOp::create(b, loc, low, high);
    Value safe = arith::SelectOp::create(b, loc, fits, value, number(0));
    return arith::FPToSIOp::create(b, loc, type, safe);
  }
  if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, loc, type, value);
  if (from.isInteger(1))
    return arith::ExtUIOp::create(b, loc, type, value);
  return arith::ExtSIOp::create(b, loc, type, value);
}

Value egg::fuzz::buildExpression(OpBuilder &b, Location loc,
                                 ValueRange arguments, Type type,
                                 Choices &choices, ExpressionRules &rules) {
  Expression expression(b, loc, choices, rules);
  SmallVector<Value> values;
  for (Value argument : arguments) {
    // From a float to an integer is a jump.
    if (isa<FloatType>(argument.getType()) && !isa<FloatType>(type) &&
        !rules.mayJump)
      continue;
    values.push_back(convertTo(b, loc, argument, type));
  }
  if (rules.loops && choices.chance(10))
    values.push_back(expression.indexAs(type));
  if (values.empty())
    values.push_back(expression.anyConstant(type));
  Value result = values.front();
  for (Value value : ArrayRef(values).drop_front())
    result = expression.binary(result, value);
  for (int64_t i = 0, e = choices.draw(0, 3); i < e; ++i) {
    if (rules.mayJump && !rules.rounds && choices.chance(20))
      result = expression.compareAndSelect(result, choices.pick(values));
    else if (choices.chance(50))
      result = expression.binary(result, choices.chance(50)
                                             ? expression.anyConstant(type)
                                             : choices.pick(values));
    else
      result = expression.unary(result);
  }
  return result;
}
