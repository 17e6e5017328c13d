//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IndexRanges.h"
#include <cmath>

using namespace egg;

double IndexBound::evaluate(const DimSystem &system) const {
  double sum = constant;
  for (auto [loop, factor] : factors)
    sum += factor * double(system.getOriginal(loop) - 1);
  return sum;
}

IndexBound egg::operator+(IndexBound a, const IndexBound &b) {
  a.constant += b.constant;
  for (auto [loop, factor] : b.factors)
    a.factors[loop] += factor;
  return a;
}

IndexBound egg::operator*(IndexBound a, double factor) {
  if (factor == 0)
    return {};
  a.constant *= factor;
  for (auto &[loop, known] : a.factors)
    known *= factor;
  return a;
}

IndexRange IndexRange::ofLoop(DimSystem::Var loop) {
  IndexRange range;
  range.high.factors[loop] = 1;
  return range;
}

IndexRange IndexRange::ofConstant(double value, mlir::Location loc) {
  IndexRange range;
  range.low.constant = range.high.constant = value;
  range.largest.emplace(value, loc);
  return range;
}

std::optional<double> IndexRange::getConstant() const {
  if (isOpaque || dependsOnLoops() || low.constant != high.constant)
    return std::nullopt;
  return low.constant;
}

/// Both have their part in a value.
static void inherit(IndexRange &result, const IndexRange &a,
                    const IndexRange &b) {
  result.isOpaque = a.isOpaque || b.isOpaque;
  result.largest = a.largest;
  if (!a.largest ||
      (b.largest && std::abs(b.largest->first) > std::abs(a.largest->first)))
    result.largest = b.largest;
}

IndexRange egg::operator+(const IndexRange &a, const IndexRange &b) {
  IndexRange sum;
  sum.low = a.low + b.low;
  sum.high = a.high + b.high;
  inherit(sum, a, b);
  return sum;
}

IndexRange egg::operator-(const IndexRange &a, const IndexRange &b) {
  return a + scale(b, -1);
}

IndexRange egg::operator*(const IndexRange &a, const IndexRange &b) {
  for (auto [factor, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (std::optional<double> value = factor->getConstant()) {
      IndexRange product = scale(*other, *value);
      inherit(product, a, b);
      return product;
    }
  return IndexRange::opaque(a, b);
}

IndexRange IndexRange::opaque(const IndexRange &a, const IndexRange &b) {
  IndexRange result = a + b;
  result.high = result.high + result.low * -1;
  result.low = {};
  result.isOpaque = true;
  return result;
}

IndexRange egg::scale(IndexRange range, double factor) {
  range.low = range.low * factor;
  range.high = range.high * factor;
  if (factor < 0)
    std::swap(range.low, range.high);
  return range;
}

IndexRange egg::unite(const IndexRange &a, const IndexRange &b,
                      const DimSystem &system) {
  if (a.isOpaque || b.isOpaque)
    return IndexRange::opaque(a, b);
  IndexRange result;
  result.low = a.low.evaluate(system) <= b.low.evaluate(system) ? a.low : b.low;
  result.high =
      a.high.evaluate(system) >= b.high.evaluate(system) ? a.high : b.high;
  inherit(result, a, b);
  return result;
}
