//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Running one launch of a compiled kernel: blocks one after another, the
// threads of a block as fibers that meet at barriers and shuffles. The
// functions that generated code calls are listed in getRuntimeSymbols.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SIMT_SIMTRUNTIME_H
#define EGG_LIB_VERIFY_SIMT_SIMTRUNTIME_H

#include "Fiber.h"
#include "ShadowMemory.h"
#include "egg/Verify/SimtFault.h"
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace egg::simt {

/// An instrumented operation: what reports about it say.
struct Site {
  std::string op, location;
};

class Launch;

/// Ids a thread reads; generated code knows this layout.
struct ThreadIds {
  enum Which { ThreadId = 0, BlockId = 1, BlockDim = 2, GridDim = 3 };
  int64_t values[4][3];
};

/// One thread. Generated code receives a pointer to it and reads the ids.
struct Thread {
  enum class State { Ready, AtBarrier, AtShuffle, Finished };
  ThreadIds ids;
  Launch *launch = nullptr;
  /// Number in the block, x fastest.
  uint32_t linear = 0;
  State state = State::Ready;
  /// Where it waits.
  int32_t site = 0;
  /// The shuffle it waits in: mode as in gpu.shuffle (0 xor, 1 down, 2 up,
  /// 3 idx), its operands, then the outcome.
  int32_t mode = 0, offset = 0, width = 0;
  uint64_t value = 0, result = 0;
  bool valid = false;
  Fiber fiber;
};

/// Everything a launch needs; the pointers stay the caller's.
struct LaunchSpec {
  std::string kernel;
  /// Runs one thread: argument 0 points to a pointer to the Thread, the others
  /// to pointers to the buffers, then to the shared memories.
  void (*function)(void **arguments) = nullptr;
  std::array<int64_t, 3> grid, block;
  /// Buffers, then shared memories; one region each.
  std::vector<ShadowRegion> *regions = nullptr;
  const std::vector<Site> *sites = nullptr;
  /// Whether the kernel has barriers or shuffles.
  bool synchronizes = true;
  /// Whether accesses are reported to the regions, so that unwritten elements
  /// are known.
  bool checkAccesses = true;
  /// What fresh shared memory holds.
  uint8_t poison = 0xFF;
};

class Launch {
public:
  Launch(const LaunchSpec &spec, StackPool &stacks);
  /// Runs all blocks; the first fault ends the launch.
  std::optional<SimtFault> run();

  // What generated code asks for, on behalf of a thread.
  void barrier(Thread &thread, int32_t site);
  void shuffle(Thread &thread, int32_t site);
  void access(Thread &thread, int32_t site, int32_t region, const char *address,
              int64_t bytes, bool write);
  void indexError(Thread &thread, int32_t site, int64_t dim, int64_t index,
                  int64_t extent);

private:
  void startBlock(int64_t linearBlock);
  void runBlock();
  void runWarp(size_t firstThread);
  bool exchange(size_t firstThread);
  void releaseBarrier();
  void runThreadsInTurn();
  /// Notes what ends the launch. Inside a fiber, suspend it afterwards: it will
  /// not be resumed.
  void fault(SimtFault::Kind kind, const Thread *thread, int32_t site,
             std::string message);
  std::string describe(const Access &access, bool sameBlock) const;
  std::string describeWait(const Thread &thread) const;

  const LaunchSpec &spec;
  StackPool &stacks;
  std::vector<Thread> threads;
  std::vector<void *> pointers, arguments;
  uint32_t currentBlock = 0, epoch = 0;
  Fiber *running = nullptr;
  std::optional<SimtFault> found;
};

/// Name and address of each function that generated code may call.
std::vector<std::pair<std::string, void *>> getRuntimeSymbols();

} // namespace egg::simt

#endif // EGG_LIB_VERIFY_SIMT_SIMTRUNTIME_H
