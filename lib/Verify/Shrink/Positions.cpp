//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where slices begin and end along one extent, which follows it in different
// ways, should stay apart and in its order: else an element that is left out or
// taken for another is not at small extents.
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

void PayloadDims::collectPositions(DimSystem::Var extent, DimSystem::Var size,
                                   int64_t stride, const SliceOffset &offset,
                                   bool endsWithExtent) {
  Position begin{extent, {}, offset.value};
  switch (offset.kind) {
  case SliceOffset::Kind::Keep:
    break;
  case SliceOffset::Kind::FromEnd:
    begin.terms = {{1, extent}};
    begin.constant = -offset.value;
    break;
  case SliceOffset::Kind::Multiple:
    begin.terms = {{offset.value, size}};
    begin.constant = 0;
    break;
  }
  Position end = begin;
  if (endsWithExtent) {
    // What is left over stays.
    int64_t last = begin.constant + (system.getOriginal(size) - 1) * stride + 1;
    end = {extent, {{1, extent}}, last - system.getOriginal(extent)};
  } else {
    end.terms.push_back({stride, size});
    end.constant += 1 - stride;
  }
  positions.push_back(std::move(begin));
  positions.push_back(std::move(end));
}

void PayloadDims::collectPositionWishes() {
  // Each position as coefficients by variable and the constant, by its place at
  // full size.
  using Linear = std::pair<std::map<DimSystem::Var, int64_t>, int64_t>;
  std::map<DimSystem::Var, std::map<int64_t, std::set<Linear>>> extents;
  for (const Position &position : positions) {
    DimSystem::Var extent = system.find(position.extent);
    auto &along = extents[extent];
    along[0].insert({{}, 0});
    along[system.getOriginal(extent)].insert({{{extent, 1}}, 0});
    Linear linear{{}, position.constant};
    int64_t place = position.constant;
    for (auto [factor, var] : position.terms) {
      linear.first[system.find(var)] += factor;
      place += factor * system.getOriginal(var);
    }
    along[place].insert(std::move(linear));
  }
  // Neighbours in their order keep all others in theirs.
  auto keepOrder = [&](const Linear &first, const Linear &second) {
    std::map<DimSystem::Var, int64_t> difference = second.first;
    for (auto [var, factor] : first.first)
      difference[var] -= factor;
    ExtentWish wish;
    for (auto [var, factor] : difference)
      if (factor != 0)
        wish.terms.push_back({factor, var});
    wish.minimum = first.second - second.second + 1;
    bool isBound = wish.terms.size() == 1 && wish.terms.front().first == 1 &&
                   wish.minimum <= 1;
    if (!wish.terms.empty() && !isBound)
      wishes.push_back(std::move(wish));
  };
  for (const auto &[extent, along] : extents)
    for (auto place = along.begin(); place != along.end(); ++place)
      if (auto next = std::next(place); next != along.end())
        for (const Linear &first : place->second)
          for (const Linear &second : next->second)
            keepOrder(first, second);
}
