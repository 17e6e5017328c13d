//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a launch says about faults: who, where, and what the others do.
//
//===----------------------------------------------------------------------===//
#include "Launch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;
using namespace egg::simt;

llvm::StringRef egg::simt::stringifyMeeting(Meeting meeting) {
  switch (meeting) {
  case Meeting::Shuffle:
    return "shuffle";
  case Meeting::Vote:
    return "vote";
  case Meeting::Match:
    return "match";
  case Meeting::Redux:
    return "reduction";
  case Meeting::Elect:
    return "election";
  case Meeting::SyncWarp:
    return "warp barrier";
  case Meeting::LoadMatrix:
  case Meeting::StoreMatrix:
    return "matrix copy";
  case Meeting::Multiply:
  case Meeting::Wgmma:
    return "matrix product";
  case Meeting::WgmmaFence:
  case Meeting::WgmmaCommit:
  case Meeting::WgmmaWait:
  case Meeting::Aligned:
    return "aligned instruction";
  }
  llvm_unreachable("all meetings are listed");
}

std::string Launch::describe(const Access &access) const {
  if (access.owner == Access::kMany)
    return "other blocks";
  if (access.owner != owner)
    return ranks == 1
               ? llvm::formatv("block number {0}", access.owner - 1).str()
               : llvm::formatv("cluster number {0}", access.owner - 1).str();
  if (access.agent == Access::kMany)
    return "other threads";
  if (access.agent < threads.size()) {
    const Thread &thread = threads[access.agent];
    std::string text =
        llvm::formatv("thread number {0} of the block", thread.linear).str();
    if (ranks > 1)
      text += llvm::formatv(" of rank {0}", thread.rank).str();
    return text;
  }
  auto [kind, id] = unitNames[access.agent - threads.size()];
  switch (kind) {
  case Unit::CopyGroup:
    return llvm::formatv("an asynchronous copy (cp.async) of thread {0}", id);
  case Unit::BulkRead:
  case Unit::BulkWrite:
    return llvm::formatv("an asynchronous bulk store of thread {0}", id);
  case Unit::WarpProduct:
  case Unit::GroupProduct:
    return llvm::formatv("an asynchronous product (wgmma) of warpgroup {0}",
                         id / 4);
  case Unit::Barrier:
    return "an asynchronous bulk load";
  }
  llvm_unreachable("all units are listed");
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
  case Thread::State::AtMBarrier:
  case Thread::State::AtClusterBarrier:
    return "waits at " + at();
  case Thread::State::AtMeeting:
    return "waits in " + at();
  case Thread::State::Spinning:
    return "polls at " + at();
  case Thread::State::Ready:
    return "has not run";
  }
  llvm_unreachable("all states are listed");
}

static std::string formatThread(const Thread &thread) {
  return llvm::formatv("({0}, {1}, {2})", thread.registers[kTid],
                       thread.registers[kTid + 1], thread.registers[kTid + 2]);
}

// Nothing can run: the first thread that waits for something that cannot come
// says what.
void Launch::reportStuck() {
  // Other waits follow from this one.
  for (const Thread &thread : threads)
    if (thread.state == Thread::State::AtMeeting &&
        thread.meeting == Meeting::WgmmaWait && !productsIssued(thread))
      return fault(SimtFault::Kind::DivergentBarrier, &thread, thread.site,
                   "waits for a product (wgmma) that other warps of the "
                   "warpgroup do not execute");
  const Thread *barrierWaiter = nullptr, *meetingWaiter = nullptr,
               *otherWaiter = nullptr;
  for (const Thread &thread : threads) {
    if (thread.state == Thread::State::AtBarrier && !barrierWaiter)
      barrierWaiter = &thread;
    if (thread.state == Thread::State::AtMeeting && !meetingWaiter)
      meetingWaiter = &thread;
    if (!otherWaiter && (thread.state == Thread::State::AtMBarrier ||
                         thread.state == Thread::State::AtClusterBarrier ||
                         thread.state == Thread::State::Spinning ||
                         thread.state == Thread::State::Ready))
      otherWaiter = &thread;
  }
  if (otherWaiter) {
    const Thread &thread = *otherWaiter;
    std::string reason = "waits for ever, for no other thread can go on";
    if (thread.state == Thread::State::AtMBarrier) {
      const MBarrier &barrier = mbarriers.at(thread.mbarrier);
      reason = llvm::formatv(
          "waits for phase {0} of an mbarrier that nothing completes: {1} of "
          "{2} arrivals and {3} bytes are missing",
          thread.phase, barrier.pending, barrier.count, barrier.transactions);
    } else if (thread.state == Thread::State::AtClusterBarrier) {
      reason = "waits at a cluster barrier that not all threads arrive at";
    } else {
      reason = "polls for ever, for no other thread can go on";
    }
    return fault(SimtFault::Kind::Deadlock, &thread, thread.site,
                 std::move(reason));
  }
  if (meetingWaiter) {
    const Thread &lead = *meetingWaiter;
    size_t first = lead.agent - lead.lane();
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if (!(lead.mask >> lane & 1) || first + lane >= threads.size())
        continue;
      const Thread &other = threads[first + lane];
      if (other.state == Thread::State::AtMeeting && other.site == lead.site)
        continue;
      return fault(
          SimtFault::Kind::DivergentShuffle, &lead, lead.site,
          llvm::formatv("lane {0} waits in a {1} that lane {2} does not "
                        "reach: that lane {3}",
                        lead.lane(), stringifyMeeting(lead.meeting), lane,
                        describeWait(other)));
    }
    return fault(SimtFault::Kind::DivergentShuffle, &lead, lead.site,
                 "waits for lanes that the warp does not have");
  }
  const Thread &waiting = *barrierWaiter;
  for (const Thread &thread : threads) {
    if (thread.rank != waiting.rank ||
        (thread.state == Thread::State::AtBarrier &&
         thread.barrier == waiting.barrier))
      continue;
    return fault(SimtFault::Kind::DivergentBarrier, &waiting, waiting.site,
                 "waits at a barrier that thread " + formatThread(thread) +
                     " does not reach: that thread " + describeWait(thread));
  }
  const NamedBarrier &barrier = barriers[waiting.rank][waiting.barrier];
  fault(SimtFault::Kind::DivergentBarrier, &waiting, waiting.site,
        llvm::formatv("waits at barrier {0} with {1} of {2} threads, and no "
                      "more come",
                      waiting.barrier, barrier.arrived, barrier.expected));
}

std::string Launch::describePlace(const ShadowRegion &region,
                                  int64_t element) const {
  if (region.getKind() == ShadowRegion::Kind::Shared) {
    int64_t offset = kSharedStart + element * region.getElementBytes();
    for (const SharedVariable &variable : *spec.shared)
      if (spec.shared->size() > 1 && offset >= variable.offset &&
          (variable.bytes < 0 || offset < variable.offset + variable.bytes))
        return llvm::formatv("element {0} of shared memory '{1}'",
                             (offset - variable.offset) /
                                 region.getElementBytes(),
                             variable.name);
    return llvm::formatv("element {0} of shared memory", element);
  }
  int32_t number = &region - spec.regions->data();
  for (auto [argument, candidate] : llvm::enumerate(spec.regionOf))
    if (candidate == number)
      return llvm::formatv("element {0} of argument {1}", element, argument);
  return llvm::formatv("element {0} of a buffer", element);
}

void Launch::report(Thread &thread, int32_t site, const Conflict &conflict,
                    const ShadowRegion &region, bool write) {
  std::string where = describePlace(region, conflict.element);
  llvm::StringRef verb = write ? "writes" : "reads";
  switch (conflict.kind) {
  case Conflict::Kind::None:
    return;
  case Conflict::Kind::Outside:
    return stop(SimtFault::Kind::OutOfBounds, thread, site,
                llvm::formatv("{0} {1}, which is outside", verb, where));
  case Conflict::Kind::Uninitialized:
    return stop(SimtFault::Kind::UninitializedRead, thread, site,
                "reads " + where + ", which nothing has written");
  case Conflict::Kind::WriteToInput:
    return stop(SimtFault::Kind::WriteToInput, thread, site,
                "writes " + where + ", which is an input");
  case Conflict::Kind::OnBarrier:
    return stop(
        SimtFault::Kind::InvalidOperation, thread, site,
        llvm::formatv("{0} {1}, which holds a live mbarrier", verb, where));
  case Conflict::Kind::MissingFence:
    return stop(SimtFault::Kind::MissingFence, thread, site,
                llvm::formatv("{0} {1} through the asynchronous proxy; {2} "
                              "wrote it through the generic proxy and there is "
                              "no fence.proxy.async between",
                              verb, where, describe(conflict.other)));
  case Conflict::Kind::Race:
    break;
  }
  std::string other = describe(conflict.other);
  llvm::StringRef did = conflict.otherWrites ? "wrote" : "read";
  if (write && !conflict.otherWrites && conflict.other.owner == owner &&
      thread.vouched.hasRead(conflict.other.agent, conflict.other.time))
    return stop(
        SimtFault::Kind::DataRace, thread, site,
        llvm::formatv("writes {0}, which {1} reads; wgmma.wait_group of this "
                      "warp does not wait for the other warps, and no barrier "
                      "or mbarrier lies between",
                      where, other));
  if (conflict.other.owner == owner && conflict.other.agent >= threads.size() &&
      conflict.other.agent != Access::kMany)
    return stop(SimtFault::Kind::MissingWait, thread, site,
                llvm::formatv("{0} {1}, which {2} {3} and nothing on the way "
                              "here has waited for",
                              verb, where, other,
                              conflict.otherWrites ? "writes" : "reads"));
  stop(SimtFault::Kind::DataRace, thread, site,
       llvm::formatv("{0} {1}, which {2} {3} with no barrier between", verb,
                     where, other, did));
}

void Launch::fault(SimtFault::Kind kind, const Thread *thread, int32_t site,
                   std::string message) {
  if (found)
    return;
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
      fault.block[dim] = thread->registers[kCtaid + dim];
      fault.thread[dim] = thread->registers[kTid + dim];
    }
  }
  found = std::move(fault);
}

void Launch::stop(SimtFault::Kind kind, Thread &thread, int32_t site,
                  std::string message) {
  fault(kind, &thread, site, std::move(message));
  // Meetings are resolved outside the fibers: their callers look at `found`.
  if (running)
    running->suspend();
}
