//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Progression: how an integer that is computed from positions alone goes on
// along each loop. After a period it is larger by a fixed slope, so enough of
// its values say all others: two such functions whose difference has f
// frequencies are equal everywhere when they are at f + 1 positions in a row.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_UNTRIED_PROGRESSION_H
#define EGG_LIB_VERIFY_UNTRIED_PROGRESSION_H

#include "Interval.h"
#include <compare>
#include <map>
#include <optional>

namespace egg {

/// A loop of a linalg op with its extents at full size and at the small one.
struct PositionLoop {
  const void *op;
  unsigned dim;
  int64_t full, small;

  auto operator<=>(const PositionLoop &) const = default;
};

class Progression {
public:
  struct Along {
    Integer period = Integer(1), slope = Integer(0);
  };

  Progression() = default;
  static Progression ofLoop(const PositionLoop &loop);

  const std::map<PositionLoop, Along> &getLoops() const { return loops; }
  /// Of the polynomial that it is but for what repeats.
  unsigned getDegree() const { return degree; }

  friend Progression operator+(const Progression &a, const Progression &b);
  friend Progression operator*(const Progression &a, const Progression &b);
  Progression scale(const Integer &factor) const;
  /// Rounded down; nothing for products of positions.
  std::optional<Progression> floorDiv(const Integer &divisor) const;
  /// With the bits below modulus, a power of two or the divisor of a remainder,
  /// replaced in a fixed way, and the rest dropped or kept.
  std::optional<Progression> replaceModulo(const Integer &modulus,
                                           bool keepsRest) const;

private:
  std::map<PositionLoop, Along> loops;
  unsigned degree = 1;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_UNTRIED_PROGRESSION_H
