//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Interval.h"
#include <algorithm>

using namespace egg;

Integer egg::powerOfTwo(unsigned exponent) {
  Integer power(1);
  for (unsigned i = 0; i < exponent; ++i)
    power *= 2;
  return power;
}

Interval Interval::ofWidth(unsigned width) {
  if (width == 1)
    return {Integer(0), Integer(1)};
  Integer half = powerOfTwo(width - 1);
  return {-half, half - 1};
}

Interval Interval::toBits() const {
  Integer power(1);
  while (power <= high || power < -low)
    power *= 2;
  return {low < 0 ? -power : Integer(0), power - 1};
}

Interval egg::unite(const Interval &a, const Interval &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval egg::operator+(const Interval &a, const Interval &b) {
  return {a.low + b.low, a.high + b.high};
}

Interval egg::operator-(const Interval &a, const Interval &b) {
  return {a.low - b.high, a.high - b.low};
}

Interval egg::operator*(const Interval &a, const Interval &b) {
  auto [low, high] = std::minmax(
      {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

Interval egg::floorDiv(const Interval &a, const Integer &divisor) {
  return {llvm::floorDiv(a.low, divisor), llvm::floorDiv(a.high, divisor)};
}
