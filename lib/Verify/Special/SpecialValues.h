//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Special values where a payload's operations tell right from wrong: NaN, ties,
// zeros of both signs, denormals and infinities, placed so that they meet.
//
// A payload without reductions gets all pairs of special values: each float
// argument holds them in an order of its own. Where something is reduced, the
// largest float argument holds one pattern for each row that is reduced (such
// as NaN in the first place, or the largest element three times), chosen by the
// operations that are there; the others stay ordinary, for a NaN in each of
// them would leave nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SPECIAL_SPECIALVALUES_H
#define EGG_LIB_VERIFY_SPECIAL_SPECIALVALUES_H

#include "Coincidences.h"
#include "egg/Host/HostTensor.h"
#include "egg/Verify/Inputs.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallBitVector.h"
#include <string>
#include <vector>

namespace egg {

/// What is placed in the elements that one reduction combines.
enum class SpecialPattern {
  /// NaN before and after all others, in two rows; in several places, and in
  /// the second half, for whoever asks which comes first.
  NaNFirst,
  NaNLast,
  NaNThrice,
  SecondHalfNaN,
  /// The largest, and the least, three times.
  LargestThrice,
  LeastThrice,
  /// Zeros of both signs, above or below all others.
  ZerosOnTop,
  ZerosBelow,
  /// Two infinities of one sign, of both, nothing but the negative one, and
  /// that in the first or the second half, as masks of attention have it.
  Infinities,
  OppositeInfinities,
  NegativeInfinities,
  FirstHalfNegative,
  SecondHalfNegative,
  Denormals,
  /// All far from zero, on one side: first values of extrema are not.
  FarBelow,
  FarAbove,
  /// Constants that the payload compares with, and values beside them.
  Thresholds
};

class SpecialValues {
public:
  explicit SpecialValues(mlir::ModuleOp payload, SpecialNumbers may = {});

  /// How many inputs there are to draw: 0 without float inputs.
  int64_t countRounds() const {
    return rounds + 2 * int64_t(masks.size()) + coincidences.countRounds();
  }
  /// Changes ordinary inputs to those of a round.
  void place(llvm::MutableArrayRef<HostTensor> inputs, int64_t round) const;

  /// What was placed and for which operations, for the evidence: "NaN, ties
  /// (cmpf, maximumf) by rows of argument 0".
  std::string str() const;

private:
  void placeRows(HostTensor &tensor, int64_t round) const;
  void placePairs(HostTensor &tensor, bool isSecond, int64_t round) const;
  std::vector<double> getBasicValues(llvm::StringRef dtype) const;
  std::vector<double> getPairedValues(llvm::StringRef dtype) const;

  /// The payload's operations on floats, by name without dialect.
  std::vector<std::string> operations;
  std::vector<SpecialPattern> patterns;
  std::vector<double> thresholds;
  bool infinities = true, denormals = true;
  /// The argument with patterns, and its dimensions along which they lie; or
  /// the arguments that hold pairs.
  int64_t argument = -1;
  llvm::SmallBitVector reducedDims;
  std::vector<int64_t> paired;
  /// Other arguments that masks come in, each with two rounds of its own.
  struct Mask {
    int64_t argument;
    llvm::SmallBitVector dims;
  };
  std::vector<Mask> masks;
  /// Of the argument with patterns and others of its shape.
  Coincidences coincidences;
  int64_t rounds = 0;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_SPECIAL_SPECIALVALUES_H
