//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Copies of boxes of tensors (TMA) between global and shared memory.
//
//===----------------------------------------------------------------------===//
#include "../Runtime/Launch.h"
#include "llvm/Support/FormatVariadic.h"
#include <bit>
#include <cstring>

using namespace egg;
using namespace egg::simt;

const TensorMap *Launch::findMap(Thread &thread, int32_t site,
                                 const void *map) {
  for (const TensorMap &candidate : *spec.tensorMaps)
    if (&candidate == map)
      return &candidate;
  stop(SimtFault::Kind::InvalidOperation, thread, site,
       "uses as a tensor map what the launch did not pass as one");
  return nullptr;
}

/// Rounds to the mantissa of tf32, ties to even: so an H100 does, measured.
static void roundToTF32(char *element) {
  uint32_t bits;
  std::memcpy(&bits, element, 4);
  if ((bits & 0x7F800000u) != 0x7F800000u)
    bits = (bits + 0xFFFu + (bits >> 13 & 1)) & ~0x1FFFu;
  std::memcpy(element, &bits, 4);
}

/// An H100 stops with an illegal instruction where a load does not, measured.
static constexpr llvm::StringLiteral kInnerAlignment =
    "starts a box at an innermost coordinate that is not a multiple of 16 "
    "bytes";

static bool isInnerAligned(const TensorMap &map,
                           llvm::ArrayRef<int32_t> coordinates) {
  return coordinates[0] * map.elementBytes() % 16 == 0;
}

void Launch::tensorLoad(Thread &thread, int32_t site, char *to,
                        const void *pointer, char *mbarrier,
                        llvm::ArrayRef<int32_t> coordinates,
                        llvm::ArrayRef<int32_t> offsets, uint32_t multicast) {
  const TensorMap *map = findMap(thread, site, pointer);
  if (!map)
    return;
  size_t rank = map->dims.size();
  if (coordinates.size() != rank || map->isIm2col() != !offsets.empty() ||
      (map->isIm2col() && offsets.size() != rank - 2))
    return stop(SimtFault::Kind::InvalidOperation, thread, site,
                llvm::formatv("gives {0} coordinates and {1} offsets to a "
                              "tensor map of rank {2}{3}",
                              coordinates.size(), offsets.size(), rank,
                              map->isIm2col() ? " in im2col mode" : ""));
  if (reinterpret_cast<uintptr_t>(to) % 128 != 0)
    return stop(SimtFault::Kind::Misaligned, thread, site,
                "loads a box to an address that is not a multiple of 128");
  if (!isInnerAligned(*map, coordinates))
    return stop(SimtFault::Kind::Misaligned, thread, site,
                kInnerAlignment.str());
  int64_t size = map->elementBytes();
  std::vector<char> bytes(map->boxBytes(), 0);
  // Copies one element, or leaves the zero where it lies outside.
  auto copy = [&](char *into, llvm::ArrayRef<int64_t> index) {
    int64_t offset = index[0] * size;
    for (size_t dim = 0; dim < rank; ++dim) {
      if (index[dim] < 0 || index[dim] >= map->dims[dim])
        return true;
      if (dim > 0)
        offset += index[dim] * map->strides[dim - 1];
    }
    const char *from = map->base + offset;
    View view = viewOf(thread);
    view.asyncProxy = true;
    if (!checkedAccess(thread, site, from, size, false, view, Space::Global))
      return false;
    std::memcpy(into, from, size);
    if (map->dtype == "tf32" && spec.roundsTF32)
      roundToTF32(into);
    return true;
  };
  std::vector<int64_t> index(rank);
  int64_t count = bytes.size() / size;
  if (!map->isIm2col()) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t rest = i;
      for (size_t dim = 0; dim < rank; ++dim) {
        index[dim] = coordinates[dim] + rest % map->box[dim];
        rest /= map->box[dim];
      }
      if (!copy(bytes.data() + i * size, index))
        return;
    }
  } else {
    // Pixels run through the bounding box of the base positions, innermost
    // spatial dimension first, then images; the offsets choose the tap.
    size_t spatial = rank - 2;
    std::vector<int64_t> position(coordinates.begin() + 1, coordinates.end());
    for (int64_t pixel = 0; pixel < map->pixels; ++pixel) {
      for (int64_t channel = 0; channel < map->channels; ++channel) {
        index[0] = coordinates[0] + channel;
        for (size_t dim = 0; dim < spatial; ++dim)
          index[dim + 1] = position[dim] + offsets[dim];
        index[rank - 1] = position[spatial];
        if (!copy(bytes.data() + (pixel * map->channels + channel) * size,
                  index))
          return;
      }
      for (size_t dim = 0; dim <= spatial; ++dim) {
        ++position[dim];
        if (dim == spatial ||
            position[dim] < map->dims[dim + 1] + map->upperCorner[dim])
          break;
        position[dim] = map->lowerCorner[dim];
      }
    }
  }
  writeTile(thread, site, to, bytes, mbarrier, map->swizzle, multicast);
}

void Launch::tensorStore(Thread &thread, int32_t site, const void *pointer,
                         const char *from,
                         llvm::ArrayRef<int32_t> coordinates) {
  const TensorMap *map = findMap(thread, site, pointer);
  if (!map)
    return;
  size_t rank = map->dims.size();
  if (map->isIm2col() || coordinates.size() != rank)
    return stop(SimtFault::Kind::InvalidOperation, thread, site,
                llvm::formatv("gives {0} coordinates to a tensor map of rank "
                              "{1}{2}",
                              coordinates.size(), rank,
                              map->isIm2col() ? " in im2col mode" : ""));
  if (reinterpret_cast<uintptr_t>(from) % 128 != 0)
    return stop(SimtFault::Kind::Misaligned, thread, site,
                "stores a box from an address that is not a multiple of 128");
  if (!isInnerAligned(*map, coordinates))
    return stop(SimtFault::Kind::Misaligned, thread, site,
                kInnerAlignment.str());
  int64_t size = map->elementBytes();
  ++thread.bulkCopies;
  View reads =
      unitView(thread, unit(Unit::BulkRead, thread.agent), thread.bulkCopies);
  View writes =
      unitView(thread, unit(Unit::BulkWrite, thread.agent), thread.bulkCopies);
  int64_t total = map->boxBytes();
  if (!checkedAccess(thread, site, from, total, false, reads, Space::Shared))
    return;
  unsigned bits = map->swizzle == TensorMap::Swizzle::B128  ? 7
                  : map->swizzle == TensorMap::Swizzle::B64 ? 3
                  : map->swizzle == TensorMap::Swizzle::B32 ? 1
                                                            : 0;
  for (int64_t i = 0, e = total / size; i < e; ++i) {
    int64_t rest = i, offset = 0;
    bool inside = true;
    for (size_t dim = 0; dim < rank; ++dim) {
      int64_t index = coordinates[dim] + rest % map->box[dim];
      rest /= map->box[dim];
      inside &= index >= 0 && index < map->dims[dim];
      offset += index * (dim ? map->strides[dim - 1] : size);
    }
    if (!inside)
      continue;
    auto address = reinterpret_cast<uintptr_t>(from + i * size);
    address ^= ((address >> 7) & bits) << 4;
    if (!checkedAccess(thread, site, map->base + offset, size, true, writes,
                       Space::Global))
      return;
    std::memcpy(map->base + offset, reinterpret_cast<char *>(address), size);
  }
}
