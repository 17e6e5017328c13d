//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Barriers of blocks and clusters, and what passing them orders.
//
//===----------------------------------------------------------------------===//
#include "Launch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;
using namespace egg::simt;

Clocks Launch::snapshot(const Thread &thread) const {
  Clocks clocks = *thread.clocks;
  clocks.advance(thread.agent, thread.now);
  return clocks;
}

Clocks Launch::released(const Thread &thread) const {
  Clocks clocks = snapshot(thread);
  clocks.join(thread.vouched);
  return clocks;
}

void Launch::acquire(Thread &thread, const Clocks &clocks) {
  auto joined = std::make_shared<Clocks>(*thread.clocks);
  joined->join(clocks);
  thread.clocks = std::move(joined);
}

void Launch::learn(Thread &thread, uint32_t agent, uint32_t time) {
  if (thread.clocks->seenOf(agent) >= time)
    return;
  auto learned = std::make_shared<Clocks>(*thread.clocks);
  learned->advance(agent, time);
  // Completion of an asynchronous operation crosses the proxies by itself.
  thread.clocks = std::move(learned);
}

void Launch::proxyFence(Thread &thread, FencedSpaces spaces) {
  if (!spec.needsClocks)
    return;
  auto fenced = std::make_shared<Clocks>(snapshot(thread));
  if (spaces == FencedSpaces::All || spaces == FencedSpaces::Global)
    fenced->fence(Clocks::kGlobal);
  for (size_t rank = 0; rank < ranks; ++rank)
    if (spaces == FencedSpaces::All || spaces == FencedSpaces::Cluster ||
        (spaces == FencedSpaces::Block && rank == thread.rank))
      fenced->fence(Clocks::sharedOf(rank));
  thread.clocks = std::move(fenced);
  ++thread.now;
}

/// All threads learn what each of them knows.
void Launch::mergeClocks(llvm::ArrayRef<Thread *> members, const Clocks &more) {
  auto merged = std::make_shared<Clocks>(more);
  const Clocks *last = nullptr;
  for (Thread *thread : members) {
    if (thread->clocks.get() != last)
      merged->join(*thread->clocks);
    last = thread->clocks.get();
  }
  for (Thread *thread : members)
    merged->advance(thread->agent, thread->now);
  for (Thread *thread : members) {
    thread->clocks = merged;
    ++thread->now;
  }
}

void Launch::barrier(Thread &thread, int32_t site, int32_t id, int64_t count,
                     bool waits) {
  if (id < 0 || id > 15)
    return stop(SimtFault::Kind::InvalidOperation, thread, site,
                llvm::formatv("uses barrier {0}; a block has 0 to 15", id));
  bool whole = count < 0;
  if (whole)
    count = blockThreads;
  if (count == 0 || count > int64_t(llvm::alignTo(blockThreads, kWarpSize)) ||
      (!whole && count % kWarpSize != 0))
    return stop(SimtFault::Kind::DivergentBarrier, thread, site,
                llvm::formatv("waits at a barrier of {0} threads: it must be a "
                              "multiple of 32, at most the block's {1}",
                              count, blockThreads));
  NamedBarrier &barrier = barriers[thread.rank][id];
  if (barrier.arrived != 0 && barrier.expected != count)
    return stop(
        SimtFault::Kind::DivergentBarrier, thread, site,
        llvm::formatv("arrives at barrier {0} for {1} threads, and others wait "
                      "there for {2}",
                      id, count, barrier.expected));
  barrier.expected = count;
  ++barrier.arrived;
  thread.barrier = id;
  if (waits) {
    barrier.waiting.push_back(&thread);
    thread.state = Thread::State::AtBarrier;
    thread.site = site;
  } else if (spec.needsClocks) {
    barrier.arriving.join(released(thread));
    ++thread.now;
  }
  if (barrier.arrived == barrier.expected)
    completeBarrier(barrier, thread.rank, id);
  if (found || waits)
    thread.fiber.suspend();
}

// The barriers are aligned: the lanes of a warp come to the same one together.
bool Launch::checkAligned(const NamedBarrier &barrier, int32_t id) {
  for (const Thread *waiting : barrier.waiting) {
    size_t first = waiting->agent - waiting->lane();
    size_t end =
        std::min<size_t>(first + kWarpSize, (waiting->rank + 1) * blockThreads);
    for (size_t i = first; i < end; ++i) {
      const Thread &lane = threads[i];
      if (lane.state == Thread::State::AtBarrier && lane.barrier == id &&
          lane.site == waiting->site)
        continue;
      fault(SimtFault::Kind::DivergentBarrier, waiting, waiting->site,
            llvm::formatv("waits at a barrier that thread ({0}, {1}, {2}) of "
                          "the same warp does not reach: that thread {3}",
                          lane.registers[kTid], lane.registers[kTid + 1],
                          lane.registers[kTid + 2], describeWait(lane)));
      return false;
    }
  }
  return true;
}

void Launch::completeBarrier(NamedBarrier &barrier, uint32_t rank, int32_t id) {
  if (!checkAligned(barrier, id))
    return;
  if (spec.needsClocks) {
    for (const Thread *thread : barrier.waiting)
      barrier.arriving.join(thread->vouched);
    mergeClocks(barrier.waiting, barrier.arriving);
  } else {
    ++epoch;
  }
  for (Thread *thread : barrier.waiting)
    thread->state = Thread::State::Ready;
  barrier = NamedBarrier();
}

void Launch::clusterArrive(Thread &thread, int32_t site, bool relaxed) {
  if (thread.arrivedAtCluster)
    return stop(SimtFault::Kind::DivergentBarrier, thread, site,
                "arrives at the cluster barrier twice without waiting between");
  thread.arrivedAtCluster = true;
  thread.clusterPhase = clusterPhase;
  if (!relaxed) {
    clusterArriving.join(released(thread));
    ++thread.now;
  }
  ++clusterArrived;
  checkClusterBarrier();
}

void Launch::checkClusterBarrier() {
  // Threads that have returned are not waited for.
  uint32_t expected = 0;
  for (const Thread &thread : threads)
    expected +=
        thread.state != Thread::State::Finished || thread.arrivedAtCluster;
  if (clusterArrived == 0 || clusterArrived < expected)
    return;
  clusterComplete.join(clusterArriving);
  clusterArriving = Clocks();
  clusterArrived = 0;
  ++clusterPhase;
  for (Thread &thread : threads)
    if (thread.state == Thread::State::AtClusterBarrier)
      thread.state = Thread::State::Ready;
}

void Launch::clusterWait(Thread &thread, int32_t site) {
  if (!thread.arrivedAtCluster)
    return stop(SimtFault::Kind::DivergentBarrier, thread, site,
                "waits at the cluster barrier without having arrived");
  while (clusterPhase == thread.clusterPhase)
    wait(thread, Thread::State::AtClusterBarrier, site);
  thread.arrivedAtCluster = false;
  thread.clusterStarted = true;
  acquire(thread, clusterComplete);
}
