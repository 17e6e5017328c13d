//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Shrink/DimSystem.h"
#include "gtest/gtest.h"

using namespace egg;

namespace {

/// Proposes the values from `first` upwards.
struct From {
  int64_t first;
  void operator()(int64_t original, DimSystem::Role, int64_t,
                  llvm::ArrayRef<int64_t>,
                  llvm::SmallVectorImpl<int64_t> &values) const {
    for (int64_t value = first; value < original; ++value)
      values.push_back(value);
  }
};

TEST(DimSystem, UnitedUnknownsAgree) {
  DimSystem system;
  int a = system.addVariable(100), b = system.addVariable(100),
      c = system.addVariable(100);
  system.unite(a, b);
  system.unite(b, c);
  auto values = system.solve(From{7});
  EXPECT_EQ(values, (std::vector<int64_t>{7, 7, 7}));
}

TEST(DimSystem, FixedAndUnitExtentsStay) {
  DimSystem system;
  int a = system.addVariable(100), one = system.addVariable(1),
      b = system.addVariable(100);
  system.fix(b);
  (void)a;
  (void)one;
  EXPECT_EQ(system.solve(From{3}), (std::vector<int64_t>{3, 1, 100}));
}

TEST(DimSystem, SumsKeepTheirValue) {
  // 230 = 2 * 112 + 6: a strided window over a padded input.
  DimSystem system;
  int in = system.addVariable(230), out = system.addVariable(112);
  system.keepSum({{1, in}, {-2, out}});
  auto values = system.solve(From{4});
  EXPECT_EQ(values[in] - 2 * values[out], 6);
  EXPECT_GE(values[out], 1);
  EXPECT_LT(values[in], 20);
}

TEST(DimSystem, RepeatedTermsAreOneUnknown) {
  // 20 = 10 + 10, the two being the same.
  DimSystem system;
  int whole = system.addVariable(20), a = system.addVariable(10),
      b = system.addVariable(10);
  system.unite(a, b);
  system.keepSum({{1, whole}, {-1, a}, {-1, b}});
  auto values = system.solve(From{3});
  EXPECT_EQ(values[whole], 2 * values[a]);
  EXPECT_LT(values[whole], 20);
}

TEST(DimSystem, ProductsFollowFactors) {
  DimSystem system;
  int product = system.addVariable(64), a = system.addVariable(8),
      b = system.addVariable(8);
  system.multiply(product, {a, b});
  auto values = system.solve(From{3});
  EXPECT_EQ(values, (std::vector<int64_t>{9, 3, 3}));
}

TEST(DimSystem, OneProductOfSeveralSplits) {
  // 4096 = 64 * 64 = 16 * 256 at once.
  DimSystem system;
  int product = system.addVariable(4096), a = system.addVariable(64),
      b = system.addVariable(64), c = system.addVariable(16),
      d = system.addVariable(256);
  system.multiply(product, {a, b});
  system.multiply(product, {c, d});
  auto values = system.solve(From{2});
  EXPECT_EQ(values[product], values[a] * values[b]);
  EXPECT_EQ(values[product], values[c] * values[d]);
  EXPECT_LT(values[product], 4096);
}

TEST(DimSystem, BoundsHold) {
  DimSystem system;
  int a = system.addVariable(100), b = system.addVariable(50);
  system.bound(a, 20);
  system.boundSum({{1, a}, {-1, b}}, 10);
  auto values = system.solve(From{1});
  EXPECT_GE(values[a], 20);
  EXPECT_GE(values[a] - values[b], 10);
}

/// The least value alone; says what it was told.
TEST(DimSystem, CandidatesHearOfBounds) {
  DimSystem system;
  int in = system.addVariable(1000), out = system.addVariable(499);
  int a = system.addVariable(800), b = system.addVariable(700);
  // A window of two with stride two: 2 * out + 2.
  system.keepSum({{1, in}, {-2, out}});
  system.bound(in, 302);
  system.boundSum({{3, a}, {1, b}}, 500);
  auto least =
      [](int64_t, DimSystem::Role, int64_t least, llvm::ArrayRef<int64_t>,
         llvm::SmallVectorImpl<int64_t> &values) { values.push_back(least); };
  auto values = system.solve(least);
  EXPECT_EQ(values[out], 150);
  EXPECT_EQ(values[in], 302);
  EXPECT_EQ(values[a], 1);
  EXPECT_EQ(values[b], 497);
}

TEST(DimSystem, AGroupWithoutSmallerSolutionKeepsItsExtents) {
  // Only 6 * 6 = 36 satisfies both.
  DimSystem system;
  int product = system.addVariable(36), a = system.addVariable(6);
  int free = system.addVariable(50);
  system.multiply(product, {a, a});
  system.keepSum({{1, product}, {-6, a}});
  system.keepSum({{1, product}, {-5, a}});
  auto values = system.solve(From{2});
  EXPECT_EQ(values[product], 36);
  EXPECT_EQ(values[a], 6);
  EXPECT_EQ(values[free], 2);
}

} // namespace
