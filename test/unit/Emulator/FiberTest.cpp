//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Runtime/Fiber.h"
#include "gtest/gtest.h"

using namespace egg::simt;

namespace {

struct Counter {
  Fiber fiber;
  std::vector<int> *trace = nullptr;
  int id = 0, rounds = 0;
};

void count(void *argument) {
  auto &counter = *static_cast<Counter *>(argument);
  for (int i = 0; i < counter.rounds; ++i) {
    counter.trace->push_back(counter.id * 10 + i);
    counter.fiber.suspend();
  }
}

TEST(Fiber, InterleavesAndFinishes) {
  StackPool pool(64 * 1024);
  ASSERT_TRUE(pool.reserve(2));
  std::vector<int> trace;
  Counter one{{}, &trace, 1, 2}, two{{}, &trace, 2, 1};
  one.fiber.start(pool, 0, count, &one);
  two.fiber.start(pool, 1, count, &two);
  EXPECT_TRUE(one.fiber.resume());
  EXPECT_TRUE(two.fiber.resume());
  EXPECT_TRUE(one.fiber.resume());
  EXPECT_FALSE(two.fiber.resume());
  EXPECT_FALSE(one.fiber.resume());
  EXPECT_EQ(trace, (std::vector<int>{10, 20, 11}));
}

TEST(Fiber, KeepsLocalFloatsAcrossSwitches) {
  struct State {
    Fiber fiber;
    double sum = 0;
  } state;
  StackPool pool(64 * 1024);
  ASSERT_TRUE(pool.reserve(1));
  state.fiber.start(
      pool, 0,
      [](void *argument) {
        auto &state = *static_cast<State *>(argument);
        double sum = 0;
        for (int i = 1; i <= 10; ++i) {
          sum += 0.5 * i;
          state.fiber.suspend();
        }
        state.sum = sum;
      },
      &state);
  int resumes = 0;
  while (state.fiber.resume())
    ++resumes;
  EXPECT_EQ(resumes, 10);
  EXPECT_EQ(state.sum, 27.5);
}

TEST(Fiber, ASuspendedFiberCanBeReplaced) {
  StackPool pool(64 * 1024);
  ASSERT_TRUE(pool.reserve(1));
  std::vector<int> trace;
  Counter counter{{}, &trace, 1, 5};
  counter.fiber.start(pool, 0, count, &counter);
  EXPECT_TRUE(counter.fiber.resume());
  counter.rounds = 0;
  counter.fiber.start(pool, 0, count, &counter);
  EXPECT_FALSE(counter.fiber.resume());
  EXPECT_EQ(trace.size(), 1u);
}

TEST(StackPool, ReservesOnlyWhatIsMissing) {
  StackPool pool(4096 * 4);
  ASSERT_TRUE(pool.reserve(3));
  char *top = pool.top(0);
  ASSERT_TRUE(pool.reserve(2));
  EXPECT_EQ(pool.size(), 3u);
  EXPECT_EQ(pool.top(0), top);
}

#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
#if !__has_feature(address_sanitizer)
// Below a stack lies a page that faults.
TEST(StackPoolDeathTest, OverflowFaults) {
  StackPool pool(4096 * 4);
  ASSERT_TRUE(pool.reserve(1));
  volatile char *below = pool.top(0) - pool.bytes() - 1;
  EXPECT_DEATH(*below = 1, "");
}
#endif

} // namespace
