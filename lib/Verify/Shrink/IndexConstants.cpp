//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Constants that loop indices are compared with, or divided by: the extents
// should be so large that both outcomes occur, if they do at the original ones.
//
//===----------------------------------------------------------------------===//
#include "IndexRanges.h"
#include "PayloadDims.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace egg;

namespace {

/// Of a value; nothing where data takes part in it.
using Known = std::optional<IndexRange>;

/// Follows the values that are computed from indices and constants alone.
class IndexConstants {
public:
  using GetLoop =
      llvm::function_ref<std::optional<DimSystem::Var>(linalg::IndexOp)>;
  IndexConstants(const DimSystem &system, std::vector<ExtentWish> &wishes,
                 GetLoop getLoop)
      : system(system), wishes(wishes), getLoop(getLoop) {}

  void visit(Operation *op);

private:
  Known get(Value value) const {
    auto known = ranges.find(value);
    return known == ranges.end() ? std::nullopt : Known(known->second);
  }
  void set(Value value, const Known &range) {
    if (range)
      ranges.insert_or_assign(value, *range);
  }
  /// The two are compared: their difference should take both signs.
  void meet(const IndexRange &a, const IndexRange &b, Operation *op);
  void reach(const IndexBound &most, const IndexRange &about, Operation *op);
  void addWish(ArrayRef<DimSystem::Term> terms, int64_t minimum,
               const IndexRange &about, Operation *op);
  Known evaluateConstant(arith::ConstantOp op) const;
  Known evaluateUnary(Operation *op);
  Known evaluateBinary(Operation *op);
  Known evaluateBits(Operation *op, const IndexRange &a, const IndexRange &b);
  Known divide(const IndexRange &a, const IndexRange &b, Operation *op);
  Known remainder(const IndexRange &a, const IndexRange &b, Operation *op);
  Known evaluate(AffineExpr expr, affine::AffineApplyOp op);

  const DimSystem &system;
  std::vector<ExtentWish> &wishes;
  GetLoop getLoop;
  llvm::DenseMap<Value, IndexRange> ranges;
};

} // namespace

void IndexConstants::addWish(ArrayRef<DimSystem::Term> terms, int64_t minimum,
                             const IndexRange &about, Operation *op) {
  int64_t least = 0;
  for (auto [factor, loop] : terms)
    least += factor;
  // It holds wherever there are any iterations.
  if (minimum <= least)
    return;
  ExtentWish wish{SmallVector<DimSystem::Term, 4>(terms), minimum,
                  about.largest ? about.largest->second : op->getLoc(),
                  "an index that no constant is known of"};
  if (about.largest)
    wish.what = llvm::formatv("the constant {0}",
                              llvm::format("%.9g", about.largest->first));
  wishes.push_back(std::move(wish));
}

void IndexConstants::reach(const IndexBound &most, const IndexRange &about,
                           Operation *op) {
  double original = most.evaluate(system);
  if (original < 0 || most.factors.empty())
    return;
  double least = std::numeric_limits<double>::max(), wanted = -most.constant;
  for (auto [loop, factor] : most.factors)
    least = std::min(least, factor);
  // One element beyond, so that <, <= and == differ.
  bool isFloat =
      isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType()));
  wanted += std::min(original, isFloat ? least : std::max(least, 1.0));
  SmallVector<DimSystem::Term, 4> terms;
  int64_t most64 = 0;
  for (auto [loop, factor] : most.factors) {
    wanted += factor;
    terms.emplace_back(int64_t(factor / least), loop);
    most64 += terms.back().first * system.getOriginal(loop);
  }
  double minimum = std::ceil(wanted / least - 1e-6);
  addWish(terms, minimum < double(most64) ? int64_t(minimum) : most64, about,
          op);
}

void IndexConstants::meet(const IndexRange &a, const IndexRange &b,
                          Operation *op) {
  IndexRange difference = a - b;
  if (!difference.isOpaque) {
    IndexBound above = difference.high, below = difference.low * -1;
    for (auto [most, other] : {std::pair(&above, &below), {&below, &above}}) {
      reach(*most, difference, op);
      // 16384 i < j shows its factor where i is 1 and j goes beyond it.
      for (auto [loop, factor] : other->factors) {
        IndexBound atOne = *most;
        atOne.constant -= factor;
        if (factor > 1 && system.getOriginal(loop) > 1)
          reach(atOne, difference, op);
      }
    }
    return;
  }
  for (const IndexBound *bound : {&difference.low, &difference.high})
    for (auto [loop, factor] : bound->factors)
      addWish({{1, loop}}, system.getOriginal(loop), difference, op);
}

/// The value of a scalar or splat; of a table the largest, which is reached
/// last.
Known IndexConstants::evaluateConstant(arith::ConstantOp op) const {
  auto toRange = [&](double value) {
    return IndexRange::ofConstant(value, op.getLoc());
  };
  Attribute attribute = op.getValue();
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return toRange(number.getValue().signedRoundToDouble());
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return toRange(number.getValueAsDouble());
  if (auto splat = dyn_cast<SplatElementsAttr>(attribute);
      splat && isa<FloatType>(splat.getElementType()))
    return toRange(splat.getSplatValue<FloatAttr>().getValueAsDouble());
  auto table = dyn_cast<DenseIntElementsAttr>(attribute);
  if (!table || table.empty())
    return std::nullopt;
  double largest = std::numeric_limits<double>::lowest();
  for (const APInt &value : table)
    largest = std::max(largest, value.signedRoundToDouble());
  return toRange(largest);
}

/// A quotient changes where the one reaches the other.
Known IndexConstants::divide(const IndexRange &a, const IndexRange &b,
                             Operation *op) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(op->getResultTypes()[0]));
  if (!isFloat)
    meet(a, b, op);
  std::optional<double> divisor = b.getConstant();
  if (!divisor || *divisor == 0)
    return IndexRange::opaque(a, b);
  return a * IndexRange::ofConstant(1 / *divisor, b.largest->second);
}

Known IndexConstants::remainder(const IndexRange &a, const IndexRange &b,
                                Operation *op) {
  meet(a, b, op);
  std::optional<double> divisor = b.getConstant();
  if (!divisor)
    return IndexRange::opaque(a, b);
  double most = std::abs(*divisor) - 1;
  bool isNegative = a.low.evaluate(system) < 0;
  if (!isNegative && a.high.evaluate(system) <= most)
    return a;
  IndexRange result;
  result.low.constant = isNegative ? -most : 0;
  result.high.constant = most;
  result.largest = b.largest;
  return result;
}

Known IndexConstants::evaluateBits(Operation *op, const IndexRange &a,
                                   const IndexRange &b) {
  std::optional<double> constant = b.getConstant();
  if (!constant || *constant < 0 || *constant > 1e15)
    return IndexRange::opaque(a, b);
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op)) {
    IndexRange power = IndexRange::ofConstant(std::ldexp(1, int(*constant)),
                                              b.largest->second);
    return isa<arith::ShLIOp>(op) ? a * power : divide(a, power, op);
  }
  // Beyond the constant's highest bit they repeat.
  double period = double(llvm::NextPowerOf2(uint64_t(*constant)));
  IndexRange power = IndexRange::ofConstant(period, b.largest->second);
  if (isa<arith::AndIOp>(op))
    return remainder(a, power, op);
  meet(a, power, op);
  return IndexRange::opaque(a, b);
}

Known IndexConstants::evaluateBinary(Operation *op) {
  Known a = get(op->getOperand(0)), b = get(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::AddIOp, arith::AddFOp>(op))
    return *a + *b;
  if (isa<arith::SubIOp, arith::SubFOp>(op))
    return *a - *b;
  if (isa<arith::MulIOp, arith::MulFOp>(op))
    return *a * *b;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::DivFOp>(op))
    return divide(*a, *b, op);
  if (isa<arith::RemSIOp, arith::RemUIOp, arith::RemFOp>(op))
    return remainder(*a, *b, op);
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::AndIOp,
          arith::OrIOp, arith::XOrIOp>(op))
    return evaluateBits(op, *a, *b);
  if (isa<arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp,
          arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(op)) {
    meet(*a, *b, op);
    return unite(*a, *b, system);
  }
  return IndexRange::opaque(*a, *b);
}

Known IndexConstants::evaluateUnary(Operation *op) {
  Known a = get(op->getOperand(0));
  if (!a)
    return std::nullopt;
  auto width = [](Type type) {
    type = getElementTypeOrSelf(type);
    return type.isIndex()     ? 64u
           : type.isInteger() ? type.getIntOrFloatBitWidth()
                              : 64u;
  };
  unsigned to = width(op->getResult(0).getType());
  // What does not fit wraps.
  if (to < width(op->getOperand(0).getType()))
    meet(*a, IndexRange::ofConstant(std::ldexp(1, int(to) - 1), op->getLoc()),
         op);
  if (isa<math::AbsIOp, math::AbsFOp>(op)) {
    meet(*a, IndexRange(), op);
    return unite(*a, scale(*a, -1), system);
  }
  if (isa<arith::NegFOp>(op))
    return scale(*a, -1);
  if (isa<CastOpInterface, math::FloorOp, math::CeilOp, math::RoundOp,
          math::RoundEvenOp, math::TruncOp>(op))
    return a;
  return IndexRange::opaque(*a, *a);
}

Known IndexConstants::evaluate(AffineExpr expr, affine::AffineApplyOp op) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexRange::ofConstant(double(constant.getValue()), op.getLoc());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return get(op.getMapOperands()[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return get(op.getMapOperands()[op.getAffineMap().getNumDims() +
                                   symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Known a = evaluate(binary.getLHS(), op), b = evaluate(binary.getRHS(), op);
  if (!a || !b)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return *a + *b;
  case AffineExprKind::Mul:
    return *a * *b;
  case AffineExprKind::Mod:
    return remainder(*a, *b, op);
  default:
    return divide(*a, *b, op);
  }
}

void IndexConstants::visit(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    // Accumulators follow from more than an index.
    for (OpOperand &operand : op->getOpOperands())
      if (linalgOp.getNumReductionLoops() == 0 || linalgOp.isDpsInput(&operand))
        set(linalgOp.getMatchingBlockArgument(&operand), get(operand.get()));
    return;
  }
  if (isa<linalg::YieldOp>(op)) {
    for (auto [value, result] :
         llvm::zip(op->getOperands(), op->getParentOp()->getResults()))
      set(result, get(value));
    return;
  }
  if (op->getNumRegions() != 0 || op->getNumResults() != 1)
    return;
  Value result = op->getResult(0);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return set(result, evaluateConstant(constant));
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    if (std::optional<DimSystem::Var> loop = getLoop(index))
      set(result, IndexRange::ofLoop(*loop));
    return;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return set(result, evaluate(apply.getAffineMap().getResult(0), apply));
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp, tensor::CastOp>(op))
    return set(result, get(op->getOperand(0)));
  if (isa<arith::CmpIOp, arith::CmpFOp>(op)) {
    Known a = get(op->getOperand(0)), b = get(op->getOperand(1));
    if (!a || !b)
      return;
    meet(*a, *b, op);
    // Negative numbers are the largest there.
    if (auto compare = dyn_cast<arith::CmpIOp>(op);
        compare && compare.getPredicate() >= arith::CmpIPredicate::ult)
      for (const IndexRange &side : {*a, *b})
        meet(side, IndexRange(), op);
    return;
  }
  if (isa<arith::SelectOp>(op)) {
    Known a = get(op->getOperand(1)), b = get(op->getOperand(2));
    return set(result, a && b ? unite(*a, *b, system) : (a ? a : b));
  }
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()))
    return;
  if (op->getNumOperands() == 1)
    set(result, evaluateUnary(op));
  else if (op->getNumOperands() == 2)
    set(result, evaluateBinary(op));
}

void PayloadDims::collectConstantWishes(func::FuncOp function) {
  auto getLoop = [&](linalg::IndexOp index) -> std::optional<DimSystem::Var> {
    auto nest = nestOf.find(index->getParentOp());
    if (nest == nestOf.end())
      return std::nullopt;
    return system.find(loopNests[nest->second][index.getDim()]);
  };
  IndexConstants constants(system, wishes, getLoop);
  function.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { constants.visit(op); });
}
