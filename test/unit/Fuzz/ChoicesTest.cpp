//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Choices.h"
#include "gtest/gtest.h"
#include <limits>
#include <set>

using namespace egg::fuzz;

namespace {

int64_t drawAny(Choices &choices) {
  return choices.draw(0, std::numeric_limits<int64_t>::max() - 1);
}

} // namespace

// Case n + 1 drew what case n had drawn, but for the first number, so that
// neighbours were often nearly the same program.
TEST(ChoicesTest, CasesShareNoDraws) {
  std::set<int64_t> seen;
  size_t draws = 0;
  for (uint64_t seed : {0, 1, 12})
    for (uint64_t number = 0; number < 50; ++number) {
      Choices choices(seed, number);
      for (int i = 0; i < 200; ++i, ++draws)
        seen.insert(drawAny(choices));
    }
  EXPECT_EQ(seen.size(), draws);
}

TEST(ChoicesTest, TheSeedAndTheNumberSayAll) {
  Choices one(3, 7), again(3, 7);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(drawAny(one), drawAny(again));
}
