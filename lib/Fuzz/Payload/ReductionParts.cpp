//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Expressions.h"
#include "PayloadParts.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace egg;
using namespace egg::fuzz;

TypedAttr egg::fuzz::getNeutral(Builder &b, Type type, int kind) {
  if (auto real = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = real.getFloatSemantics();
    if (kind < 2)
      return b.getFloatAttr(type, kind);
    return b.getFloatAttr(type, APFloat::getInf(semantics, kind == 2));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  APInt numbers[] = {APInt(width, 0), APInt(width, 1),
                     APInt::getSignedMinValue(width),
                     APInt::getSignedMaxValue(width)};
  return b.getIntegerAttr(type, numbers[kind]);
}

Value egg::fuzz::combine(OpBuilder &b, Location loc, Value lhs, Value rhs,
                         int kind) {
  if (isa<FloatType>(lhs.getType())) {
    switch (kind) {
    case 0:
      return arith::AddFOp::create(b, loc, lhs, rhs);
    case 1:
      return arith::MulFOp::create(b, loc, lhs, rhs);
    case 2:
      return arith::MaximumFOp::create(b, loc, lhs, rhs);
    default:
      return arith::MinimumFOp::create(b, loc, lhs, rhs);
    }
  }
  switch (kind) {
  case 0:
    return arith::AddIOp::create(b, loc, lhs, rhs);
  case 1:
    return arith::MulIOp::create(b, loc, lhs, rhs);
  case 2:
    return arith::MaxSIOp::create(b, loc, lhs, rhs);
  default:
    return arith::MinSIOp::create(b, loc, lhs, rhs);
  }
}

namespace {

/// Which loops a reduction sums over, and what is left.
struct ReducedLoops {
  Shape loops, kept;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> keptExprs;
};

} // namespace

static ReducedLoops pickReduced(PayloadBuilder &p, ArrayRef<int64_t> loops) {
  ReducedLoops result;
  result.loops.assign(loops.begin(), loops.end());
  SmallVector<bool> reduced(loops.size());
  for (size_t d = 0; d < loops.size(); ++d)
    reduced[d] = p.choices.chance(50);
  if (!llvm::is_contained(reduced, true))
    reduced[p.choices.index(loops.size())] = true;
  SmallVector<unsigned> keptDims;
  for (size_t d = 0; d < loops.size(); ++d) {
    result.iterators.push_back(reduced[d] ? utils::IteratorType::reduction
                                          : utils::IteratorType::parallel);
    if (!reduced[d])
      keptDims.push_back(d);
  }
  if (p.choices.chance(15))
    p.choices.shuffle(keptDims);
  for (unsigned d : keptDims) {
    result.kept.push_back(loops[d]);
    result.keptExprs.push_back(p.b.getAffineDimExpr(d));
  }
  return result;
}

static void addReduction(PayloadBuilder &p) {
  Value first = p.pickTensor();
  if (shapeOf(first).empty())
    return;
  ReducedLoops r = pickReduced(p, shapeOf(first));
  SmallVector<Access> inputs = {{first, p.identity(r.loops.size())}};
  bool rounded = p.isRounded(first);
  if (p.choices.chance(20)) {
    inputs.push_back(p.pickAccess(r.loops, elementOf(first)));
    rounded |= p.isRounded(inputs.back().tensor);
  }
  AffineMap resultMap =
      AffineMap::get(r.loops.size(), 0, r.keptExprs, p.b.getContext());
  Type type = p.choices.chance(85) ? elementOf(first) : p.pickElement();
  // One result, or two reductions of the same elements.
  int64_t count = p.choices.chance(12) ? 2 : 1;
  SmallVector<Access> inits;
  SmallVector<int> kinds;
  for (int64_t i = 0; i < count; ++i) {
    static constexpr int kKinds[] = {0, 0, 0, 2, 2, 3, 1};
    int kind = p.choices.pick(kKinds);
    TypedAttr start = getNeutral(p.b, type, kind);
    Value init = p.fill(r.kept, start);
    // An accumulator that starts from something else.
    if (p.choices.chance(8))
      if (Value other = p.findTensor(init.getType())) {
        init = other;
        rounded |= p.isRounded(other);
      }
    kinds.push_back(kind);
    inits.push_back({init, resultMap});
  }
  // Long products overflow in one order and not in another.
  int64_t length =
      ShapedType::getNumElements(r.loops) / ShapedType::getNumElements(r.kept);
  bool isProduct = llvm::is_contained(kinds, 1);
  if (isProduct && isa<FloatType>(type) &&
      (length > 8 || rounded || inputs.size() > 1))
    return;
  bool plain = isProduct || p.choices.chance(60);
  auto op = p.generic(
      inputs, inits, r.iterators,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        ValueRange read = arguments.take_front(inputs.size());
        SmallVector<Value> sums;
        for (auto [kind, sum] :
             llvm::zip_equal(kinds, arguments.drop_front(inputs.size()))) {
          ExpressionRules rules{!rounded, unsigned(r.loops.size()), false};
          Value element =
              plain && read.size() == 1 &&
                      (!rounded || isa<FloatType>(type) ||
                       !isa<FloatType>(read[0].getType()))
                  ? convertTo(b, loc, read[0], type)
                  : buildExpression(b, loc, read, type, p.choices, rules);
          sums.push_back(p.choices.chance(80)
                             ? combine(b, loc, element, sum, kind)
                             : combine(b, loc, sum, element, kind));
        }
        linalg::YieldOp::create(b, loc, sums);
      });
  for (Value result : op.getResults())
    p.offer(result, rounded || isa<FloatType>(type));
}

/// The place of the greatest or least element: value and index together, in
/// the way torch-mlir writes it.
static void addArgument(PayloadBuilder &p) {
  Value x = p.pickTensor();
  if (shapeOf(x).empty() || p.isRounded(x) || elementOf(x).isInteger(1))
    return;
  size_t dim = p.choices.index(shapeOf(x).size());
  Shape kept(shapeOf(x));
  kept.erase(kept.begin() + dim);
  SmallVector<utils::IteratorType> iterators(shapeOf(x).size(),
                                             utils::IteratorType::parallel);
  iterators[dim] = utils::IteratorType::reduction;
  AffineMap map = p.identity(shapeOf(x).size()).dropResult(dim);
  bool greatest = p.choices.chance(50);
  Type index = p.b.getI64Type();
  Type element = elementOf(x);
  SmallVector<Access> inits = {
      {p.fill(kept, getNeutral(p.b, element, greatest ? 2 : 3)), map},
      {p.fill(kept, p.b.getIntegerAttr(index, 0)), map}};
  auto op = p.generic(
      Access{x, p.identity(shapeOf(x).size())}, inits, iterators,
      [&](OpBuilder &b, Location loc, ValueRange a) {
        Value place = arith::IndexCastOp::create(
            b, loc, index, linalg::IndexOp::create(b, loc, uint64_t(dim)));
        Value best = combine(b, loc, a[0], a[1], greatest ? 2 : 3);
        Value better =
            isa<FloatType>(element)
                ? Value(arith::CmpFOp::create(b, loc,
                                              greatest
                                                  ? arith::CmpFPredicate::OGT
                                                  : arith::CmpFPredicate::OLT,
                                              a[0], a[1]))
                : Value(arith::CmpIOp::create(b, loc,
                                              greatest
                                                  ? arith::CmpIPredicate::sgt
                                                  : arith::CmpIPredicate::slt,
                                              a[0], a[1]));
        Value chosen = arith::SelectOp::create(b, loc, better, place, a[2]);
        linalg::YieldOp::create(b, loc, ValueRange{best, chosen});
      });
  p.offer(op.getResult(0), false);
  p.offer(op.getResult(1), false);
}

namespace {

/// A program over the rows of one tensor: statistics and what uses them.
class RowProgram {
public:
  RowProgram(PayloadBuilder &p, Value x)
      : p(p), x(x), dim(p.choices.index(shapeOf(x).size())) {}

  void softmax() {
    Value greatest = reduce(x, 2);
    Value shifted = perElement(
        {x, greatest}, [](OpBuilder &b, Location loc, ValueRange a) -> Value {
          return math::ExpOp::create(b, loc,
                                     arith::SubFOp::create(b, loc, a[0], a[1]));
        });
    finish({shifted, reduce(shifted, 0)},
           [](OpBuilder &b, Location loc, ValueRange a) -> Value {
             return arith::DivFOp::create(b, loc, a[0], a[1]);
           });
  }

  void norm() {
    Value mean = scaled(reduce(x, 0), false);
    Value centred = perElement(
        {x, mean}, [](OpBuilder &b, Location loc, ValueRange a) -> Value {
          return arith::SubFOp::create(b, loc, a[0], a[1]);
        });
    Value square = perElement(
        {centred}, [](OpBuilder &b, Location loc, ValueRange a) -> Value {
          return arith::MulFOp::create(b, loc, a[0], a[0]);
        });
    finish({centred, scaled(reduce(square, 0), true)},
           [](OpBuilder &b, Location loc, ValueRange a) -> Value {
             return arith::MulFOp::create(b, loc, a[0], a[1]);
           });
  }

private:
  using Body = llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;

  AffineMap rowMap() { return p.identity(shapeOf(x).size()).dropResult(dim); }
  Value reduce(Value of, int kind) {
    Shape kept(shapeOf(x));
    kept.erase(kept.begin() + dim);
    SmallVector<utils::IteratorType> iterators(shapeOf(x).size(),
                                               utils::IteratorType::parallel);
    iterators[dim] = utils::IteratorType::reduction;
    Access init{p.fill(kept, getNeutral(p.b, elementOf(x), kind)), rowMap()};
    return p
        .generic(Access{of, p.identity(shapeOf(x).size())}, init, iterators,
                 [&](OpBuilder &b, Location loc, ValueRange a) {
                   linalg::YieldOp::create(b, loc,
                                           combine(b, loc, a[0], a[1], kind));
                 })
        .getResult(0);
  }
  /// Of the row's number: over its length, or the root of that turned over.
  Value scaled(Value rows, bool root) {
    double length = double(shapeOf(x)[dim]);
    return p.map(
        shapeOf(rows), elementOf(x),
        Access{rows, p.identity(shapeOf(rows).size())},
        [&](OpBuilder &b, ValueRange a) -> Value {
          auto number = [&](double n) -> Value {
            return arith::ConstantOp::create(b, p.loc,
                                             b.getFloatAttr(elementOf(x), n));
          };
          Value mean = arith::DivFOp::create(b, p.loc, a[0], number(length));
          if (!root)
            return mean;
          return math::RsqrtOp::create(
              b, p.loc, arith::AddFOp::create(b, p.loc, mean, number(1e-3)));
        });
  }
  Value perElement(ArrayRef<Value> operands, Body body) {
    SmallVector<Access> inputs;
    for (Value operand : operands)
      inputs.push_back({operand, shapeOf(operand).size() == shapeOf(x).size()
                                     ? p.identity(shapeOf(x).size())
                                     : rowMap()});
    return p.map(shapeOf(x), elementOf(x), inputs,
                 [&](OpBuilder &b, ValueRange a) { return body(b, p.loc, a); });
  }
  void finish(ArrayRef<Value> operands, Body body) {
    p.offer(perElement(operands, body), true);
    if (p.choices.chance(20))
      p.offer(operands.back(), true);
  }

  PayloadBuilder &p;
  Value x;
  size_t dim;
};

} // namespace

static void addRowProgram(PayloadBuilder &p) {
  Value x = p.pickTensor();
  if (shapeOf(x).empty() || !isa<FloatType>(elementOf(x)))
    x = p.addInput(p.pickShape(1, 3, 2000), p.pickFloat());
  RowProgram program(p, x);
  if (p.choices.chance(50))
    program.softmax();
  else
    program.norm();
}

static void addScan(PayloadBuilder &p) {
  Value x = p.pickTensor();
  if (shapeOf(x).empty() || elementOf(x).isInteger(1))
    return;
  static constexpr ScanKind kKinds[] = {ScanKind::Add, ScanKind::Max,
                                        ScanKind::Min, ScanKind::Mul};
  ScanKind kind = p.choices.pick(kKinds);
  // Long products overflow in one order and not in another.
  if (kind == ScanKind::Mul && isa<FloatType>(elementOf(x)))
    kind = ScanKind::Add;
  auto scan = ScanOp::create(p.b, p.loc, x.getType(), kind, x,
                             p.choices.index(shapeOf(x).size()),
                             p.choices.chance(30), p.choices.chance(30));
  p.offer(scan.getResult(), p.isRounded(x) || isa<FloatType>(elementOf(x)));
}

ArrayRef<PayloadPart> egg::fuzz::getReductionParts() {
  static constexpr PayloadPart kParts[] = {{"reduction", addReduction, 8},
                                           {"row-program", addRowProgram, 3},
                                           {"argument", addArgument, 1},
                                           {"scan", addScan, 2}};
  return kParts;
}
