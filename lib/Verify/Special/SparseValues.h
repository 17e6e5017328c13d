//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inputs of which few elements decide: rows of zeros but for one element, or of
// true but for one. On random inputs the largest integer is often the end of
// its type in several places, and some of many booleans is always true, so that
// a kernel that leaves out elements is not seen; nor is a guard that only rows
// of zeros need.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SPECIAL_SPARSEVALUES_H
#define EGG_LIB_VERIFY_SPECIAL_SPARSEVALUES_H

#include "egg/Host/HostTensor.h"
#include "egg/Import/InputRules.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallBitVector.h"
#include <optional>
#include <vector>

namespace egg {

class Random;

class SparseValues {
public:
  /// `everyPlace`: further rounds go through the places of a row one by one, as
  /// far as the work allows. Kernels that somebody wrote may lose any of them.
  SparseValues(mlir::ModuleOp payload, bool everyPlace);

  /// How many inputs there are to draw: 0 where sums of products see every
  /// element anyway.
  int64_t countRounds() const { return rounds + turned + places; }
  /// Changes ordinary inputs to those of a round: every fourth has few positive
  /// elements, every fourth few negative ones and few that are false, and in
  /// the others this holds of one kind of arguments, integers and booleans if
  /// there are any. Rounds in which the rest decides by being none of it (all,
  /// and, a product) and those of the places follow.
  void place(llvm::MutableArrayRef<HostTensor> inputs, int64_t round,
             uint64_t seed) const;

private:
  /// An argument that may be sparse.
  struct Part {
    size_t argument;
    llvm::SmallBitVector dims;
    bool isFloat;
    /// Of integers that must stay in [0, bound); else 0.
    int64_t bound;
    int64_t rows = 1, length = 1;
  };
  /// What few elements of a row are, and what the others. By itself positive
  /// above zeros, or true.
  struct Filling {
    /// Below zeros; in booleans the few are false.
    bool isNegative = false;
    /// Zero or false, among others that are not.
    bool isTurned = false;
    /// In place of what is positive: beyond a constant that the payload
    /// compares with, or no number.
    std::optional<double> special = std::nullopt;
  };
  void placeIn(const Part &part, HostTensor &tensor, int64_t step,
               const Filling &filling, bool everyPlace, Random &random) const;

  std::vector<Part> parts;
  /// Of the parts, the one with the most elements.
  size_t largest = 0;
  bool hasIntegers = false;
  int64_t rounds = 0, turned = 0, places = 0;
  /// Those of the rounds that are turned, by turns, and those that go through
  /// the places, each through all.
  std::vector<Filling> turnedFillings, placeFillings;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_SPECIAL_SPARSEVALUES_H
