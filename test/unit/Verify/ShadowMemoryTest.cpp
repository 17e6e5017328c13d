//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Simt/ShadowMemory.h"
#include "gtest/gtest.h"

using namespace egg::simt;
using Kind = Conflict::Kind;

namespace {

class ShadowMemoryTest : public ::testing::Test {
protected:
  char memory[64];
  ShadowRegion output{ShadowRegion::Kind::Output, memory, 64, 4};
  ShadowRegion shared{ShadowRegion::Kind::Shared, memory, 64, 4};
  ShadowRegion input{ShadowRegion::Kind::Input, memory, 64, 4};

  static Access by(uint32_t block, uint32_t epoch, uint32_t thread) {
    return {block, epoch, thread};
  }
  Kind write(ShadowRegion &region, int64_t element, Access who) {
    return region.access(memory + 4 * element, 4, true, who).kind;
  }
  Kind read(ShadowRegion &region, int64_t element, Access who) {
    return region.access(memory + 4 * element, 4, false, who).kind;
  }
};

TEST_F(ShadowMemoryTest, WrittenThenReadAfterABarrier) {
  EXPECT_EQ(write(shared, 3, by(1, 0, 0)), Kind::None);
  EXPECT_EQ(read(shared, 3, by(1, 1, 1)), Kind::None);
  EXPECT_EQ(write(shared, 3, by(1, 2, 5)), Kind::None);
}

TEST_F(ShadowMemoryTest, ReadWithoutBarrierRaces) {
  EXPECT_EQ(write(shared, 3, by(1, 0, 0)), Kind::None);
  EXPECT_EQ(read(shared, 3, by(1, 0, 0)), Kind::None);
  EXPECT_EQ(read(shared, 3, by(1, 0, 1)), Kind::Race);
}

TEST_F(ShadowMemoryTest, WriteAfterReadsOfManyRaces) {
  EXPECT_EQ(write(shared, 0, by(1, 0, 2)), Kind::None);
  EXPECT_EQ(read(shared, 0, by(1, 1, 1)), Kind::None);
  EXPECT_EQ(read(shared, 0, by(1, 1, 2)), Kind::None);
  // Thread 2 is among the readers, but not the only one.
  EXPECT_EQ(write(shared, 0, by(1, 1, 2)), Kind::Race);
}

TEST_F(ShadowMemoryTest, UninitializedRead) {
  EXPECT_EQ(read(shared, 1, by(1, 0, 0)), Kind::Uninitialized);
  EXPECT_EQ(write(shared, 1, by(1, 0, 0)), Kind::None);
  // Shared memory does not survive its block.
  EXPECT_EQ(read(shared, 1, by(2, 0, 0)), Kind::Uninitialized);
}

TEST_F(ShadowMemoryTest, BlocksAreNeverOrdered) {
  EXPECT_EQ(write(output, 1, by(1, 7, 0)), Kind::None);
  EXPECT_EQ(write(output, 1, by(2, 9, 0)), Kind::Race);
  EXPECT_EQ(read(output, 1, by(2, 9, 0)), Kind::Race);
}

TEST_F(ShadowMemoryTest, WriteToInput) {
  EXPECT_EQ(read(input, 0, by(1, 0, 0)), Kind::None);
  EXPECT_EQ(write(input, 0, by(1, 0, 0)), Kind::WriteToInput);
}

TEST_F(ShadowMemoryTest, OutsideTheBuffer) {
  Conflict conflict = output.access(memory + 52, 16, true, by(1, 0, 0));
  EXPECT_EQ(conflict.kind, Kind::Outside);
  EXPECT_EQ(conflict.element, 13);
}

TEST_F(ShadowMemoryTest, FirstUnwritten) {
  output.access(memory, 16, true, by(1, 0, 0));
  EXPECT_EQ(output.firstUnwritten(), 4);
  output.access(memory + 16, 48, true, by(1, 0, 0));
  EXPECT_EQ(output.firstUnwritten(), -1);
}

} // namespace
