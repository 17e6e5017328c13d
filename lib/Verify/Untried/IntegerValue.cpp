//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IntegerValue.h"
#include "egg/Support/Random.h"
#include "llvm/ADT/STLExtras.h"

using namespace egg;

void IntegerValue::setSamplesOfLoop(unsigned dim, int64_t extent) {
  Random random(dim);
  samples.clear();
  for (unsigned i = 0; i < kSamples; ++i) {
    // Corners first.
    bool isLast = (i >> (dim % 3)) & 1;
    samples.emplace_back(i < 8 ? (isLast ? extent - 1 : 0)
                               : int64_t(random.next() % uint64_t(extent)));
  }
}

void IntegerValue::setSamples(
    const IntegerValue &a, const IntegerValue &b,
    llvm::function_ref<Integer(const Integer &, const Integer &)> combine) {
  samples.clear();
  if (a.samples.empty() || b.samples.empty())
    return;
  for (auto [x, y] : llvm::zip_equal(a.samples, b.samples))
    samples.push_back(combine(x, y));
  auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  tried = {*low, *high};
}

IntegerValue IntegerValue::ofConstant(const Integer &value) {
  IntegerValue result;
  result.full = Interval::ofConstant(value);
  result.tried = result.full;
  result.progression.emplace();
  result.samples.assign(kSamples, value);
  return result;
}

IntegerValue IntegerValue::ofWidth(unsigned width) {
  IntegerValue result = unknown(width);
  result.tried = result.full;
  return result;
}

IntegerValue IntegerValue::unknown(unsigned width) {
  IntegerValue result;
  result.full = Interval::ofWidth(width);
  return result;
}

std::optional<Integer> IntegerValue::getConstant() const {
  return full.isConstant() ? std::optional(full.low) : std::nullopt;
}

bool egg::areIndependent(const IntegerSources &a, const IntegerSources &b) {
  auto areDisjoint = [](const std::set<unsigned> &x,
                        const std::set<unsigned> &y) {
    return llvm::none_of(x, [&](unsigned number) { return y.count(number); });
  };
  return areDisjoint(a.arguments, b.arguments) &&
         areDisjoint(a.loops, b.loops) &&
         !(a.positions && (b.positions || !b.loops.empty())) &&
         !(b.positions && !a.loops.empty());
}

IntegerValue egg::inherit(const IntegerValue &a, const IntegerValue &b) {
  IntegerValue result;
  result.follows = a.follows || b.follows;
  result.promised = std::max(a.promised, b.promised);
  result.lowBitsOnly = a.lowBitsOnly || b.lowBitsOnly;
  result.wrapped = a.wrapped ? a.wrapped : b.wrapped;
  result.sources = a.sources;
  result.sources.arguments.insert(b.sources.arguments.begin(),
                                  b.sources.arguments.end());
  result.sources.loops.insert(b.sources.loops.begin(), b.sources.loops.end());
  result.sources.positions |= b.sources.positions;
  result.turns = a.turns;
  result.turns.insert(b.turns.begin(), b.turns.end());
  return result;
}

static bool haveEnds(const IntegerValue &a, const IntegerValue &b) {
  return a.tried && b.tried && areIndependent(a.sources, b.sources);
}

IntegerValue egg::add(const IntegerValue &a, const IntegerValue &b) {
  IntegerValue result = inherit(a, b);
  result.full = a.full + b.full;
  if (haveEnds(a, b))
    result.tried = *a.tried + *b.tried;
  result.setSamples(a, b, [](auto &x, auto &y) { return x + y; });
  if (a.progression && b.progression)
    result.progression = *a.progression + *b.progression;
  return result;
}

IntegerValue egg::subtract(const IntegerValue &a, const IntegerValue &b) {
  IntegerValue result = inherit(a, b);
  result.full = a.full - b.full;
  if (haveEnds(a, b))
    result.tried = *a.tried - *b.tried;
  result.setSamples(a, b, [](auto &x, auto &y) { return x - y; });
  if (a.progression && b.progression)
    result.progression = *a.progression + b.progression->scale(Integer(-1));
  return result;
}

/// Of the values in between, one is near zero where both signs are.
static Interval square(const Interval &a) {
  Interval product = a * a;
  if (a.low <= 0 && a.high >= 0)
    return {Integer(0), product.high};
  return {std::min(a.low * a.low, a.high * a.high), product.high};
}

IntegerValue egg::multiply(const IntegerValue &a, const IntegerValue &b,
                           bool isSquare) {
  IntegerValue result = inherit(a, b);
  result.full = isSquare ? square(a.full) : a.full * b.full;
  if (isSquare && a.tried)
    result.tried = square(*a.tried);
  else if (haveEnds(a, b))
    result.tried = *a.tried * *b.tried;
  result.setSamples(a, b, [](auto &x, auto &y) { return x * y; });
  if (!a.progression || !b.progression)
    return result;
  if (std::optional<Integer> factor = b.getConstant())
    result.progression = a.progression->scale(*factor);
  else if (std::optional<Integer> factor = a.getConstant())
    result.progression = b.progression->scale(*factor);
  else
    result.progression = *a.progression * *b.progression;
  return result;
}

IntegerValue egg::selectMost(const IntegerValue &a, const IntegerValue &b,
                             bool isMaximum) {
  auto most = [&](const Interval &x, const Interval &y) -> Interval {
    if (isMaximum)
      return {std::max(x.low, y.low), std::max(x.high, y.high)};
    return {std::min(x.low, y.low), std::min(x.high, y.high)};
  };
  IntegerValue result = inherit(a, b);
  result.full = most(a.full, b.full);
  if (haveEnds(a, b))
    result.tried = most(*a.tried, *b.tried);
  return result;
}

IntegerValue egg::either(const IntegerValue &a, const IntegerValue &b) {
  IntegerValue result = inherit(a, b);
  result.full = unite(a.full, b.full);
  return result;
}
