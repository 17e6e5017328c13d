//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Positions along one extent that follow it in different ways, from its front
// and from its end, should stay apart and in their order: else an element that
// is taken for another is the other at small extents.
//
//===----------------------------------------------------------------------===//
#include "PayloadDims.h"
#include <map>
#include <set>

using namespace mlir;
using namespace egg;

bool ExtentWish::holds(ArrayRef<int64_t> extents) const {
  int64_t sum = 0;
  for (auto [factor, var] : terms)
    sum += factor * extents[var];
  return sum >= minimum;
}

void PayloadDims::collectPositionWishes() {
  struct Along {
    /// Offsets that stay, distances from the end.
    std::set<int64_t> kept = {0}, fromEnd;
    /// Size of a part and its number, which is not 0.
    std::set<std::pair<DimSystem::Var, int64_t>> parts;
  };
  std::map<DimSystem::Var, Along> extents;
  for (const Position &position : positions) {
    Along &along = extents[system.find(position.extent)];
    int64_t value = position.offset.value;
    switch (position.offset.kind) {
    case SliceOffset::Kind::Keep:
      along.kept.insert(value);
      break;
    case SliceOffset::Kind::FromEnd:
      along.fromEnd.insert(value);
      break;
    case SliceOffset::Kind::Multiple:
      if (value != 0)
        along.parts.emplace(system.find(position.size), value);
      break;
    }
  }
  // The largest value below the limit needs the most room.
  auto largestBelow = [](const std::set<int64_t> &values, int64_t limit) {
    auto next = values.lower_bound(limit);
    return next == values.begin() ? -1 : *std::prev(next);
  };
  // The other orders hold at all smaller extents.
  for (const auto &[extent, along] : extents) {
    int64_t original = system.getOriginal(extent), least = 0;
    for (int64_t distance : along.fromEnd)
      least = std::max(least, largestBelow(along.kept, original - distance) +
                                  distance + 1);
    if (least > 1)
      wishes.push_back({{{1, extent}}, least, std::nullopt, ""});
    for (auto [size, number] : along.parts) {
      int64_t begin = number * system.getOriginal(size);
      int64_t kept = largestBelow(along.kept, begin);
      if (kept > 0)
        wishes.push_back({{{number, size}}, kept + 1, std::nullopt, ""});
      int64_t distance = largestBelow(along.fromEnd, original - begin);
      if (distance > 0)
        wishes.push_back(
            {{{1, extent}, {-number, size}}, distance + 1, std::nullopt, ""});
    }
  }
}
