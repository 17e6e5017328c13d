//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The arithmetics that programs can be compiled for on the CPU.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_HOST_HOSTARITHMETIC_H
#define EGG_HOST_HOSTARITHMETIC_H

#include <set>
#include <string>

namespace egg {

enum class HostArithmetic {
  /// The floats that the program says.
  Native,
  /// Residues in place of floats (see Residue.h). Such a program runs inside
  /// an ExactScope.
  Exact
};

/// On a bitcast of a float to an integer: nothing looks at the bits, they only
/// move on to where they become a float again.
inline constexpr const char *kMovedBitsAttrName = "egg.moved_bits";

/// What a program in exact arithmetic uses that weakens the check.
struct ExactUses {
  /// Functions that are keyed hashes, by name.
  std::set<std::string> uninterpreted;
  /// Comparisons, maxima and minima.
  bool order = false;
  /// Floats become integers, by value or by their bits.
  bool toInteger = false;
  /// The bits of a float are looked at, which are those of a residue.
  bool bits = false;
};

} // namespace egg

#endif // EGG_HOST_HOSTARITHMETIC_H
