//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Asynchronous copies by element (cp.async) and in bulk, and their groups. Data
// moves at once; that it may be read only after waiting is for the shadow
// memory, in which an asynchronous unit did the accesses.
//
//===----------------------------------------------------------------------===//
#include "../Runtime/Launch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace egg;
using namespace egg::simt;

void Launch::copyAsync(Thread &thread, int32_t site, char *to, const char *from,
                       int64_t bytes, int64_t sourceBytes) {
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return stop(
        SimtFault::Kind::InvalidOperation, thread, site,
        llvm::formatv("copies {0} bytes; cp.async copies 4, 8 or 16", bytes));
  if (sourceBytes < 0 || sourceBytes > bytes)
    return stop(
        SimtFault::Kind::InvalidOperation, thread, site,
        llvm::formatv("takes {0} bytes of a copy of {1}", sourceBytes, bytes));
  for (const char *address : {static_cast<const char *>(to), from})
    if (reinterpret_cast<uintptr_t>(address) % bytes != 0)
      return stop(SimtFault::Kind::Misaligned, thread, site,
                  llvm::formatv("copies {0} bytes from or to an address that "
                                "is not a multiple of it",
                                bytes));
  if (sourceBytes && !checkedAccess(thread, site, from, sourceBytes, false,
                                    viewOf(thread), Space::Global))
    return;
  // These copies go through the generic proxy.
  uint32_t agent = unit(Unit::CopyGroup, thread.agent);
  View view = unitView(thread, agent, ++thread.copies);
  view.asyncProxy = false;
  if (!checkedAccess(thread, site, to, bytes, true, view, Space::Shared))
    return;
  std::memcpy(to, from, sourceBytes);
  std::memset(to + sourceBytes, 0, bytes - sourceBytes);
}

void Launch::commitCopies(Thread &thread) {
  thread.copyGroups.push_back(thread.copies);
}

void Launch::waitForCopies(Thread &thread, uint32_t pendingGroups) {
  // All copies rather than all groups: what wait_all says.
  uint32_t done = thread.copies;
  if (pendingGroups != ~0u) {
    if (thread.copyGroups.size() <= pendingGroups)
      return;
    done = thread.copyGroups[thread.copyGroups.size() - 1 - pendingGroups];
  }
  if (done)
    learn(thread, unit(Unit::CopyGroup, thread.agent), done);
}

void Launch::copiesArrive(Thread &thread, int32_t site, char *address,
                          bool noinc) {
  MBarrier *barrier = findBarrier(thread, site, address);
  if (!barrier)
    return;
  if (!noinc)
    ++barrier->pending;
  if (thread.copies)
    barrier->arriving.advance(unit(Unit::CopyGroup, thread.agent),
                              thread.copies);
  if (barrier->pending < 1)
    return stop(SimtFault::Kind::InvalidOperation, thread, site,
                "arrives at an mbarrier that expects no more arrivals in this "
                "phase");
  --barrier->pending;
  settle(*barrier);
}

/// Writes what a bulk load brought to one block or, by mask, to several, and
/// tells the mbarrier at the same offset of each.
bool Launch::writeTile(Thread &thread, int32_t site, char *to,
                       llvm::ArrayRef<char> bytes, char *mbarrier,
                       TensorMap::Swizzle swizzle, uint32_t multicast) {
  if (reinterpret_cast<uintptr_t>(to) % 128 != 0 &&
      swizzle != TensorMap::Swizzle::None) {
    stop(SimtFault::Kind::Misaligned, thread, site,
         "loads a swizzled box to an address that is not a multiple of 128");
    return false;
  }
  int64_t offset = (to - spec.windows) % kSharedStride;
  int64_t barrierOffset = (mbarrier - spec.windows) % kSharedStride;
  for (uint32_t rank = 0; rank < 16; ++rank) {
    char *target = to;
    char *signal = mbarrier;
    if (multicast) {
      if (!(multicast >> rank & 1))
        continue;
      if (rank >= ranks) {
        stop(SimtFault::Kind::InvalidOperation, thread, site,
             llvm::formatv("sends to block {0} of a cluster of {1}", rank,
                           ranks));
        return false;
      }
      target = spec.windows + rank * kSharedStride + offset;
      signal = spec.windows + rank * kSharedStride + barrierOffset;
    } else if (rank > 0) {
      break;
    }
    MBarrier *barrier = findBarrierOfCopy(thread, site, signal);
    if (!barrier)
      return false;
    View view = unitView(thread, barrier->agent, barrier->phase + 1);
    if (!checkedAccess(thread, site, target, bytes.size(), true, view,
                       Space::Shared))
      return false;
    unsigned bits = swizzle == TensorMap::Swizzle::B128  ? 7
                    : swizzle == TensorMap::Swizzle::B64 ? 3
                    : swizzle == TensorMap::Swizzle::B32 ? 1
                                                         : 0;
    for (size_t chunk = 0; chunk < bytes.size(); chunk += 16) {
      auto address = reinterpret_cast<uintptr_t>(target + chunk);
      address ^= ((address >> 7) & bits) << 4;
      std::memcpy(reinterpret_cast<char *>(address), bytes.data() + chunk,
                  std::min<size_t>(16, bytes.size() - chunk));
    }
    barrier->transactions -= bytes.size();
    settle(*barrier);
  }
  return true;
}

static bool isBulkAligned(const void *a, const void *b, int64_t bytes) {
  return (reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b) |
          uintptr_t(bytes)) %
             16 ==
         0;
}

static constexpr llvm::StringLiteral kBulkAlignment =
    "copies in bulk with a size or an address that is not a multiple of 16";

void Launch::bulkLoad(Thread &thread, int32_t site, char *to, const char *from,
                      char *mbarrier, int64_t bytes, uint32_t multicast) {
  if (!isBulkAligned(to, from, bytes))
    return stop(SimtFault::Kind::Misaligned, thread, site,
                kBulkAlignment.str());
  View view = viewOf(thread);
  view.asyncProxy = true;
  if (!checkedAccess(thread, site, from, bytes, false, view, Space::Global))
    return;
  writeTile(thread, site, to, llvm::ArrayRef(from, bytes), mbarrier,
            TensorMap::Swizzle::None, multicast);
}

void Launch::bulkStore(Thread &thread, int32_t site, char *to, const char *from,
                       int64_t bytes) {
  if (!isBulkAligned(to, from, bytes))
    return stop(SimtFault::Kind::Misaligned, thread, site,
                kBulkAlignment.str());
  ++thread.bulkCopies;
  View reads =
      unitView(thread, unit(Unit::BulkRead, thread.agent), thread.bulkCopies);
  View writes =
      unitView(thread, unit(Unit::BulkWrite, thread.agent), thread.bulkCopies);
  if (checkedAccess(thread, site, from, bytes, false, reads, Space::Shared) &&
      checkedAccess(thread, site, to, bytes, true, writes, Space::Global))
    std::memcpy(to, from, bytes);
}

void Launch::bulkShare(Thread &thread, int32_t site, char *to, const char *from,
                       char *mbarrier, int64_t bytes) {
  if (!isBulkAligned(to, from, bytes))
    return stop(SimtFault::Kind::Misaligned, thread, site,
                kBulkAlignment.str());
  MBarrier *barrier = findBarrierOfCopy(thread, site, mbarrier);
  if (!barrier)
    return;
  View view = unitView(thread, barrier->agent, barrier->phase + 1);
  if (!checkedAccess(thread, site, from, bytes, false, view, Space::Shared) ||
      !checkedAccess(thread, site, to, bytes, true, view, Space::Shared))
    return;
  std::memcpy(to, from, bytes);
  barrier->transactions -= bytes;
  settle(*barrier);
}

void Launch::commitBulk(Thread &thread) {
  thread.bulkGroups.push_back(thread.bulkCopies);
}

void Launch::waitForBulk(Thread &thread, uint32_t pendingGroups,
                         bool readOnly) {
  if (thread.bulkGroups.size() <= pendingGroups)
    return;
  uint32_t done =
      thread.bulkGroups[thread.bulkGroups.size() - 1 - pendingGroups];
  if (done == 0)
    return;
  learn(thread, unit(Unit::BulkRead, thread.agent), done);
  if (!readOnly)
    learn(thread, unit(Unit::BulkWrite, thread.agent), done);
}
