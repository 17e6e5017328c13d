//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Interval: from one integer of any size to another.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_UNTRIED_INTERVAL_H
#define EGG_LIB_VERIFY_UNTRIED_INTERVAL_H

#include "llvm/ADT/DynamicAPInt.h"

namespace egg {

using Integer = llvm::DynamicAPInt;
/// Two to the power.
Integer powerOfTwo(unsigned exponent);

struct Interval {
  Integer low, high;

  static Interval ofConstant(const Integer &value) { return {value, value}; }
  /// What a signed integer of this width holds; i1 is 0 or 1.
  static Interval ofWidth(unsigned width);

  bool isConstant() const { return low == high; }
  bool contains(const Interval &other) const {
    return low <= other.low && other.high <= high;
  }
  bool overlaps(const Interval &other) const {
    return low <= other.high && other.low <= high;
  }
  /// The least interval of this form around it: as many bits, with a sign
  /// where there is one.
  Interval toBits() const;
  bool operator==(const Interval &other) const {
    return low == other.low && high == other.high;
  }
};
Interval unite(const Interval &a, const Interval &b);
Interval operator+(const Interval &a, const Interval &b);
Interval operator-(const Interval &a, const Interval &b);
Interval operator*(const Interval &a, const Interval &b);
/// Rounded down; the divisor is positive.
Interval floorDiv(const Interval &a, const Integer &divisor);

} // namespace egg

#endif // EGG_LIB_VERIFY_UNTRIED_INTERVAL_H
