//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Search/Population.h"
#include "egg/Support/Random.h"
#include "gtest/gtest.h"

using namespace egg;

TEST(Population, GreedyKeepsTheBest) {
  Population population(SearchStrategy::Greedy, 3);
  EXPECT_TRUE(population.empty());
  population.add(0, 2.0);
  population.add(1, 3.0);
  EXPECT_EQ(population.pick(0), 0);
  EXPECT_EQ(population.pick(1), 0);
  population.add(2, 1.0);
  EXPECT_EQ(population.pick(2), 2);
}

TEST(Population, EqualsDoNotDisplace) {
  Population population(SearchStrategy::Greedy, 1);
  population.add(0, 1.0);
  population.add(1, 1.0);
  EXPECT_EQ(population.pick(0), 0);
}

TEST(Population, ABeamTakesTurns) {
  Population population(SearchStrategy::Beam, 2);
  population.add(0, 3.0);
  population.add(1, 1.0);
  population.add(2, 2.0);
  EXPECT_EQ(population.pick(0), 1);
  EXPECT_EQ(population.pick(1), 2);
  EXPECT_EQ(population.pick(2), 1);
}

TEST(Population, BestOfNStartsWhereTheStageDid) {
  Population population(SearchStrategy::BestOfN, 4);
  population.add(5, 3.0);
  population.add(6, 1.0);
  for (int64_t n = 0; n < 4; ++n)
    EXPECT_EQ(population.pick(n), 5);
}

/// Whatever comes in whatever order, the fastest is never lost.
TEST(Population, NeverLosesTheFastest) {
  Random random(1);
  for (int round = 0; round < 200; ++round)
    for (SearchStrategy strategy :
         {SearchStrategy::Greedy, SearchStrategy::Beam}) {
      Population population(strategy, 1 + random.next() % 4);
      double best = 2;
      int64_t bestId = -1;
      for (int64_t id = 0; id < 20; ++id) {
        double seconds = double(random.next() % 8) / 8;
        population.add(id, seconds);
        if (seconds < best) {
          best = seconds;
          bestId = id;
        }
        EXPECT_EQ(population.pick(0), bestId);
      }
    }
}
