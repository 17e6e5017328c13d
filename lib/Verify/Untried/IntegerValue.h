//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// IntegerValue: what is known of an integer of a program at full size, and of
// the values that it was tried with at small extents.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_UNTRIED_INTEGERVALUE_H
#define EGG_LIB_VERIFY_UNTRIED_INTEGERVALUE_H

#include "Progression.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>
#include <vector>

namespace egg {

/// What a value is computed from: two values with nothing in common take their
/// extremes together.
struct IntegerSources {
  /// Numbers of arguments, loops of the op that computes.
  std::set<unsigned> arguments, loops;
  /// Positions that come by a tensor: any loop may be one of them.
  bool positions = false;

  IntegerSources throughTensor() const {
    return {arguments, {}, positions || !loops.empty()};
  }
};

/// The values at some positions of the small loops, the same for all values of
/// an op: what is computed from positions alone is known exactly there.
using Samples = std::vector<Integer>;
inline constexpr unsigned kSamples = 32;

struct IntegerValue {
  /// At full size it lies in here.
  Interval full;
  /// At the small extents it comes near both ends; nothing where that is not
  /// known.
  std::optional<Interval> tried;
  /// Whether its range depends on the extents, or on inputs that are drawn from
  /// a part of their range.
  bool follows = false;
  /// Set for positions and what is computed from them and constants alone.
  std::optional<Progression> progression;
  /// Where arithmetic on positions wrapped, at the small extents too: how it
  /// goes on. Its lowest bits are right whatever they are used for; an
  /// operation that tells them from the rest shows that after a period.
  std::optional<Progression> wrapped;
  /// Empty where they are not known.
  Samples samples;
  IntegerSources sources;
  /// Constants that values of arguments meet on the way to it (comparisons,
  /// minima, maxima).
  std::set<Integer> turns;
  /// The payload promises that arithmetic of this width on it does not
  /// overflow: where it does, the program may do what it likes. 0 for none.
  unsigned promised = 0;
  /// Arithmetic of another kind may have overflowed, so only its lowest bits
  /// are right.
  bool lowBitsOnly = false;

  /// Of a loop of this extent at the small extents.
  void setSamplesOfLoop(unsigned dim, int64_t extent);
  /// Combines the samples of both by `combine`; then they say what was tried.
  void setSamples(
      const IntegerValue &a, const IntegerValue &b,
      llvm::function_ref<Integer(const Integer &, const Integer &)> combine);
  static IntegerValue ofConstant(const Integer &value);
  /// Of any value, all of them tried: an input.
  static IntegerValue ofWidth(unsigned width);
  /// Of any value; which ones were tried is not known.
  static IntegerValue unknown(unsigned width);
  std::optional<Integer> getConstant() const;
};

bool areIndependent(const IntegerSources &a, const IntegerSources &b);
/// A value that both have their part in; without ranges and progression.
IntegerValue inherit(const IntegerValue &a, const IntegerValue &b);

IntegerValue add(const IntegerValue &a, const IntegerValue &b);
IntegerValue subtract(const IntegerValue &a, const IntegerValue &b);
IntegerValue multiply(const IntegerValue &a, const IntegerValue &b,
                      bool isSquare);
IntegerValue selectMost(const IntegerValue &a, const IntegerValue &b,
                        bool isMaximum);
/// One or the other, nobody knows which.
IntegerValue either(const IntegerValue &a, const IntegerValue &b);

} // namespace egg

#endif // EGG_LIB_VERIFY_UNTRIED_INTEGERVALUE_H
