//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SimtRuntime.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace egg;
using namespace egg::simt;

static constexpr size_t kWarpSize = 32;

Launch::Launch(const LaunchSpec &spec, StackPool &stacks)
    : spec(spec), stacks(stacks),
      threads(spec.block[0] * spec.block[1] * spec.block[2]) {
  arguments.resize(spec.regions->size() + 1);
  pointers.resize(arguments.size());
  for (size_t i = 0; i < spec.regions->size(); ++i)
    pointers[i + 1] = (*spec.regions)[i].getBase();
  for (size_t i = 0; i < arguments.size(); ++i)
    arguments[i] = &pointers[i];
  for (size_t i = 0; i < threads.size(); ++i) {
    Thread &thread = threads[i];
    thread.launch = this;
    thread.linear = i;
    for (int dim = 0; dim < 3; ++dim) {
      thread.ids.values[ThreadIds::BlockDim][dim] = spec.block[dim];
      thread.ids.values[ThreadIds::GridDim][dim] = spec.grid[dim];
    }
    thread.ids.values[ThreadIds::ThreadId][0] = i % spec.block[0];
    thread.ids.values[ThreadIds::ThreadId][1] =
        i / spec.block[0] % spec.block[1];
    thread.ids.values[ThreadIds::ThreadId][2] =
        i / (spec.block[0] * spec.block[1]);
  }
}

std::optional<SimtFault> Launch::run() {
  if (!stacks.reserve(spec.synchronizes ? threads.size() : 1)) {
    fault(SimtFault::Kind::DivergentBarrier, nullptr, -1,
          "no memory for the threads' stacks");
    return found;
  }
  int64_t blocks = spec.grid[0] * spec.grid[1] * spec.grid[2];
  for (int64_t block = 0; block < blocks && !found; ++block) {
    startBlock(block);
    if (spec.synchronizes)
      runBlock();
    else
      runThreadsInTurn();
  }
  if (found || !spec.checkAccesses)
    return found;
  for (size_t i = 0; i < spec.regions->size(); ++i) {
    const ShadowRegion &region = (*spec.regions)[i];
    if (region.getKind() != ShadowRegion::Kind::Output)
      continue;
    int64_t element = region.firstUnwritten();
    if (element >= 0) {
      fault(SimtFault::Kind::UnwrittenOutput, nullptr, -1,
            llvm::formatv("no thread writes element {0} of argument {1}",
                          element, i));
      break;
    }
  }
  return found;
}

void Launch::startBlock(int64_t block) {
  currentBlock = block + 1;
  epoch = 0;
  for (ShadowRegion &region : *spec.regions)
    if (region.getKind() == ShadowRegion::Kind::Shared)
      std::memset(region.getBase(), spec.poison, region.getBytes());
  for (Thread &thread : threads) {
    thread.ids.values[ThreadIds::BlockId][0] = block % spec.grid[0];
    thread.ids.values[ThreadIds::BlockId][1] =
        block / spec.grid[0] % spec.grid[1];
    thread.ids.values[ThreadIds::BlockId][2] =
        block / (spec.grid[0] * spec.grid[1]);
  }
}

// Without barriers and shuffles the threads need no stacks of their own; one
// fiber stays, as the place that a fault leaves from.
void Launch::runThreadsInTurn() {
  running = &threads[0].fiber;
  running->start(
      stacks, 0,
      [](void *self) {
        auto &launch = *static_cast<Launch *>(self);
        for (Thread &thread : launch.threads) {
          launch.pointers[0] = &thread;
          launch.spec.function(launch.arguments.data());
        }
      },
      this);
  running->resume();
}

void Launch::runBlock() {
  for (size_t i = 0; i < threads.size(); ++i) {
    threads[i].state = Thread::State::Ready;
    threads[i].fiber.start(
        stacks, i,
        [](void *self) {
          auto &thread = *static_cast<Thread *>(self);
          Launch &launch = *thread.launch;
          launch.pointers[0] = &thread;
          launch.spec.function(launch.arguments.data());
        },
        &threads[i]);
  }
  while (!found) {
    for (size_t warp = 0; warp < threads.size() && !found; warp += kWarpSize)
      runWarp(warp);
    if (found)
      return;
    bool allFinished = true;
    for (Thread &thread : threads)
      allFinished &= thread.state == Thread::State::Finished;
    if (allFinished)
      return;
    releaseBarrier();
  }
}

// Runs a warp until each of its lanes has finished or waits at a barrier.
void Launch::runWarp(size_t first) {
  size_t end = std::min(first + kWarpSize, threads.size());
  do {
    for (size_t i = first; i < end; ++i) {
      Thread &thread = threads[i];
      if (thread.state != Thread::State::Ready)
        continue;
      running = &thread.fiber;
      if (!thread.fiber.resume())
        thread.state = Thread::State::Finished;
      if (found)
        return;
    }
  } while (exchange(first));
}

// Completes the shuffle that the lanes of a warp wait in. False when none does,
// or after a fault.
bool Launch::exchange(size_t first) {
  size_t lanes = std::min(kWarpSize, threads.size() - first);
  Thread *lead = nullptr;
  for (size_t i = 0; i < lanes && !lead; ++i)
    if (threads[first + i].state == Thread::State::AtShuffle)
      lead = &threads[first + i];
  if (!lead)
    return false;
  int32_t width = lead->width;
  if (width < 1 || width > int32_t(kWarpSize)) {
    fault(SimtFault::Kind::DivergentShuffle, lead, lead->site,
          llvm::formatv("a shuffle has width {0}; it must be 1 to 32", width));
    return false;
  }
  for (int32_t i = 0; i < int32_t(kWarpSize); ++i) {
    if (i < width && size_t(i) >= lanes) {
      fault(SimtFault::Kind::DivergentShuffle, lead, lead->site,
            llvm::formatv("a shuffle of width {0} in a warp of {1} lanes: "
                          "use a block of whole warps",
                          width, lanes));
      return false;
    }
    if (size_t(i) >= lanes)
      break;
    Thread &lane = threads[first + i];
    bool joins = lane.state == Thread::State::AtShuffle;
    if (i >= width && joins) {
      fault(
          SimtFault::Kind::DivergentShuffle, &lane, lane.site,
          llvm::formatv("lane {0} executes a shuffle of width {1}", i, width));
      return false;
    }
    if (i < width && (!joins || lane.site != lead->site ||
                      lane.mode != lead->mode || lane.width != width)) {
      fault(SimtFault::Kind::DivergentShuffle, lead, lead->site,
            llvm::formatv("lane {0} waits in a shuffle that lane {1} does not "
                          "reach: that lane {2}",
                          lead->linear % kWarpSize, i, describeWait(lane)));
      return false;
    }
  }
  for (int32_t i = 0; i < width; ++i) {
    Thread &lane = threads[first + i];
    int32_t source = lane.mode == 0   ? (i ^ lane.offset)
                     : lane.mode == 1 ? i + lane.offset
                     : lane.mode == 2 ? i - lane.offset
                                      : lane.offset;
    lane.valid = source >= 0 && source < width;
    // The machine hands a lane its own value when the source is out of range.
    lane.result = threads[first + (lane.valid ? source : i)].value;
  }
  for (int32_t i = 0; i < width; ++i)
    threads[first + i].state = Thread::State::Ready;
  return true;
}

void Launch::releaseBarrier() {
  const Thread *waiting = nullptr;
  for (Thread &thread : threads)
    if (!waiting && thread.state == Thread::State::AtBarrier)
      waiting = &thread;
  for (Thread &thread : threads) {
    if (thread.state == Thread::State::AtBarrier &&
        thread.site == waiting->site)
      continue;
    return fault(SimtFault::Kind::DivergentBarrier, waiting, waiting->site,
                 llvm::formatv("waits at a barrier that thread ({0}, {1}, {2}) "
                               "does not reach: that thread {3}",
                               thread.ids.values[0][0], thread.ids.values[0][1],
                               thread.ids.values[0][2], describeWait(thread)));
  }
  ++epoch;
  for (Thread &thread : threads)
    thread.state = Thread::State::Ready;
}

void Launch::barrier(Thread &thread, int32_t site) {
  thread.state = Thread::State::AtBarrier;
  thread.site = site;
  thread.fiber.suspend();
}

void Launch::shuffle(Thread &thread, int32_t site) {
  thread.state = Thread::State::AtShuffle;
  thread.site = site;
  thread.fiber.suspend();
}

void Launch::access(Thread &thread, int32_t site, int32_t region,
                    const char *address, int64_t bytes, bool write) {
  std::vector<ShadowRegion> &regions = *spec.regions;
  // A negative number: the compiler could not tell which buffer it is.
  for (size_t i = 0; region < 0 && i < regions.size(); ++i)
    if (regions[i].contains(address))
      region = i;
  if (region < 0)
    return;
  Conflict conflict = regions[region].access(
      address, bytes, write, {currentBlock, epoch, thread.linear});
  if (conflict.kind == Conflict::Kind::None)
    return;
  bool shared = regions[region].getKind() == ShadowRegion::Kind::Shared;
  std::string where =
      llvm::formatv("element {0} of ", conflict.element).str() +
      (shared ? "shared memory" : llvm::formatv("argument {0}", region).str());
  llvm::StringRef verb = write ? "writes" : "reads";
  switch (conflict.kind) {
  case Conflict::Kind::None:
    return;
  case Conflict::Kind::Outside:
    fault(SimtFault::Kind::OutOfBounds, &thread, site,
          llvm::formatv("{0} {1}, which is outside", verb, where));
    break;
  case Conflict::Kind::Uninitialized:
    fault(SimtFault::Kind::UninitializedRead, &thread, site,
          "reads " + where + ", which nothing has written");
    break;
  case Conflict::Kind::WriteToInput:
    fault(SimtFault::Kind::WriteToInput, &thread, site,
          "writes " + where + ", which is an input");
    break;
  case Conflict::Kind::Race:
    fault(SimtFault::Kind::DataRace, &thread, site,
          llvm::formatv(
              "{0} {1}, which {2} {3} with no barrier between", verb, where,
              describe(conflict.other, conflict.other.block == currentBlock),
              conflict.otherWrites ? "wrote" : "read"));
    break;
  }
  running->suspend();
}

void Launch::indexError(Thread &thread, int32_t site, int64_t dim,
                        int64_t index, int64_t extent) {
  fault(SimtFault::Kind::OutOfBounds, &thread, site,
        llvm::formatv("index {0} is outside dimension {1} of extent {2}", index,
                      dim, extent));
  running->suspend();
}

std::string Launch::describe(const Access &access, bool sameBlock) const {
  if (!sameBlock)
    return access.block == ~0u
               ? "other blocks"
               : llvm::formatv("block number {0}", access.block - 1).str();
  return access.thread == ~0u
             ? "other threads"
             : llvm::formatv("thread number {0} of the block", access.thread)
                   .str();
}

std::string Launch::describeWait(const Thread &thread) const {
  auto at = [&] {
    const Site &site = (*spec.sites)[thread.site];
    return site.op + " at " + site.location;
  };
  switch (thread.state) {
  case Thread::State::Finished:
    return "has returned";
  case Thread::State::AtBarrier:
    return "waits at " + at();
  case Thread::State::AtShuffle:
    return "waits in " + at();
  case Thread::State::Ready:
    return "has not run";
  }
  llvm_unreachable("all states are listed");
}

void Launch::fault(SimtFault::Kind kind, const Thread *thread, int32_t site,
                   std::string message) {
  SimtFault fault;
  fault.kind = kind;
  fault.kernel = spec.kernel;
  fault.reason = std::move(message);
  if (site >= 0) {
    fault.op = (*spec.sites)[site].op;
    fault.location = (*spec.sites)[site].location;
  }
  if (thread) {
    fault.hasThread = true;
    for (int dim = 0; dim < 3; ++dim) {
      fault.block[dim] = thread->ids.values[ThreadIds::BlockId][dim];
      fault.thread[dim] = thread->ids.values[ThreadIds::ThreadId][dim];
    }
  }
  found = std::move(fault);
}

extern "C" {
static void eggSimtBarrier(Thread *thread, int32_t site) {
  thread->launch->barrier(*thread, site);
}
static uint64_t eggSimtShuffle(Thread *thread, int32_t site, int32_t mode,
                               uint64_t value, int32_t offset, int32_t width) {
  thread->mode = mode;
  thread->value = value;
  thread->offset = offset;
  thread->width = width;
  thread->launch->shuffle(*thread, site);
  return thread->result;
}
static bool eggSimtShuffleValid(Thread *thread) { return thread->valid; }
static void eggSimtAccess(Thread *thread, int32_t site, int32_t region,
                          const char *address, int64_t bytes, bool write) {
  thread->launch->access(*thread, site, region, address, bytes, write);
}
static void eggSimtIndexError(Thread *thread, int32_t site, int64_t dim,
                              int64_t index, int64_t extent) {
  thread->launch->indexError(*thread, site, dim, index, extent);
}
}

std::vector<std::pair<std::string, void *>> egg::simt::getRuntimeSymbols() {
  return {
      {"egg_simt_barrier", reinterpret_cast<void *>(&eggSimtBarrier)},
      {"egg_simt_shuffle", reinterpret_cast<void *>(&eggSimtShuffle)},
      {"egg_simt_shuffle_valid",
       reinterpret_cast<void *>(&eggSimtShuffleValid)},
      {"egg_simt_access", reinterpret_cast<void *>(&eggSimtAccess)},
      {"egg_simt_index_error", reinterpret_cast<void *>(&eggSimtIndexError)}};
}
