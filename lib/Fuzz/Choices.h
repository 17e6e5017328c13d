//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Choices: the random decisions of one case. They follow from the seed and the
// case's number alone, so a case is the same whichever process runs it.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_FUZZ_CHOICES_H
#define EGG_LIB_FUZZ_CHOICES_H

#include "egg/Support/Random.h"
#include <cassert>
#include <cstddef>
#include <iterator>

namespace egg::fuzz {

class Choices {
public:
  // Scattered, since states a step apart give the same numbers but for one.
  Choices(uint64_t seed, uint64_t number)
      : random(mixBits(mixBits(seed + kGoldenGamma) + number * kGoldenGamma)) {}

  /// From low to high, both included.
  int64_t draw(int64_t low, int64_t high) {
    assert(low <= high && "an empty range has no number to draw");
    return low + int64_t(random.next() % uint64_t(high - low + 1));
  }
  /// True in that many of 100.
  bool chance(int percent) { return draw(1, 100) <= percent; }
  /// A position of something that has `size`.
  size_t index(size_t size) { return size_t(draw(0, int64_t(size) - 1)); }

  template <typename Range> auto &pick(Range &&range) {
    return *std::next(std::begin(range), index(std::size(range)));
  }
  template <typename T, size_t N> const T &pick(const T (&array)[N]) {
    return array[index(N)];
  }

  template <typename Range> void shuffle(Range &range) {
    for (size_t i = range.size(); i > 1; --i)
      std::swap(range[i - 1], range[index(i)]);
  }

private:
  Random random;
};

} // namespace egg::fuzz

#endif // EGG_LIB_FUZZ_CHOICES_H
