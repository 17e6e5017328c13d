//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Population: the accepted scripts of a stage, and which one is changed next.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SESSION_SEARCH_POPULATION_H
#define EGG_LIB_SESSION_SEARCH_POPULATION_H

#include "egg/Session/Search.h"

namespace egg {

class Population {
public:
  Population(SearchStrategy strategy, int64_t width)
      : strategy(strategy),
        width(strategy == SearchStrategy::Beam ? width : 1) {}

  /// Adds an accepted attempt. A slower one never displaces a faster one; of
  /// equals the earlier stays ahead.
  void add(int64_t id, double seconds);

  bool empty() const { return members.empty(); }

  /// What the stage's n-th proposal starts from.
  int64_t pick(int64_t n) const;

private:
  SearchStrategy strategy;
  int64_t width;
  /// Fastest first.
  std::vector<std::pair<double, int64_t>> members;
  std::optional<int64_t> first;
};

} // namespace egg

#endif // EGG_LIB_SESSION_SEARCH_POPULATION_H
