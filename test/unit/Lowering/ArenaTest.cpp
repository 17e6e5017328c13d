//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arena layouts: buffers that live together never overlap, whatever the
// lifetimes, and simple cases are as small as they can be.
//
//===----------------------------------------------------------------------===//
#include "egg/Lowering/Arena.h"
#include "gtest/gtest.h"
#include <random>

using namespace egg;

namespace {

/// Everything a layout promises.
void check(const std::vector<ArenaRequest> &requests,
           const ArenaLayout &layout) {
  ASSERT_EQ(layout.offsets.size(), requests.size());
  EXPECT_EQ(layout.bytes % kArenaAlignment, 0);
  int64_t total = 0;
  for (size_t i = 0; i < requests.size(); ++i) {
    const ArenaRequest &a = requests[i];
    EXPECT_EQ(layout.offsets[i] % kArenaAlignment, 0);
    EXPECT_GE(layout.offsets[i], 0);
    EXPECT_LE(layout.offsets[i] + a.bytes, layout.bytes);
    total +=
        (a.bytes + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
    for (size_t j = 0; j < i; ++j) {
      const ArenaRequest &b = requests[j];
      bool together = a.first <= b.last && b.first <= a.last;
      bool overlap = layout.offsets[i] < layout.offsets[j] + b.bytes &&
                     layout.offsets[j] < layout.offsets[i] + a.bytes;
      EXPECT_FALSE(together && overlap)
          << "buffers " << j << " and " << i << " overlap";
    }
  }
  EXPECT_LE(layout.bytes, total);
}

TEST(ArenaTest, RandomLifetimesNeverOverlap) {
  std::mt19937 random(20240901);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<ArenaRequest> requests(pick(0, 60));
    for (ArenaRequest &request : requests) {
      request.bytes = pick(0, 3) ? pick(0, 5000) : 256 * pick(0, 4);
      request.first = pick(0, 40);
      request.last = request.first + pick(0, 12);
    }
    std::optional<ArenaLayout> layout = planArena(requests);
    ASSERT_TRUE(layout);
    check(requests, *layout);
    EXPECT_EQ(planArena(requests)->offsets, layout->offsets);
  }
}

TEST(ArenaTest, NothingNeedsNothing) {
  EXPECT_EQ(planArena({})->bytes, 0);
  EXPECT_EQ(planArena({{0, 0, 5}})->bytes, 0);
}

TEST(ArenaTest, AChainNeedsTwoBuffers) {
  std::vector<ArenaRequest> requests;
  for (int step = 0; step < 10; ++step)
    requests.push_back({1000, step, step + 1});
  std::optional<ArenaLayout> layout = planArena(requests);
  ASSERT_TRUE(layout);
  check(requests, *layout);
  EXPECT_EQ(layout->bytes, 2048);
}

TEST(ArenaTest, ABufferIsNotReusedInItsLastStep) {
  // Step 1 reads the first while it writes the second.
  EXPECT_EQ(planArena({{256, 0, 1}, {256, 1, 2}})->bytes, 512);
  EXPECT_EQ(planArena({{256, 0, 1}, {256, 2, 2}})->bytes, 256);
}

TEST(ArenaTest, GapsAreUsed) {
  // The small one fits between two that live longer.
  std::vector<ArenaRequest> requests = {
      {1024, 0, 9}, {1024, 0, 2}, {512, 3, 9}, {512, 3, 9}};
  std::optional<ArenaLayout> layout = planArena(requests);
  ASSERT_TRUE(layout);
  check(requests, *layout);
  EXPECT_EQ(layout->bytes, 2048);
}

TEST(ArenaTest, MoreBytesThanANumberCountsAreNone) {
  int64_t half = int64_t(1) << 62, most = INT64_MAX;
  EXPECT_FALSE(planArena({{half, 0, 1}, {half, 1, 2}}));
  EXPECT_FALSE(planArena({{most, 0, 0}}));
  // One after the other they fit.
  std::optional<ArenaLayout> layout = planArena({{half, 0, 1}, {half, 2, 3}});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->bytes, half);
}

} // namespace
