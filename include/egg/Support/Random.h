//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random: numbers that follow from a seed alone, the same on every machine.
// The distributions of the standard library differ between implementations.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SUPPORT_RANDOM_H
#define EGG_SUPPORT_RANDOM_H

#include <cstdint>

namespace egg {

/// The step between the states of SplitMix64: 2^64 over the golden ratio.
inline constexpr uint64_t kGoldenGamma = 0x9E3779B97F4A7C15ull;

/// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable
/// Pseudorandom Number Generators, 2014): a bijection that scatters.
inline uint64_t mixBits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/// SplitMix64.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() { return mixBits(state += kGoldenGamma); }
  /// On [0, 1), 53 bits.
  double uniform() { return double(next() >> 11) * 0x1p-53; }

private:
  uint64_t state;
};

} // namespace egg

#endif // EGG_SUPPORT_RANDOM_H
