//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Runtime/ShadowMemory.h"
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

  static View by(uint32_t block, uint32_t epoch, uint32_t thread) {
    View view;
    view.by = {block, thread, epoch};
    view.issuer = thread;
    return view;
  }
  Kind write(ShadowRegion &region, int64_t element, View who) {
    return region.access(memory + 4 * element, 4, true, who).kind;
  }
  Kind read(ShadowRegion &region, int64_t element, View who) {
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

/// An element is two cells here; reads that need no judging count as well.
TEST_F(ShadowMemoryTest, ReadsOfInputsAreMarked) {
  uint8_t marks[8] = {};
  input.recordReads(marks, 3);
  read(input, 3, by(1, 0, 0));
  EXPECT_TRUE(input.repeatsRead(memory + 40, 16, by(1, 0, 0).by));
  write(input, 0, by(1, 0, 0));
  EXPECT_EQ(std::vector<uint8_t>(marks, marks + 8),
            (std::vector<uint8_t>{0, 1, 0, 0, 0, 1, 1, 0}));
}

TEST_F(ShadowMemoryTest, WriteToInput) {
  EXPECT_EQ(read(input, 0, by(1, 0, 0)), Kind::None);
  EXPECT_EQ(write(input, 0, by(1, 0, 0)), Kind::WriteToInput);
}

TEST_F(ShadowMemoryTest, ClocksOrderWhatTheyHaveSeen) {
  Clocks writer, reader;
  View writes = by(1, 4, 0), reads = by(1, 1, 1);
  writes.clocks = &writer;
  reads.clocks = &reader;
  EXPECT_EQ(write(shared, 2, writes), Kind::None);
  reader.advance(0, 3);
  EXPECT_EQ(read(shared, 2, reads), Kind::Race);
  reader.advance(0, 4);
  EXPECT_EQ(read(shared, 2, reads), Kind::None);
}

TEST_F(ShadowMemoryTest, EveryUnorderedReaderCounts) {
  Clocks clocks[4];
  auto view = [&](uint32_t agent) {
    View result = by(1, 1, agent);
    result.clocks = &clocks[agent];
    return result;
  };
  for (uint32_t agent : {1, 2, 3})
    clocks[agent].advance(0, 1);
  EXPECT_EQ(write(shared, 0, view(0)), Kind::None);
  for (uint32_t agent : {1, 2, 3})
    EXPECT_EQ(read(shared, 0, view(agent)), Kind::None);
  clocks[0].advance(1, 1);
  clocks[0].advance(3, 1);
  EXPECT_EQ(write(shared, 0, view(0)), Kind::Race);
  // That its reads are over is enough to overwrite what an agent read.
  clocks[0].read = {0, 0, 1};
  EXPECT_EQ(write(shared, 0, view(0)), Kind::None);
}

TEST_F(ShadowMemoryTest, TheOtherProxyNeedsAFence) {
  Clocks clocks;
  View writes = by(1, 1, 0), reads = by(1, 1, 7);
  writes.clocks = reads.clocks = &clocks;
  reads.issuer = 0;
  reads.asyncProxy = true;
  EXPECT_EQ(write(shared, 5, writes), Kind::None);
  EXPECT_EQ(read(shared, 5, reads), Kind::MissingFence);
  clocks.advance(0, 1);
  // Of the memory that it is in.
  clocks.fence(Clocks::kGlobal);
  clocks.fence(Clocks::sharedOf(1));
  EXPECT_EQ(read(shared, 5, reads), Kind::MissingFence);
  clocks.fence(Clocks::sharedOf(0));
  EXPECT_EQ(read(shared, 5, reads), Kind::None);
}

TEST_F(ShadowMemoryTest, AtomicsOfOneElementDoNotRace) {
  View first = by(1, 0, 0), second = by(1, 0, 1), elsewhere = by(2, 0, 0);
  EXPECT_EQ(write(output, 1, first), Kind::None);
  first.atomic = second.atomic = elsewhere.atomic = true;
  EXPECT_EQ(write(output, 1, first), Kind::None);
  // The plain write before its own atomic one still races with others.
  EXPECT_EQ(write(output, 1, second), Kind::Race);
  second.by.time = 1;
  first.by.time = 1;
  EXPECT_EQ(write(output, 1, second), Kind::None);
  EXPECT_EQ(write(output, 1, first), Kind::None);
  EXPECT_EQ(read(output, 1, by(1, 1, 2)), Kind::Race);
  EXPECT_EQ(read(output, 1, by(1, 2, 2)), Kind::None);
  EXPECT_EQ(write(output, 1, elsewhere), Kind::Race);
}

TEST_F(ShadowMemoryTest, LiveBarriersAreNoData) {
  EXPECT_EQ(write(shared, 4, by(1, 0, 0)), Kind::None);
  EXPECT_EQ(write(shared, 5, by(1, 0, 0)), Kind::None);
  shared.setBarrier(memory + 16, true);
  EXPECT_EQ(write(shared, 5, by(1, 0, 0)), Kind::OnBarrier);
  shared.setBarrier(memory + 16, false);
  EXPECT_EQ(write(shared, 5, by(1, 0, 0)), Kind::None);
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
