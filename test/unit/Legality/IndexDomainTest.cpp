//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The domain's arithmetic against enumeration of all points.
//
//===----------------------------------------------------------------------===//
#include "egg/Legality/IndexDomain.h"
#include "egg/Support/Random.h"
#include "gtest/gtest.h"
#include <functional>

using namespace egg;
using namespace egg::legality;

namespace {

using Point = std::array<int64_t, 3>;
using Exact = std::function<int64_t(const Point &)>;

/// A form with what it should be at each point.
struct Pair {
  LinearForm form;
  Exact exact;
};

int64_t floorOf(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

class RandomForms {
public:
  explicit RandomForms(uint64_t seed) : random(seed) {
    for (int64_t &extent : extents) {
      extent = 1 + below(9);
      domain.addAtom({0, extent - 1});
    }
  }

  int64_t below(int64_t bound) { return int64_t(random.next() % bound); }

  Pair make(int depth) {
    if (depth == 0) {
      size_t atom = below(3);
      return {LinearForm::ofAtom(AtomId(atom)),
              [=](const Point &p) { return p[atom]; }};
    }
    Pair a = make(depth - 1);
    Exact x = a.exact;
    int64_t c = 1 + below(7);
    switch (below(7)) {
    case 0:
      return {domain.floorDiv(a.form, c),
              [=](const Point &p) { return floorOf(x(p), c); }};
    case 1:
      return {domain.mod(a.form, c),
              [=](const Point &p) { return x(p) - c * floorOf(x(p), c); }};
    case 2:
      return {*a.form.times(c - 3),
              [=](const Point &p) { return x(p) * (c - 3); }};
    case 3:
      return {*a.form.plus(LinearForm(c - 4)),
              [=](const Point &p) { return x(p) + c - 4; }};
    default:
      break;
    }
    Pair b = make(depth - 1);
    Exact y = b.exact;
    switch (below(4)) {
    case 0:
      return {domain.minimum(a.form, b.form),
              [=](const Point &p) { return std::min(x(p), y(p)); }};
    case 1:
      return {domain.maximum(a.form, b.form),
              [=](const Point &p) { return std::max(x(p), y(p)); }};
    default:
      return {*a.form.plus(b.form, c - 3),
              [=](const Point &p) { return x(p) + (c - 3) * y(p); }};
    }
  }

  void forAllPoints(llvm::function_ref<void(const Point &)> body) {
    for (int64_t i = 0; i < extents[0]; ++i)
      for (int64_t j = 0; j < extents[1]; ++j)
        for (int64_t k = 0; k < extents[2]; ++k)
          body({i, j, k});
  }

  Random random;
  Point extents;
  IndexDomain domain;
};

/// What the bounds should be where the conditions hold.
Interval enumerate(RandomForms &forms, const Pair &pair,
                   llvm::ArrayRef<Pair> conditions) {
  Interval truth = {kInfinity, -kInfinity};
  forms.forAllPoints([&](const Point &p) {
    for (const Pair &condition : conditions)
      if (condition.exact(p) < 0)
        return;
    truth.lo = std::min(truth.lo, pair.exact(p));
    truth.hi = std::max(truth.hi, pair.exact(p));
  });
  return truth;
}

} // namespace

TEST(IndexDomainTest, FormsHaveTheValueOfWhatTheyStandFor) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    RandomForms forms(seed);
    Pair pair = forms.make(4);
    Congruence rule = forms.domain.congruence(pair.form);
    Interval range = forms.domain.interval(pair.form);
    forms.forAllPoints([&](const Point &p) {
      int64_t exact = pair.exact(p);
      auto value = forms.domain.evaluate(
          pair.form, [&](AtomId id) { return std::optional(p[id]); });
      ASSERT_TRUE(value);
      ASSERT_EQ(*value, exact) << "seed " << seed;
      ASSERT_TRUE(range.within(range.lo, range.hi) && exact >= range.lo &&
                  exact <= range.hi)
          << "seed " << seed;
      if (rule.modulus == 0)
        ASSERT_EQ(exact, rule.remainder) << "seed " << seed;
      else
        ASSERT_EQ((exact - rule.remainder) % rule.modulus, 0)
            << "seed " << seed;
    });
  }
}

TEST(IndexDomainTest, BoundsHoldUnderConditions) {
  int64_t tight = 0, total = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    RandomForms forms(1000 + seed);
    Pair pair = forms.make(3);
    std::vector<Pair> conditions = {forms.make(2), forms.make(2)};
    std::vector<LinearForm> nonNegative;
    for (const Pair &condition : conditions)
      nonNegative.push_back(condition.form);
    Interval truth = enumerate(forms, pair, conditions);
    Interval bounds = forms.domain.bounds(pair.form, nonNegative);
    if (truth.isEmpty())
      continue;
    ASSERT_FALSE(bounds.isEmpty()) << "seed " << seed;
    ASSERT_LE(bounds.lo, truth.lo) << "seed " << seed;
    ASSERT_GE(bounds.hi, truth.hi) << "seed " << seed;
    ++total;
    tight += bounds == truth;
  }
  // A relaxation that always answers "anything" would be sound too.
  EXPECT_GT(tight * 10, total * 7) << tight << " of " << total;
}

TEST(IndexDomainTest, DigitsOfDigitsAreDigits) {
  IndexDomain domain;
  LinearForm x = LinearForm::ofAtom(domain.addAtom({0, 999}));
  EXPECT_EQ(domain.floorDiv(domain.floorDiv(x, 5), 4), domain.floorDiv(x, 20));
  EXPECT_EQ(domain.mod(domain.mod(x, 20), 5), domain.mod(x, 5));
  // A multiple and a small rest fall apart.
  LinearForm small = LinearForm::ofAtom(domain.addAtom({0, 3}));
  LinearForm sum = *x.times(4)->plus(small);
  EXPECT_EQ(domain.floorDiv(sum, 4), x);
  EXPECT_EQ(domain.mod(sum, 4), small);
  // All digits together are the number again, for the bounds too.
  LinearForm again = *domain.floorDiv(x, 7).times(7)->plus(domain.mod(x, 7));
  EXPECT_EQ(domain.bounds(again, {}), (Interval{0, 999}));
}

TEST(IndexDomainTest, ConditionsAreRoundedToIntegers) {
  IndexDomain domain;
  LinearForm x = LinearForm::ofAtom(domain.addAtom({0, 1000}));
  // 4 x < 103 leaves x <= 25, so 4 x + 3 <= 103.
  LinearForm below = *LinearForm(102).plus(x, -4);
  EXPECT_EQ(domain.bounds(*x.times(4)->plus(LinearForm(3)), {below}),
            (Interval{3, 103}));
  // What cannot be is empty.
  LinearForm negative = *LinearForm(-1).plus(x, -1);
  EXPECT_TRUE(domain.bounds(x, {negative}).isEmpty());
}

TEST(IndexDomainTest, LargeNumbersAreGivenUpAndNotWrapped) {
  IndexDomain domain;
  LinearForm x = LinearForm::ofAtom(domain.addAtom({0, kInfinity / 2}));
  EXPECT_FALSE(x.times(kInfinity / 2)->plus(x, kInfinity - 1));
  LinearForm wide = *x.times(1000);
  EXPECT_EQ(domain.interval(wide).hi, kInfinity);
  EXPECT_FALSE(domain.interval(wide).within(0, kInfinity - 1));
}

TEST(IndexDomainTest, CongruencesSayWhatTheyExclude) {
  Congruence even = {4, 2};
  EXPECT_TRUE(even.implies(2, 0));
  EXPECT_FALSE(even.implies(4, 0));
  EXPECT_TRUE(even.excludes(4, 0));
  EXPECT_FALSE(even.excludes(3, 0));
  Congruence point = {0, 12};
  EXPECT_TRUE(point.implies(4, 0));
  EXPECT_TRUE(point.excludes(5, 0));
}
