//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExactValues.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Import/InputRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace egg;

namespace {

/// A float type's precision in bits and the powers of two between which it
/// holds every number of that many bits.
struct Format {
  unsigned bit;
  int precision, least, most;
};

constexpr unsigned kAllFormats = 15;

} // namespace

static Format getFormat(Type type) {
  if (type.isF16())
    return {1, 11, -14, 15};
  if (type.isBF16())
    return {2, 8, -126, 127};
  if (type.isF32())
    return {4, 24, -126, 127};
  return {8, 53, -1022, 1023};
}

/// The types that hold all numbers of a float type.
static unsigned getWiderFormats(Type type) {
  return type.isF16() ? 13 : type.isBF16() ? 14 : type.isF32() ? 12 : 8;
}

ExactValues::Range ExactValues::getInteger(Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return {true, width == 1 ? 1 : std::ldexp(1.0, int(width)), 1, 0};
}

ExactValues::Range ExactValues::join(const Range &a, const Range &b) {
  if (!a.exact || !b.exact)
    return {};
  return {true, std::max(a.bound, b.bound), std::min(a.quantum, b.quantum),
          a.formats & b.formats};
}

ExactValues::Range ExactValues::store(Range range, Type type) {
  Format format = getFormat(type);
  if (range.formats & format.bit)
    return range;
  // Written so that NaN, of zero times infinity, is not exact.
  if (range.bound != 0 &&
      !(range.bound <= std::ldexp(range.quantum, format.precision) &&
        range.bound < std::ldexp(1.0, format.most) &&
        range.quantum >= std::ldexp(1.0, format.least)))
    return {};
  range.formats = getWiderFormats(type);
  return range;
}

ExactValues::Range ExactValues::getConstant(Attribute attribute) {
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute)) {
    if (elements.isSplat())
      return getConstant(elements.getSplatValue<Attribute>());
    Range all{true, 0, HUGE_VAL, kAllFormats};
    for (Attribute element : elements.getValues<Attribute>())
      all = join(all, getConstant(element));
    return all;
  }
  double value;
  if (auto number = dyn_cast<FloatAttr>(attribute))
    value = number.getValueAsDouble();
  else if (auto number = dyn_cast<IntegerAttr>(attribute))
    value = number.getValue().signedRoundToDouble();
  else
    return {};
  Range range{true, 0, HUGE_VAL, kAllFormats};
  // Infinities and NaN stay what they are.
  if (value == 0 || !std::isfinite(value))
    return range;
  range.bound = std::abs(value);
  int exponent;
  auto digits = uint64_t(std::ldexp(std::frexp(range.bound, &exponent), 53));
  range.quantum = std::ldexp(1.0, exponent - 53 + llvm::countr_zero(digits));
  range.formats = 0;
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    Builder b(attribute.getContext());
    for (Type type : {Type(b.getF16Type()), Type(b.getBF16Type()),
                      Type(b.getF32Type()), Type(b.getF64Type())}) {
      APFloat rounded = number.getValue();
      bool losesInfo;
      rounded.convert(cast<FloatType>(type).getFloatSemantics(),
                      APFloat::rmNearestTiesToEven, &losesInfo);
      if (!losesInfo)
        range.formats |= getFormat(type).bit;
    }
  }
  return range;
}

ExactValues::Range ExactValues::getArgument(Type type, bool isBuffer,
                                            int64_t bound, ExactOn inputs) {
  bool small = inputs == ExactOn::SmallIntegers;
  if (!isa<FloatType>(type)) {
    Range range = getInteger(type);
    if (bound || small)
      range.bound = std::min(range.bound, bound ? double(bound) : 10);
    return range;
  }
  if (small && !isBuffer)
    return {true, 2, 1, kAllFormats};
  return {true, HUGE_VAL, 0, getWiderFormats(type)};
}

ExactValues::ExactValues(ModuleOp payload, ExactOn inputs) {
  auto signature = getPayloadSignature(payload);
  if (!signature || inputs == ExactOn::Nothing) {
    llvm::consumeError(signature.takeError());
    return;
  }
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  InputRules rules = readInputRules(payload);
  for (auto [argument, spec, bound, guarded] :
       llvm::zip_equal(main.getArguments(), signature->arguments, rules.bounds,
                       rules.guarded)) {
    int64_t beyond = bound;
    for (int64_t value : guarded)
      beyond = std::max(beyond, value < 0 ? -value : value + 1);
    ranges[argument] = getArgument(getElementTypeOrSelf(argument.getType()),
                                   spec.kind == "buffer", beyond, inputs);
  }
  for (Operation &op : main.front())
    visit(&op);
}

void ExactValues::visit(Operation *op) {
  if (isa<linalg::LinalgOp>(op))
    return visitLinalg(op);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        if (argument.getType().isIndex())
          ranges[argument] = getInteger(argument.getType());
      for (Operation &inner : block)
        visit(&inner);
    }
  if (op->getNumResults() == 1)
    ranges[op->getResult(0)] = evaluate(op);
}

void ExactValues::visitLinalg(Operation *op) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  Block *body = linalgOp.getBlock();
  SmallVector<int64_t> extents = linalgOp.getStaticLoopRanges();
  int64_t length = 1;
  for (auto [extent, kind] :
       llvm::zip_equal(extents, linalgOp.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      length *= std::max<int64_t>(extent, 1);
  for (auto [argument, operand] :
       llvm::zip_equal(body->getArguments(), op->getOperands()))
    ranges[argument] = get(operand);
  // A range that still grows after so many rounds is taken to grow for ever.
  constexpr int64_t kMaxRounds = 1 << 16;
  bool ends = length == 1;
  for (int64_t round = 0; round < std::min(length, kMaxRounds); ++round) {
    for (Operation &inner : *body) {
      visit(&inner);
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        ranges[index.getResult()] = {true, double(extents[index.getDim()]), 1,
                                     0};
    }
    if (length == 1)
      break;
    bool grows = false;
    for (auto [out, yielded] :
         llvm::zip_equal(linalgOp.getRegionOutputArgs(),
                         body->getTerminator()->getOperands())) {
      Range joined = join(get(out), get(yielded));
      grows |= !(joined == get(out));
      ranges[out] = joined;
    }
    ends |= !grows || round + 1 == length;
    if (!grows)
      break;
  }
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    Range range = length == 1
                      ? get(body->getTerminator()->getOperand(unsigned(number)))
                      : get(linalgOp.getRegionOutputArgs()[number]);
    range.exact &= ends;
    ranges[result] = range;
  }
}

ExactValues::Range ExactValues::evaluate(Operation *op) const {
  if (Attribute value; matchPattern(op, m_Constant(&value)))
    return getConstant(value);
  if (isa_and_present<tensor::TensorDialect>(op->getDialect()))
    return evaluateTensor(op);
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (auto scan = dyn_cast<ScanOp>(op)) {
    Range range = get(scan.getInput());
    bool extremum =
        scan.getKind() == ScanKind::Max || scan.getKind() == ScanKind::Min;
    if (type.isIntOrIndex() || extremum) {
      Range whole = type.isIntOrIndex() ? getInteger(type) : range;
      whole.exact = range.exact;
      return whole;
    }
    range.exact &= scan.getKind() == ScanKind::Add;
    range.bound *= double(
        cast<RankedTensorType>(scan.getInput().getType()).getNumElements());
    range.formats = 0;
    return store(range, type);
  }
  if (!isa_and_present<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      !llvm::all_of(op->getOperands(), [&](Value v) { return contains(v); }))
    return {};
  return isa<FloatType>(type) ? evaluateFloat(op, type)
                              : evaluateInteger(op, type);
}

/// Operands are exact.
ExactValues::Range ExactValues::evaluateFloat(Operation *op, Type type) const {
  Range a = get(op->getOperand(0));
  auto sum = [](const Range &x, const Range &y) -> Range {
    return {true, x.bound + y.bound, std::min(x.quantum, y.quantum), 0};
  };
  auto product = [](const Range &x, const Range &y) -> Range {
    return {true, x.bound * y.bound, x.quantum * y.quantum, 0};
  };
  if (isa<arith::SelectOp>(op))
    return join(get(op->getOperand(1)), get(op->getOperand(2)));
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(op))
    return join(a, get(op->getOperand(1)));
  if (isa<arith::NegFOp, math::AbsFOp, math::CopySignOp, arith::ExtFOp>(op))
    return a;
  if (isa<arith::AddFOp, arith::SubFOp>(op))
    return store(sum(a, get(op->getOperand(1))), type);
  if (isa<arith::MulFOp>(op))
    return store(product(a, get(op->getOperand(1))), type);
  if (isa<math::FmaOp>(op))
    return store(
        sum(product(a, get(op->getOperand(1))), get(op->getOperand(2))), type);
  if (isa<arith::TruncFOp, arith::SIToFPOp>(op))
    return store(a, type);
  if (isa<arith::UIToFPOp>(op))
    return store(getInteger(getElementTypeOrSelf(op->getOperand(0).getType())),
                 type);
  // Towards an integer no type loses anything.
  if (isa<math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp,
          math::RoundEvenOp>(op))
    return {true, a.bound + 1, std::max(a.quantum, 1.0), getWiderFormats(type)};
  return {};
}

/// Operands are exact.
ExactValues::Range ExactValues::evaluateInteger(Operation *op,
                                                Type type) const {
  Range whole = getInteger(type);
  Range a = op->getNumOperands() ? get(op->getOperand(0)) : Range();
  Range b = op->getNumOperands() > 1 ? get(op->getOperand(1)) : Range();
  Range range = whole;
  if (isa<arith::SelectOp>(op))
    range = join(b, get(op->getOperand(2)));
  else if (isa<arith::MaxSIOp, arith::MinSIOp>(op))
    range = join(a, b);
  else if (isa<arith::AddIOp, arith::SubIOp>(op))
    range.bound = a.bound + b.bound;
  else if (isa<arith::MulIOp>(op))
    range.bound = a.bound * b.bound;
  else if (isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp,
               arith::FPToSIOp>(op))
    range.bound = a.bound;
  else if (isa<arith::ExtUIOp>(op))
    range = getInteger(getElementTypeOrSelf(op->getOperand(0).getType()));
  return {true, std::min(range.bound, whole.bound), 1, 0};
}

/// Elements come from elements; which ones, indices say.
ExactValues::Range ExactValues::evaluateTensor(Operation *op) const {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  Range range{true, 0, HUGE_VAL, kAllFormats};
  if (!isa<ShapedType>(op->getResult(0).getType()) &&
      !isa<tensor::ExtractOp>(op))
    return element.isIntOrIndex() ? getInteger(element) : Range();
  auto take = [&](Value value) {
    if (isa<ShapedType>(value.getType()) || !value.getType().isIndex())
      range = join(range, get(value));
    else
      range.exact &= contains(value);
  };
  for (Value operand : op->getOperands())
    take(operand);
  for (Region &region : op->getRegions())
    for (Value yielded : region.front().getTerminator()->getOperands())
      take(yielded);
  return range;
}
