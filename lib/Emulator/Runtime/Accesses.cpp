//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Plain accesses of threads, and addresses in shared memory.
//
//===----------------------------------------------------------------------===//
#include "Launch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace egg;
using namespace egg::simt;

/// Steps that an atomic update counts for, as each is a turn of the scheduler.
static constexpr int64_t kStepsOfAtomic = 1000;

View Launch::viewOf(const Thread &thread) const {
  View view;
  view.issuer = thread.agent;
  if (spec.needsClocks) {
    view.by = {owner, thread.agent, thread.now};
    view.clocks = thread.clocks.get();
  } else {
    view.by = {owner, thread.agent, epoch};
  }
  return view;
}

View Launch::unitView(const Thread &thread, uint32_t unit,
                      uint32_t time) const {
  View view = viewOf(thread);
  view.by.agent = unit;
  view.by.time = time;
  view.asyncProxy = true;
  return view;
}

uint32_t Launch::unit(Unit kind, uint64_t id) {
  auto [entry, isNew] = units.try_emplace(
      {kind, id}, uint32_t(threads.size() + unitNames.size()));
  if (isNew)
    unitNames.push_back({kind, id});
  return entry->second;
}

ShadowRegion *Launch::findRegion(const char *address) {
  for (ShadowRegion &region : sharedRegions)
    if (region.contains(address))
      return &region;
  for (ShadowRegion &region : *spec.regions)
    if (region.contains(address))
      return &region;
  return nullptr;
}

/// Whether a block may touch the shared memory at the address: its own, or
/// that of a block that is known to have started and has not ended.
bool Launch::checkShared(Thread &thread, int32_t site, const char *address,
                         int64_t bytes) {
  uint32_t rank = (address - spec.windows) / kSharedStride;
  if (rank == thread.rank)
    return true;
  if (!thread.clusterStarted) {
    stop(SimtFault::Kind::DataRace, thread, site,
         llvm::formatv("touches the shared memory of block {0} of the cluster "
                       "before any cluster barrier: that block need not have "
                       "started",
                       rank));
    return false;
  }
  if (finishedOf[rank] == blockThreads) {
    stop(SimtFault::Kind::OutOfBounds, thread, site,
         llvm::formatv("touches the shared memory of block {0} of the cluster, "
                       "which has returned",
                       rank));
    return false;
  }
  return true;
}

/// Lanes of a warp may store to one place: one of the stores is performed. That
/// which is undefined matters only where the values differ.
bool Launch::isSameStore(const Thread &thread, const Conflict &conflict,
                         const char *address, int64_t bytes,
                         const uint64_t *stored) const {
  return stored && conflict.kind == Conflict::Kind::Race &&
         conflict.otherWrites && conflict.other.owner == owner &&
         conflict.other.agent < threads.size() &&
         threads[conflict.other.agent].rank == thread.rank &&
         threads[conflict.other.agent].warp() == thread.warp() &&
         std::memcmp(address, stored, bytes) == 0;
}

bool Launch::checkedAccess(Thread &thread, int32_t site, const char *address,
                           int64_t bytes, bool write, const View &view,
                           Space space, ShadowRegion *region,
                           const uint64_t *stored) {
  if (!region)
    region = findRegion(address);
  if (!region) {
    if (LocalVariable *variable = findLocal(thread, address))
      return checkLocal(thread, site, *variable, address, bytes, write, space);
    stop(SimtFault::Kind::OutOfBounds, thread, site,
         llvm::formatv("{0} {1} bytes outside every buffer of the kernel",
                       write ? "writes" : "reads", bytes));
    return false;
  }
  bool isShared = region->getKind() == ShadowRegion::Kind::Shared;
  Space actual = isShared ? Space::Shared : Space::Global;
  if (space != Space::Generic && space != actual)
    return checkSpace(thread, site, write, space, actual,
                      describePlace(*region, (address - region->getBase()) /
                                                 region->getElementBytes()));
  if (isShared && ranks > 1 && !checkShared(thread, site, address, bytes))
    return false;
  if (!spec.checkAccesses) {
    if (address >= region->getBase() &&
        address + bytes <= region->getBase() + region->getBytes())
      return true;
    report(thread, site,
           {Conflict::Kind::Outside,
            {},
            false,
            (address - region->getBase()) / region->getElementBytes()},
           *region, write);
    return false;
  }
  Conflict conflict = region->access(address, bytes, write, view);
  if (conflict.kind == Conflict::Kind::None ||
      isSameStore(thread, conflict, address, bytes, stored))
    return true;
  report(thread, site, conflict, *region, write);
  return false;
}

/// Most accesses of a product read what some thread has just read: whether this
/// is one of those, in its own buffer, so that no check can say anything new.
bool Launch::repeatsRead(const Thread &thread, const Site &site,
                         const char *address) const {
  if (!site.isPlainRead() || spec.needsClocks || !spec.checkAccesses ||
      (reinterpret_cast<uintptr_t>(address) & (site.alignment - 1)) != 0)
    return false;
  const ShadowRegion *region = nullptr;
  Space actual = Space::Global;
  if (site.argument >= 0) {
    int32_t index = spec.regionOf[site.argument];
    if (index < 0)
      return false;
    region = &(*spec.regions)[index];
  } else if (site.variable >= 0) {
    const SharedVariable &variable = (*spec.shared)[site.variable];
    int64_t offset = address - thread.window - variable.offset;
    // A dynamic variable may be there without any shared memory.
    if (offset < 0 || sharedRegions.empty() ||
        (variable.bytes >= 0 && offset + site.bytes > variable.bytes))
      return false;
    region = &sharedRegions[thread.rank];
    actual = Space::Shared;
  } else {
    return false;
  }
  return (site.space == Space::Generic || site.space == actual) &&
         region->repeatsRead(address, site.bytes, {owner, thread.agent, epoch});
}

void Launch::access(Thread &thread, int32_t number, const char *address,
                    const uint64_t *stored) {
  if (!repeatsRead(thread, (*spec.sites)[number], address))
    judgeAccess(thread, number, address, stored);
}

void Launch::judgeAccess(Thread &thread, int32_t number, const char *address,
                         const uint64_t *stored) {
  const Site &site = (*spec.sites)[number];
  ShadowRegion *region = nullptr;
  if (site.argument >= 0) {
    int32_t index = spec.regionOf[site.argument];
    if (index >= 0)
      region = &(*spec.regions)[index];
  } else if (site.variable >= 0) {
    const SharedVariable &variable = (*spec.shared)[site.variable];
    if (!checkSpace(thread, number, site.write, site.space, Space::Shared,
                    "'" + llvm::Twine(variable.name) + "'"))
      return;
    // A remote address (mapa) keeps its variable.
    const char *window =
        spec.windows + (address - spec.windows) / kSharedStride * kSharedStride;
    int64_t offset = address - window - variable.offset;
    int64_t extent = variable.bytes >= 0
                         ? variable.bytes
                         : kSharedStart + spec.sharedBytes - variable.offset;
    if (offset < 0 || offset + site.bytes > extent)
      return stop(SimtFault::Kind::OutOfBounds, thread, number,
                  llvm::formatv("{0} bytes {1} to {2} of shared memory '{3}', "
                                "which has {4}: outside",
                                site.write ? "writes" : "reads", offset,
                                offset + site.bytes - 1, variable.name,
                                extent));
  }
  if (reinterpret_cast<uintptr_t>(address) % site.alignment != 0)
    return stop(SimtFault::Kind::Misaligned, thread, number,
                llvm::formatv("{0} {1} bytes at an address that is not a "
                              "multiple of {2}",
                              site.write ? "writes" : "reads", site.bytes,
                              site.alignment));
  if (site.invariant) {
    const ShadowRegion *written = region ? region : findRegion(address);
    if (written && written->getKind() != ShadowRegion::Kind::Input)
      return stop(SimtFault::Kind::DataRace, thread, number,
                  "reads " +
                      describePlace(*written, (address - written->getBase()) /
                                                  written->getElementBytes()) +
                      " through the read-only cache, in which writes of this "
                      "launch are not seen; load it without 'invariant'");
  }
  View view = viewOf(thread);
  view.atomic = site.atomic;
  view.update = site.update;
  checkedAccess(thread, number, address, site.bytes, site.write, view,
                site.space, region, stored);
  if (!site.atomic || !spec.synchronizes)
    return;
  // Polling must let the others run. A read alone changes nothing, so that
  // reads without end are a deadlock; updates without end run out of steps.
  if (!site.write)
    return wait(thread, Thread::State::Spinning, number);
  thread.stepsLeft -= kStepsOfAtomic;
  wait(thread, Thread::State::Ready, number);
}

char *Launch::fromOffset(Thread &thread, uint64_t offset, bool cluster) {
  uint64_t rank = uint32_t(offset) / uint64_t(kSharedStride);
  if (!cluster && rank == 0)
    return thread.window + uint32_t(offset);
  // Out of the cluster it stays recognisably wrong.
  return spec.windows + uint32_t(offset);
}

uint64_t Launch::toOffset(Thread &thread, int32_t site, const char *address,
                          bool cluster) {
  int64_t offset = address - spec.windows;
  if (offset < 0 || offset >= int64_t(ranks) * kSharedStride) {
    stop(SimtFault::Kind::InvalidOperation, thread, site,
         "turns a pointer into an address of shared memory that does not point "
         "there");
    return 0;
  }
  if (!cluster && offset / kSharedStride == thread.rank)
    return offset % kSharedStride;
  return offset;
}

char *Launch::mapShared(Thread &thread, int32_t site, const char *address,
                        uint32_t rank) {
  int64_t offset = address - spec.windows;
  if (offset < 0 || offset >= int64_t(ranks) * kSharedStride || rank >= ranks) {
    stop(SimtFault::Kind::InvalidOperation, thread, site,
         llvm::formatv("maps an address to block {0} of a cluster of {1}", rank,
                       ranks));
    return nullptr;
  }
  return spec.windows + rank * kSharedStride + offset % kSharedStride;
}
