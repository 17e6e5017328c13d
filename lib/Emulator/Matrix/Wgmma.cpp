//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products of warpgroups (wgmma). Each warp computes its sixteen rows; operands
// in memory are read by asynchronous units at once, and the shadow memory keeps
// them from being overwritten before the wait. A product is complete when all
// four warps have started it, so whoever waits for it can vouch for the reads
// of the others, also for those before it, such as of fragments of A.
//
//===----------------------------------------------------------------------===//
#include "../Runtime/Launch.h"
#include "MatrixTypes.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace egg;
using namespace egg::simt;

namespace {

/// A matrix descriptor, taken apart.
struct Descriptor {
  explicit Descriptor(uint64_t bits)
      : start((bits & 0x3FFF) << 4), leading((bits >> 16 & 0x3FFF) << 4),
        stride((bits >> 32 & 0x3FFF) << 4), baseOffset(bits >> 49 & 7),
        mode(bits >> 62) {}

  int64_t start, leading, stride;
  int baseOffset;
  /// 0 none, 1: 128 bytes, 2: 64, 3: 32.
  int mode;

  /// Chunks of 16 bytes in a row of the swizzle pattern.
  int64_t rowChunks() const {
    return mode == 1 ? 8 : mode == 2 ? 4 : mode == 3 ? 2 : 1;
  }
  int64_t swizzle(int64_t offset) const {
    return offset ^ (offset >> 7 & (rowChunks() - 1)) << 4;
  }
  /// Offset of 16 bytes along k: row `row`, chunk `chunk` of the instruction's
  /// two.
  int64_t alongK(int64_t row, int64_t chunk) const {
    if (mode == 0)
      return start + row % 8 * 16 + row / 8 * stride + chunk * leading;
    return swizzle(start + row % 8 * rowChunks() * 16 + row / 8 * stride +
                   chunk * 16);
  }
  /// Offset of 16 bytes along the other dimension, at k.
  int64_t acrossK(int64_t chunk, int64_t k) const {
    if (mode == 0)
      return start + chunk * stride + k % 8 * 16 + k / 8 * leading;
    int64_t width = rowChunks();
    return swizzle(start + chunk % width * 16 + chunk / width * leading +
                   k % 8 * width * 16 + k / 8 * stride);
  }
};

} // namespace

void Launch::wgmma(size_t first, Thread &lead) {
  auto &operands = *static_cast<WgmmaOperands *>(lead.memory);
  auto type = FactorType(lead.mode);
  bool aInRegisters = lead.detail;
  int64_t n = lead.values[1], bytes = factorBytes(type), k = 32 / bytes;
  WarpProducts &warp = products[warpNumber(lead)];
  auto invalid = [&](std::string message) {
    fault(SimtFault::Kind::InvalidOperation, &lead, lead.site,
          std::move(message));
  };
  for (uint32_t lane = 1; lane < kWarpSize; ++lane) {
    auto &other = *static_cast<WgmmaOperands *>(threads[first + lane].memory);
    if (other.b != operands.b || (!aInRegisters && other.a != operands.a) ||
        other.scaleD != operands.scaleD)
      return invalid(
          llvm::formatv("lane {0} gives other descriptors than lane 0", lane));
  }
  if ((lead.warp() | 3) * kWarpSize + kWarpSize > blockThreads)
    return invalid("the warpgroup is not whole");
  if (operands.scaleA != 1 || operands.scaleB != 1)
    return invalid("negated factors are not emulated");
  if ((operands.transposeA || operands.transposeB) && bytes != 2)
    return invalid("only factors of 16 bits can be transposed");
  if (!warp.fenced)
    return fault(SimtFault::Kind::MissingFence, &lead, lead.site,
                 "starts a product although no wgmma.fence follows the last "
                 "other use of its registers");

  ++warp.issued;
  warp.sites.push_back(lead.site);
  auto &times = warp.times.emplace_back();
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    times[lane] = threads[first + lane].now++;
  size_t number = warpNumber(lead);
  View ownReads = unitView(lead, unit(Unit::WarpProduct, number), warp.issued);
  View groupReads = unitView(
      lead, unit(Unit::GroupProduct, number & ~size_t(3)), warp.issued);
  // Reads a factor as rows of k elements.
  auto read = [&](const View &view, uint64_t bits, bool transposed,
                  int64_t firstRow, int64_t rows, std::vector<char> &into) {
    Descriptor descriptor(bits);
    into.resize(rows * 32);
    if (descriptor.baseOffset != 0) {
      invalid("a matrix descriptor with a base offset is not emulated");
      return false;
    }
    auto chunkAt = [&](int64_t offset) -> const char * {
      const char *address = lead.window + offset;
      if (!checkedAccess(lead, lead.site, address, 16, false, view,
                         Space::Shared))
        return nullptr;
      return address;
    };
    if (!transposed) {
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t chunk = 0; chunk < 2; ++chunk) {
          const char *from = chunkAt(descriptor.alongK(firstRow + row, chunk));
          if (!from)
            return false;
          std::memcpy(&into[row * 32 + chunk * 16], from, 16);
        }
      return true;
    }
    for (int64_t at = 0; at < k; ++at)
      for (int64_t chunk = 0; chunk < rows / 8; ++chunk) {
        const char *from =
            chunkAt(descriptor.acrossK(firstRow / 8 + chunk, at));
        if (!from)
          return false;
        for (int64_t i = 0; i < 8; ++i)
          std::memcpy(&into[(chunk * 8 + i) * 32 + at * 2], from + i * 2, 2);
      }
    return true;
  };

  std::vector<char> a(16 * 32), b;
  if (aInRegisters) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      auto &own = *static_cast<WgmmaOperands *>(threads[first + lane].memory);
      for (int i = 0; i < 4; ++i)
        std::memcpy(&a[(lane / 4 + i % 2 * 8) * 32 + lane % 4 * 4 + i / 2 * 16],
                    &own.aRegisters[i], 4);
    }
  } else if (!read(ownReads, operands.a, operands.transposeA,
                   lead.warp() % 4 * 16, 16, a)) {
    return;
  }
  if (!read(groupReads, operands.b, operands.transposeB, 0, n, b))
    return;
  const char *name = kFactorNames[int(type)];
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    auto &own = *static_cast<WgmmaOperands *>(threads[first + lane].memory);
    for (int64_t i = 0; i < n / 2; ++i) {
      if (!own.scaleD)
        own.accumulators[i] = 0;
      dot(name, own.accumulators[i], &a[(lane / 4 + i / 2 % 2 * 8) * 32],
          &b[(i / 4 * 8 + lane % 4 * 2 + i % 2) * 32], k);
    }
  }
}

size_t Launch::warpNumber(const Thread &thread) const {
  // Blocks that use warpgroups have whole ones.
  return thread.rank *
             llvm::alignTo(llvm::divideCeil(blockThreads, kWarpSize), 4) +
         thread.warp();
}

/// Whether all warps of the warpgroup have started what one of them waits for.
bool Launch::productsIssued(const Thread &lead) const {
  size_t number = warpNumber(lead), pending = lead.detail;
  const WarpProducts &warp = products[number];
  if (warp.groups.size() <= pending)
    return true;
  uint32_t done = warp.groups[warp.groups.size() - 1 - pending];
  for (size_t other = number & ~size_t(3); other <= (number | 3); ++other)
    if (products[other].issued < done)
      return false;
  return true;
}

void Launch::waitForProducts(size_t first, uint32_t pendingGroups) {
  Thread &lead = threads[first];
  size_t number = warpNumber(lead), group = number & ~size_t(3);
  WarpProducts &warp = products[number];
  if (warp.groups.size() <= pendingGroups)
    return;
  uint32_t done = warp.groups[warp.groups.size() - 1 - pendingGroups];
  if (done <= warp.completed)
    return;
  warp.completed = done;
  // What the other warps read is over as well: a wgmma-group is one of the
  // warpgroup. But it is for whoever this warp tells of it to rely on.
  Clocks own, vouched;
  own.advance(unit(Unit::WarpProduct, number), done);
  vouched.advance(unit(Unit::GroupProduct, group), done);
  own.read.resize(threads.size());
  vouched.read.resize(threads.size());
  size_t firstOfGroup = first - lead.warp() % 4 * kWarpSize;
  for (size_t i = 0; i < 4 * kWarpSize; ++i) {
    size_t warpOfLane = group + i / kWarpSize;
    bool isOwn = warpOfLane == number;
    (isOwn ? own : vouched).read[firstOfGroup + i] =
        products[warpOfLane].times[done - 1][i % kWarpSize];
    vouched.advance(unit(Unit::WarpProduct, warpOfLane), done);
  }
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    acquire(threads[first + lane], own);
    threads[first + lane].vouched.join(vouched);
  }
}

void Launch::accumulatorUse(Thread &thread, int32_t number) {
  const Site &site = (*spec.sites)[number];
  WarpProducts &warp = products[warpNumber(thread)];
  warp.fenced = false;
  for (uint32_t i = warp.completed; i < warp.issued; ++i)
    if (llvm::is_contained(site.origins, warp.sites[i])) {
      const Site &product = (*spec.sites)[warp.sites[i]];
      return stop(SimtFault::Kind::MissingWait, thread, number,
                  llvm::formatv("uses an accumulator of the product at {0}, "
                                "which no wgmma.wait_group has waited for",
                                product.location));
    }
}

// What a cluster must not leave behind.
void Launch::checkEnd() {
  for (const Thread &thread : threads) {
    if (thread.lane() != 0)
      continue;
    size_t number = warpNumber(thread);
    const auto &sites = products[number].sites,
               &leadSites = products[number & ~size_t(3)].sites;
    if (sites != leadSites)
      return fault(SimtFault::Kind::DivergentBarrier, &thread,
                   sites.empty() ? leadSites.back() : sites.back(),
                   "the warps of a warpgroup do not execute the same products "
                   "(wgmma)");
  }
  for (const Thread &thread : threads)
    if (thread.bulkCopies) {
      auto found = units.find({Unit::BulkRead, thread.agent});
      if (found != units.end() &&
          thread.clocks->seenOf(found->second) < thread.bulkCopies)
        return fault(SimtFault::Kind::MissingWait, &thread, thread.site,
                     "returns without having waited for its bulk stores to "
                     "have read shared memory");
    }
}
