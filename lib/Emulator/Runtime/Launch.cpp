//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Launch.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace egg;
using namespace egg::simt;

/// Turns in which every thread that can run only polls, before they count as
/// stuck.
static constexpr int kPollingTurns = 1000;

int egg::simt::lookupRegister(llvm::StringRef name) {
  return llvm::StringSwitch<int>(name)
      .Case("tid.x", kTid)
      .Case("tid.y", kTid + 1)
      .Case("tid.z", kTid + 2)
      .Case("ntid.x", kNtid)
      .Case("ntid.y", kNtid + 1)
      .Case("ntid.z", kNtid + 2)
      .Case("ctaid.x", kCtaid)
      .Case("ctaid.y", kCtaid + 1)
      .Case("ctaid.z", kCtaid + 2)
      .Case("nctaid.x", kNctaid)
      .Case("nctaid.y", kNctaid + 1)
      .Case("nctaid.z", kNctaid + 2)
      .Case("clusterid.x", kClusterid)
      .Case("clusterid.y", kClusterid + 1)
      .Case("clusterid.z", kClusterid + 2)
      .Case("nclusterid.x", kNclusterid)
      .Case("nclusterid.y", kNclusterid + 1)
      .Case("nclusterid.z", kNclusterid + 2)
      .Case("cluster.ctaid.x", kClusterCtaid)
      .Case("cluster.ctaid.y", kClusterCtaid + 1)
      .Case("cluster.ctaid.z", kClusterCtaid + 2)
      .Case("cluster.nctaid.x", kClusterNctaid)
      .Case("cluster.nctaid.y", kClusterNctaid + 1)
      .Case("cluster.nctaid.z", kClusterNctaid + 2)
      .Case("cluster.ctarank", kClusterCtarank)
      .Case("cluster.nctarank", kClusterNctarank)
      .Case("laneid", kLaneid)
      .Case("warpid", kWarpid)
      .Case("nwarpid", kNwarpid)
      .Case("warpsize", kWarpsize)
      .Case("lanemask.eq", kLanemaskEq)
      .Case("lanemask.le", kLanemaskLe)
      .Case("lanemask.lt", kLanemaskLt)
      .Case("lanemask.ge", kLanemaskGe)
      .Case("lanemask.gt", kLanemaskGt)
      .Case("dynamic.smem.size", kDynamicSmemSize)
      .Case("total.smem.size", kTotalSmemSize)
      .Case("smid", kSmid)
      .Case("nsmid", kNsmid)
      .Case("gridid", kGridid)
      .Default(-1);
}

/// Multiprocessors of an H100.
static constexpr int64_t kSMs = 132;

Launch::Launch(const LaunchSpec &spec, StackPool &stacks)
    : spec(spec), stacks(stacks),
      blockThreads(spec.block[0] * spec.block[1] * spec.block[2]),
      ranks(spec.cluster[0] * spec.cluster[1] * spec.cluster[2]) {
  threads = std::vector<Thread>(blockThreads * ranks);
  pointers = {&threadPointer};
  pointers.insert(pointers.end(), spec.arguments.begin(), spec.arguments.end());
  for (size_t rank = 0; rank < ranks; ++rank)
    if (spec.sharedBytes > 0)
      sharedRegions.emplace_back(
          ShadowRegion::Kind::Shared,
          spec.windows + rank * kSharedStride + kSharedStart, spec.sharedBytes,
          spec.sharedElementBytes, rank);
  setUpThreads();
}

static void setVector(int32_t *registers, int64_t linear,
                      const std::array<int64_t, 3> &extents) {
  registers[0] = linear % extents[0];
  registers[1] = linear / extents[0] % extents[1];
  registers[2] = linear / (extents[0] * extents[1]);
}

void Launch::setUpThreads() {
  for (size_t i = 0; i < threads.size(); ++i) {
    Thread &thread = threads[i];
    thread.launch = this;
    thread.agent = i;
    thread.rank = i / blockThreads;
    thread.linear = i % blockThreads;
    thread.window = spec.windows + thread.rank * kSharedStride;
    int32_t *registers = thread.registers;
    std::memset(registers, 0, sizeof(thread.registers));
    setVector(registers + kTid, thread.linear, spec.block);
    setVector(registers + kClusterCtaid, thread.rank, spec.cluster);
    for (int dim = 0; dim < 3; ++dim) {
      registers[kNtid + dim] = spec.block[dim];
      registers[kNctaid + dim] = spec.grid[dim];
      registers[kClusterNctaid + dim] = spec.cluster[dim];
      registers[kNclusterid + dim] = spec.grid[dim] / spec.cluster[dim];
    }
    registers[kClusterCtarank] = thread.rank;
    registers[kClusterNctarank] = ranks;
    uint32_t lane = thread.lane(), bit = uint32_t(1) << lane;
    registers[kLaneid] = lane;
    // Not promised to be the number of the warp in the block.
    registers[kNwarpid] = llvm::divideCeil(blockThreads, kWarpSize);
    registers[kWarpid] = registers[kNwarpid] - 1 - thread.warp();
    registers[kWarpsize] = kWarpSize;
    registers[kLanemaskEq] = bit;
    registers[kLanemaskLt] = bit - 1;
    registers[kLanemaskLe] = bit | (bit - 1);
    registers[kLanemaskGe] = ~(bit - 1);
    registers[kLanemaskGt] = ~(bit | (bit - 1));
    registers[kDynamicSmemSize] = spec.dynamicBytes;
    registers[kTotalSmemSize] = spec.sharedBytes;
    registers[kNsmid] = kSMs;
  }
}

std::optional<SimtFault> Launch::run() {
  if (!stacks.reserve(spec.synchronizes ? threads.size() : 1)) {
    fault(SimtFault::Kind::DivergentBarrier, nullptr, -1,
          "no memory for the threads' stacks");
    return found;
  }
  int64_t clusters = spec.grid[0] * spec.grid[1] * spec.grid[2] / ranks;
  for (int64_t cluster = 0; cluster < clusters && !found; ++cluster) {
    startCluster(spec.backwards ? clusters - 1 - cluster : cluster);
    if (spec.synchronizes)
      runCluster();
    else
      runThreadsInTurn();
  }
  if (found || !spec.checkAccesses)
    return found;
  for (auto [argument, region] : llvm::enumerate(spec.regionOf)) {
    if (region < 0 ||
        (*spec.regions)[region].getKind() != ShadowRegion::Kind::Output)
      continue;
    int64_t element = (*spec.regions)[region].firstUnwritten();
    if (element >= 0) {
      fault(SimtFault::Kind::UnwrittenOutput, nullptr, -1,
            llvm::formatv("no thread writes element {0} of argument {1}",
                          element, argument));
      break;
    }
  }
  return found;
}

void Launch::startCluster(int64_t cluster) {
  owner = cluster + 1;
  epoch = 0;
  clusterArrived = clusterPhase = finished = 0;
  clusterArriving = clusterComplete = Clocks();
  barriers.assign(ranks, {});
  finishedOf.assign(ranks, 0);
  mbarriers.clear();
  units.clear();
  unitNames.clear();
  products.assign(
      ranks * llvm::alignTo(llvm::divideCeil(blockThreads, kWarpSize), 4), {});
  for (ShadowRegion &region : sharedRegions)
    std::memset(region.getBase(), spec.poison, region.getBytes());
  std::array<int64_t, 3> clusterGrid;
  for (int dim = 0; dim < 3; ++dim)
    clusterGrid[dim] = spec.grid[dim] / spec.cluster[dim];
  int32_t id[3];
  setVector(id, cluster, clusterGrid);
  SharedClocks nothing;
  if (spec.needsClocks)
    nothing = std::make_shared<Clocks>();
  for (Thread &thread : threads) {
    for (int dim = 0; dim < 3; ++dim) {
      thread.registers[kClusterid + dim] = id[dim];
      thread.registers[kCtaid + dim] =
          id[dim] * spec.cluster[dim] + thread.registers[kClusterCtaid + dim];
    }
    // Which one runs a block is not promised.
    thread.registers[kSmid] = (cluster * 47 + thread.rank * 5 + 11) % kSMs;
    thread.state = Thread::State::Ready;
    thread.clocks = nothing;
    thread.now = 1;
    thread.vouched = Clocks();
    thread.clusterPhase = 0;
    thread.arrivedAtCluster = thread.clusterStarted = false;
    thread.copies = thread.bulkCopies = 0;
    thread.tried.clear();
    thread.copyGroups.clear();
    thread.bulkGroups.clear();
    thread.locals.clear();
    thread.stepsLeft = spec.stepLimit;
    thread.maxRegisters = 0;
  }
}

// Without barriers and meetings the threads need no stacks of their own; one
// fiber stays, as the place that a fault leaves from.
void Launch::runThreadsInTurn() {
  running = &threads[0].fiber;
  running->start(
      stacks, 0,
      [](void *self) {
        auto &launch = *static_cast<Launch *>(self);
        for (size_t turn = 0; turn < launch.threads.size(); ++turn) {
          launch.threadPointer =
              &launch.threads[launch.atTurn(turn, 0, launch.threads.size())];
          launch.spec.function(launch.pointers.data());
        }
      },
      this);
  running->resume();
}

void Launch::runCluster() {
  for (size_t i = 0; i < threads.size(); ++i) {
    threads[i].fiber.start(
        stacks, i,
        [](void *self) {
          auto &thread = *static_cast<Thread *>(self);
          Launch &launch = *thread.launch;
          launch.threadPointer = &thread;
          launch.spec.function(launch.pointers.data());
        },
        &threads[i]);
  }
  int polls = 0;
  while (!found && finished < threads.size()) {
    bool ran = false;
    size_t warps = llvm::divideCeil(blockThreads, kWarpSize);
    for (size_t turn = 0; turn < ranks * warps && !found; ++turn) {
      size_t warp = atTurn(turn, 0, ranks * warps);
      ran |= runWarp(warp / warps * blockThreads + warp % warps * kWarpSize);
    }
    if (found)
      return;
    if (ran) {
      polls = 0;
      continue;
    }
    bool anySpins = false;
    for (Thread &thread : threads)
      if (thread.state == Thread::State::Spinning) {
        thread.state = Thread::State::Ready;
        anySpins = true;
      }
    if (!anySpins || ++polls > kPollingTurns)
      return reportStuck();
    // Polling threads run; only what they free counts as progress.
    size_t before = finished;
    bool others = false;
    for (size_t turn = 0; turn < threads.size(); ++turn) {
      Thread &thread = threads[atTurn(turn, 0, threads.size())];
      if (thread.state == Thread::State::Ready && !found) {
        running = &thread.fiber;
        if (!thread.fiber.resume())
          finish(thread);
        running = nullptr;
        others |= thread.state != Thread::State::Spinning;
      }
    }
    if (found)
      return;
    if (others || finished != before)
      polls = 0;
  }
  if (!found)
    checkEnd();
}

// Runs a warp until none of its lanes can go on. Whether any did.
bool Launch::runWarp(size_t first) {
  size_t end =
      std::min(first + kWarpSize, (first / blockThreads + 1) * blockThreads);
  bool ran = false;
  do {
    for (size_t turn = first; turn < end; ++turn) {
      Thread &thread = threads[atTurn(turn, first, end)];
      if (thread.state != Thread::State::Ready)
        continue;
      ran = true;
      running = &thread.fiber;
      if (!thread.fiber.resume())
        finish(thread);
      running = nullptr;
      if (found)
        return true;
    }
  } while (exchange(first));
  return ran;
}

void Launch::finish(Thread &thread) {
  thread.state = Thread::State::Finished;
  ++finished;
  ++finishedOf[thread.rank];
  if (ranks > 1 || clusterArrived)
    checkClusterBarrier();
}

void Launch::wait(Thread &thread, Thread::State state, int32_t site) {
  thread.state = state;
  thread.site = site;
  thread.fiber.suspend();
}

void Launch::step(Thread &thread, int32_t site) {
  if (--thread.stepsLeft < 0)
    stop(SimtFault::Kind::Deadlock, thread, site,
         llvm::formatv("is still in a loop after {0} rounds", spec.stepLimit));
}
