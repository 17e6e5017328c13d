//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations that lose bits of integers: quotients, remainders, masks.
//
//===----------------------------------------------------------------------===//
#include "IntegerArithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace egg;

static Integer largestMagnitude(const Interval &a) {
  return std::max(llvm::abs(a.low), llvm::abs(a.high));
}

static constexpr const char *kNotTried =
    "divides, or is divided by, values that depend on the extents in a way "
    "that is not followed";

IntegerValue IntegerArithmetic::divide(Operation *op, const IntegerValue &a,
                                       const IntegerValue &b,
                                       Rounding rounding) const {
  std::optional<Integer> divisor = b.getConstant();
  if (divisor && *divisor == 1)
    return a;
  IntegerValue result = inherit(a, b);
  if (!divisor || *divisor <= 0) {
    Integer most = largestMagnitude(a.full);
    result.full = {-most, most};
    if (result.follows)
      findings.add(op, kNotTried);
    return result;
  }
  auto quotient = [&](const Interval &range) {
    Interval low = floorDiv(range, *divisor);
    bool isExact = rounding == Rounding::Down ||
                   (rounding == Rounding::Zero && range.low >= 0);
    return isExact ? low : Interval{low.low, low.high + 1};
  };
  result.full = quotient(a.full);
  if (a.tried)
    result.tried = floorDiv(*a.tried, *divisor);
  if (rounding == Rounding::Down || a.full.low >= 0)
    result.setSamples(a, b, [](auto &x, auto &y) { return floorDiv(x, y); });
  if (a.progression && (rounding != Rounding::Zero || a.full.low >= 0))
    result.progression = a.progression->floorDiv(*divisor);
  if (result.progression)
    findings.addRepeating(op, *result.progression);
  else if (result.follows)
    findings.add(op, kNotTried);
  return result;
}

IntegerValue IntegerArithmetic::remainder(Operation *op, const IntegerValue &a,
                                          const IntegerValue &b) const {
  std::optional<Integer> divisor = b.getConstant();
  IntegerValue result = inherit(a, b);
  if (!divisor || *divisor == 0) {
    Integer most = largestMagnitude(a.full);
    result.full = {-most, most};
    if (result.follows)
      findings.add(op, kNotTried);
    return result;
  }
  Integer modulus = llvm::abs(*divisor);
  Interval whole{Integer(0), modulus - 1};
  if (whole.contains(a.full))
    return a;
  bool isFloor = isa<affine::AffineApplyOp>(op);
  bool isPositive = isFloor || a.full.low >= 0;
  result.full = isPositive ? whole : Interval{-whole.high, whole.high};
  if (a.tried && whole.contains(*a.tried))
    result.tried = a.tried;
  else if (a.tried && a.tried->contains(whole))
    result.tried = whole;
  if (isPositive)
    result.setSamples(a, IntegerValue::ofConstant(modulus),
                      [](auto &x, auto &y) { return llvm::mod(x, y); });
  if (a.progression && isPositive)
    result.progression = a.progression->replaceModulo(modulus, false);
  if (result.progression)
    findings.addRepeating(op, *result.progression);
  else if (result.follows)
    findings.add(op, kNotTried);
  return result;
}

IntegerValue
IntegerArithmetic::bitsWithConstant(Operation *op, const IntegerValue &a,
                                    const Integer &constant) const {
  bool isAnd = isa<arith::AndIOp>(op);
  // Above the constant's bits a mask has zeros, and the others change nothing.
  Interval whole = Interval::ofConstant(constant).toBits();
  if (isAnd && whole.high == constant && whole.contains(a.full))
    return a;
  IntegerValue result = inherit(a, IntegerValue());
  result.full = isAnd ? Interval{Integer(0), constant}
                      : unite(a.full, Interval::ofConstant(constant)).toBits();
  if (isAnd && a.tried && a.tried->contains(whole))
    result.tried = result.full;
  if (a.progression)
    result.progression = a.progression->replaceModulo(whole.high + 1, !isAnd);
  if (result.progression)
    findings.addRepeating(op, *result.progression);
  else
    checkBitsTried(op, a);
  return result;
}

IntegerValue IntegerArithmetic::bits(Operation *op, const IntegerValue &a,
                                     const IntegerValue &b) const {
  for (auto [mask, other] : {std::pair(&b, &a), std::pair(&a, &b)}) {
    std::optional<Integer> constant = mask->getConstant();
    if (constant && *constant >= 0)
      return bitsWithConstant(op, *other, *constant);
    if (constant && *constant == -1 && isa<arith::XOrIOp>(op))
      return subtract(*mask, *other);
  }
  IntegerValue result = inherit(a, b);
  result.full = unite(a.full, b.full).toBits();
  for (auto [mask, other] : {std::pair(&b, &a), std::pair(&a, &b)}) {
    if (isa<arith::AndIOp>(op) && mask->full.low >= 0)
      result.full = {Integer(0), std::min(result.full.high, mask->full.high)};
    checkBitsTried(op, *other);
  }
  return result;
}
