//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Progression.h"

using namespace egg;

static Progression::Along repeat(const Progression::Along &along,
                                 const Integer &times) {
  return {along.period * times, along.slope * times};
}

/// How many periods make the slope a multiple.
static Integer timesToDivide(const Progression::Along &along,
                             const Integer &divisor) {
  if (along.slope == 0)
    return Integer(1);
  return divisor / llvm::gcd(llvm::abs(along.slope), divisor);
}

Progression Progression::ofLoop(const PositionLoop &loop) {
  Progression result;
  result.loops[loop] = {Integer(1), Integer(1)};
  return result;
}

Progression egg::operator+(const Progression &a, const Progression &b) {
  Progression sum = a;
  sum.degree = std::max(a.degree, b.degree);
  for (const auto &[loop, along] : b.loops) {
    auto [known, isNew] = sum.loops.emplace(loop, along);
    if (isNew)
      continue;
    Integer period = llvm::lcm(known->second.period, along.period);
    known->second = repeat(known->second, period / known->second.period);
    known->second.slope += repeat(along, period / along.period).slope;
  }
  return sum;
}

Progression egg::operator*(const Progression &a, const Progression &b) {
  Progression product = a + b;
  product.degree = a.degree + b.degree;
  return product;
}

Progression Progression::scale(const Integer &factor) const {
  Progression result = *this;
  for (auto &[loop, along] : result.loops)
    along.slope *= factor;
  return result;
}

std::optional<Progression> Progression::floorDiv(const Integer &divisor) const {
  if (degree > 1 || divisor <= 0)
    return std::nullopt;
  Progression result = *this;
  for (auto &[loop, along] : result.loops) {
    along = repeat(along, timesToDivide(along, divisor));
    along.slope = along.slope / divisor;
  }
  return result;
}

std::optional<Progression> Progression::replaceModulo(const Integer &modulus,
                                                      bool keepsRest) const {
  if (degree > 1 || modulus <= 0)
    return std::nullopt;
  Progression result = *this;
  for (auto &[loop, along] : result.loops) {
    along = repeat(along, timesToDivide(along, modulus));
    if (!keepsRest)
      along.slope = Integer(0);
  }
  return result;
}
