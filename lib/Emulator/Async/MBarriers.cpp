//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mbarriers: arrivals, transaction counts, phases and waiting.
//
//===----------------------------------------------------------------------===//
#include "../Runtime/Launch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;
using namespace egg::simt;

static constexpr int64_t kMaxCount = (1 << 20) - 1;

void Launch::mbarrierInit(Thread &thread, int32_t site, char *address,
                          int64_t count) {
  if (count < 1 || count > kMaxCount)
    return stop(SimtFault::Kind::InvalidOperation, thread, site,
                llvm::formatv("sets an mbarrier up for {0} arrivals; it takes "
                              "1 to {1}",
                              count, kMaxCount));
  if (reinterpret_cast<uintptr_t>(address) % 8 != 0)
    return stop(SimtFault::Kind::Misaligned, thread, site,
                "sets up an mbarrier at an address that is not a multiple of "
                "8");
  ShadowRegion *region = findRegion(address);
  if (!region || region->getKind() != ShadowRegion::Kind::Shared)
    return stop(SimtFault::Kind::OutOfBounds, thread, site,
                "sets up an mbarrier outside shared memory");
  // Doing so again on a live one is undefined: the access says so.
  if (!checkedAccess(thread, site, address, 8, true, viewOf(thread),
                     Space::Shared, region))
    return;
  region->setBarrier(address, true);
  MBarrier barrier;
  // A new unit even where the address is set up again: times start anew.
  barrier.agent = unit(Unit::Barrier, unitNames.size());
  barrier.count = barrier.pending = count;
  // Whoever uses it must know that it was set up.
  barrier.complete.advance(thread.agent, thread.now);
  barrier.initAgent = thread.agent;
  barrier.initTime = thread.now;
  mbarriers[address] = std::move(barrier);
}

/// fence.mbarrier_init: what this thread set up can be used by all.
void Launch::publishBarriers(Thread &thread) {
  for (auto &[address, barrier] : mbarriers)
    barrier.published |= barrier.initAgent == thread.agent;
}

void Launch::mbarrierInval(Thread &thread, int32_t site, char *address) {
  if (!findBarrier(thread, site, address))
    return;
  findRegion(address)->setBarrier(address, false);
  mbarriers.erase(address);
}

MBarrier *Launch::findBarrier(Thread &thread, int32_t site, char *address) {
  auto found = mbarriers.find(address);
  if (found == mbarriers.end()) {
    stop(SimtFault::Kind::UninitializedRead, thread, site,
         "uses an mbarrier that nothing has set up at this address");
    return nullptr;
  }
  // Set up by another thread: there must be an order.
  const MBarrier &barrier = found->second;
  if (barrier.initAgent != thread.agent &&
      thread.clocks->seenOf(barrier.initAgent) < barrier.initTime) {
    stop(SimtFault::Kind::DataRace, thread, site,
         "uses an mbarrier that " +
             describe({owner, barrier.initAgent, barrier.initTime}) +
             " set up with no barrier between");
    return nullptr;
  }
  uint32_t rank = (address - spec.windows) / kSharedStride;
  if (rank != thread.rank && !checkShared(thread, site, address, 8))
    return nullptr;
  return &found->second;
}

/// The mbarrier that a bulk copy completes: the copy belongs to another proxy
/// than the write that set the mbarrier up.
MBarrier *Launch::findBarrierOfCopy(Thread &thread, int32_t site,
                                    char *address) {
  MBarrier *barrier = findBarrier(thread, site, address);
  if (!barrier || barrier->published ||
      thread.clocks->fencedOf(
          Clocks::sharedOf((address - spec.windows) / kSharedStride),
          barrier->initAgent) >= barrier->initTime)
    return barrier;
  stop(SimtFault::Kind::MissingFence, thread, site,
       "completes a phase of an mbarrier whose set-up the asynchronous proxy "
       "need not see: no fence.mbarrier_init or fence.proxy.async follows it");
  return nullptr;
}

/// Ends the phase if everything it waits for has come.
void Launch::settle(MBarrier &barrier) {
  if (barrier.pending != 0 || barrier.transactions != 0)
    return;
  barrier.complete.join(barrier.arriving);
  barrier.arriving = Clocks();
  barrier.pending = barrier.count;
  ++barrier.phase;
  // The copies of the phase carry its number.
  barrier.complete.advance(barrier.agent, barrier.phase);
  for (Thread &thread : threads)
    if (thread.state == Thread::State::AtMBarrier &&
        &mbarriers.at(thread.mbarrier) == &barrier)
      thread.state = Thread::State::Ready;
}

uint64_t Launch::mbarrierArrive(Thread &thread, int32_t site, char *address,
                                int64_t count, int64_t transactions,
                                bool release, bool drop) {
  MBarrier *barrier = findBarrier(thread, site, address);
  if (!barrier)
    return 0;
  uint64_t state = barrier->phase;
  if (count < 1 || count > barrier->pending) {
    stop(SimtFault::Kind::InvalidOperation, thread, site,
         llvm::formatv("arrives {0} times at an mbarrier that expects {1} more "
                       "arrivals in this phase",
                       count, barrier->pending));
    return 0;
  }
  if (release) {
    barrier->arriving.join(released(thread));
    ++thread.now;
  }
  if (drop)
    barrier->count -= count;
  barrier->transactions += transactions;
  barrier->pending -= count;
  settle(*barrier);
  return state;
}

void Launch::mbarrierExpect(Thread &thread, int32_t site, char *address,
                            int64_t transactions) {
  if (MBarrier *barrier = findBarrier(thread, site, address)) {
    barrier->transactions += transactions;
    settle(*barrier);
  }
}

bool Launch::mbarrierTest(Thread &thread, int32_t site, char *address,
                          uint64_t stateOrParity, bool isState, bool block,
                          bool loops) {
  MBarrier *barrier = findBarrier(thread, site, address);
  if (!barrier)
    return false;
  // Waiting on the parity of the phase before the current one succeeds.
  auto completed = [&] {
    return isState ? barrier->phase > stateOrParity
                   : (barrier->phase & 1) != (stateOrParity & 1);
  };
  // A try may fail although the phase is over: the first one does, unless the
  // thread knows the end of the phase from elsewhere, so that a result that is
  // not looked at means nothing.
  if (!loops) {
    uint32_t end = isState       ? uint32_t(stateOrParity) + 1
                   : completed() ? barrier->phase
                                 : barrier->phase + 1;
    uint32_t &tried = thread.tried[barrier->agent];
    if (thread.clocks->seenOf(barrier->agent) < end && tried != end) {
      tried = end;
      return false;
    }
  }
  if (!completed()) {
    thread.mbarrier = address;
    thread.phase = barrier->phase;
    if (!block) {
      wait(thread, Thread::State::Spinning, site);
      if (!completed())
        return false;
    }
    while (!completed())
      wait(thread, Thread::State::AtMBarrier, site);
  }
  acquire(thread, barrier->complete);
  return true;
}
