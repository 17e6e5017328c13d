//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Population.h"
#include "llvm/ADT/STLExtras.h"

using namespace egg;

void Population::add(int64_t id, double seconds) {
  if (!first)
    first = id;
  auto slower = llvm::find_if(
      members, [&](const auto &member) { return member.first > seconds; });
  members.insert(slower, {seconds, id});
  if (static_cast<int64_t>(members.size()) > width)
    members.pop_back();
}

int64_t Population::pick(int64_t n) const {
  assert(!empty() && "nothing to pick");
  if (strategy == SearchStrategy::BestOfN)
    return *first;
  return members[n % members.size()].second;
}
