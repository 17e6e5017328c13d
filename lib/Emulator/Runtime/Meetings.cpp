//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Instructions that the lanes of a warp execute together: shuffles, votes,
// reductions, warp barriers, and the checks that they do meet.
//
//===----------------------------------------------------------------------===//
#include "Launch.h"
#include "llvm/Support/FormatVariadic.h"
#include <bit>
#include <cmath>

using namespace egg;
using namespace egg::simt;

void Launch::meet(Thread &thread, int32_t site, Meeting meeting,
                  uint32_t mask) {
  thread.meeting = meeting;
  thread.mask = mask;
  if (!(mask >> thread.lane() & 1))
    return stop(SimtFault::Kind::DivergentShuffle, thread, site,
                llvm::formatv("lane {0} executes a {1} whose mask {2} does not "
                              "have it",
                              thread.lane(), stringifyMeeting(meeting),
                              llvm::utohexstr(mask)));
  wait(thread, Thread::State::AtMeeting, site);
}

/// Registers of a multiprocessor, which a block has at most.
static constexpr int64_t kRegisters = 65536;

void Launch::setMaxRegisters(Thread &thread, int32_t site, int32_t registers,
                             bool increases) {
  thread.maxRegisters = registers;
  int64_t held = 0;
  for (const Thread &other : threads)
    if (other.rank == thread.rank)
      held += other.maxRegisters;
  if (increases && held > kRegisters)
    return stop(SimtFault::Kind::Deadlock, thread, site,
                llvm::formatv("waits for {0} registers a thread, with which "
                              "its block would hold {1} of {2}",
                              registers, held, kRegisters));
  meet(thread, site, Meeting::Aligned, ~0u);
}

/// Whether all lanes of the lead's mask wait with it; a lane that never will
/// is a fault.
bool Launch::checkMeeting(size_t first, Thread &lead) {
  size_t blockEnd = (lead.rank + 1) * blockThreads;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(lead.mask >> lane & 1))
      continue;
    if (first + lane >= blockEnd) {
      fault(SimtFault::Kind::DivergentShuffle, &lead, lead.site,
            llvm::formatv("a {0} of mask {1} in a warp of {2} lanes: use a "
                          "block of whole warps",
                          stringifyMeeting(lead.meeting),
                          llvm::utohexstr(lead.mask), blockEnd - first));
      return false;
    }
    Thread &other = threads[first + lane];
    bool joins = other.state == Thread::State::AtMeeting;
    if (joins && other.site == lead.site && other.mask == lead.mask)
      continue;
    // It may still come, unless it waits in another meeting or has ended.
    if (!joins && other.state != Thread::State::Finished)
      return false;
    fault(SimtFault::Kind::DivergentShuffle, &lead, lead.site,
          llvm::formatv("lane {0} waits in a {1} that lane {2} does not reach: "
                        "that lane {3}",
                        lead.lane(), stringifyMeeting(lead.meeting), lane,
                        describeWait(other)));
    return false;
  }
  return true;
}

// Completes a meeting of the warp's lanes. False when there is none, or after a
// fault.
bool Launch::exchange(size_t first) {
  size_t end =
      std::min(first + kWarpSize, (first / blockThreads + 1) * blockThreads);
  uint32_t seen = 0;
  for (size_t i = first; i < end; ++i) {
    Thread &lead = threads[i];
    // Each mask once: disjoint groups may wait apart.
    if (lead.state != Thread::State::AtMeeting || (seen >> (i - first) & 1))
      continue;
    seen |= lead.mask;
    bool complete = checkMeeting(first, lead);
    if (found)
      return false;
    if (!complete ||
        (lead.meeting == Meeting::WgmmaWait && !productsIssued(lead)))
      continue;
    uint32_t mask = lead.mask;
    resolve(first, lead);
    if (found)
      return false;
    for (uint32_t lane = 0; lane < kWarpSize; ++lane)
      if (mask >> lane & 1)
        threads[first + lane].state = Thread::State::Ready;
    return true;
  }
  return false;
}

void Launch::resolve(size_t first, Thread &lead) {
  WarpProducts &warp = products[warpNumber(lead)];
  switch (lead.meeting) {
  case Meeting::Shuffle:
    return shuffle(first, lead);
  case Meeting::Vote:
    return vote(first, lead);
  case Meeting::Match:
    return match(first, lead);
  case Meeting::Redux:
    return redux(first, lead);
  case Meeting::Elect:
    for (uint32_t lane = 0, mask = lead.mask; lane < kWarpSize; ++lane)
      if (mask >> lane & 1)
        threads[first + lane].valid = lane == uint32_t(std::countr_zero(mask));
    return;
  case Meeting::SyncWarp: {
    std::vector<Thread *> members;
    for (uint32_t lane = 0; lane < kWarpSize; ++lane)
      if (lead.mask >> lane & 1)
        members.push_back(&threads[first + lane]);
    if (spec.needsClocks)
      mergeClocks(members, Clocks());
    return;
  }
  case Meeting::LoadMatrix:
    return loadMatrix(first, lead);
  case Meeting::StoreMatrix:
    return storeMatrix(first, lead);
  case Meeting::Multiply:
    return multiply(first, lead);
  case Meeting::Wgmma:
    return wgmma(first, lead);
  case Meeting::WgmmaFence:
    warp.fenced = true;
    return;
  case Meeting::WgmmaCommit:
    warp.groups.push_back(warp.issued);
    return;
  case Meeting::WgmmaWait:
    return waitForProducts(first, lead.detail);
  case Meeting::Aligned:
    return;
  }
}

// `mode` as in NVVM::ShflKind: bfly, up, down, idx; `detail` holds the clamp
// and the segment mask as in PTX.
void Launch::shuffle(size_t first, Thread &lead) {
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(lead.mask >> lane & 1))
      continue;
    Thread &thread = threads[first + lane];
    int32_t offset = thread.values[1] & 31;
    int32_t clamp = thread.detail & 31, segment = thread.detail >> 8 & 31;
    int32_t low = lane & segment, high = low | (clamp & ~segment);
    int32_t source = lane;
    switch (thread.mode) {
    case 0:
      source = lane ^ offset;
      thread.valid = source <= high;
      break;
    case 1:
      source = int32_t(lane) - offset;
      thread.valid = source >= high;
      break;
    case 2:
      source = lane + offset;
      thread.valid = source <= high;
      break;
    default:
      source = low | (offset & ~segment);
      thread.valid = source <= high;
      break;
    }
    if (!thread.valid)
      source = lane;
    if (!(lead.mask >> source & 1))
      return fault(SimtFault::Kind::DivergentShuffle, &thread, thread.site,
                   llvm::formatv("lane {0} takes the value of lane {1}, which "
                                 "is not in the mask {2}",
                                 lane, source, llvm::utohexstr(lead.mask)));
    thread.result = threads[first + source].values[0];
  }
}

void Launch::vote(size_t first, Thread &lead) {
  uint32_t ballot = 0;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    if ((lead.mask >> lane & 1) && threads[first + lane].values[0])
      ballot |= uint32_t(1) << lane;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(lead.mask >> lane & 1))
      continue;
    Thread &thread = threads[first + lane];
    // any, all, ballot, uni
    bool all = ballot == lead.mask;
    thread.result = thread.mode == 0   ? ballot != 0
                    : thread.mode == 1 ? all
                    : thread.mode == 2 ? ballot
                                       : all || ballot == 0;
  }
}

void Launch::match(size_t first, Thread &lead) {
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(lead.mask >> lane & 1))
      continue;
    Thread &thread = threads[first + lane];
    uint32_t same = 0;
    for (uint32_t other = 0; other < kWarpSize; ++other)
      if ((lead.mask >> other & 1) &&
          threads[first + other].values[0] == thread.values[0])
        same |= uint32_t(1) << other;
    thread.valid = same == lead.mask;
    // any, all
    thread.result = thread.mode == 0 || thread.valid ? same : 0;
  }
}

// `mode` as in NVVM::ReduxKind, integers only.
void Launch::redux(size_t first, Thread &lead) {
  std::optional<uint32_t> result;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(lead.mask >> lane & 1))
      continue;
    uint32_t value = threads[first + lane].values[0];
    if (!result) {
      result = value;
      continue;
    }
    switch (lead.mode) {
    case 1:
      *result += value;
      break;
    case 2:
      *result &= value;
      break;
    case 3:
      *result = std::max(int32_t(*result), int32_t(value));
      break;
    case 4:
      *result = std::min(int32_t(*result), int32_t(value));
      break;
    case 5:
      *result |= value;
      break;
    case 6:
      *result = std::max(*result, value);
      break;
    case 7:
      *result = std::min(*result, value);
      break;
    case 8:
      *result ^= value;
      break;
    default:
      return fault(SimtFault::Kind::InvalidOperation, &lead, lead.site,
                   "this reduction is not emulated");
    }
  }
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    if (lead.mask >> lane & 1)
      threads[first + lane].result = *result;
}
