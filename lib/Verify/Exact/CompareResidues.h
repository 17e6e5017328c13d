//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two tensors of residues compared in the parts that are known.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_EXACT_COMPARERESIDUES_H
#define EGG_LIB_VERIFY_EXACT_COMPARERESIDUES_H

#include "egg/Host/HostTensor.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <vector>

namespace egg {

/// Elements of one result over all runs, but for the last two numbers.
struct ExactTally {
  /// Equal in both parts (or as an integer or an infinity), in one part, and
  /// not compared because the payload's value is unknown.
  int64_t full = 0, partial = 0, none = 0;
  /// Parts that the payload knows and the candidate does not: a denominator
  /// that vanishes by chance, or one that the payload does not have.
  int64_t lost = 0;
  /// Elements at all extents, and those among them that no run compared.
  int64_t elements = 0, never = 0;

  int64_t getCompared() const { return full + partial; }
  void add(const ExactTally &other);
};

/// The first element that differs in one result of one run.
struct ExactDifference {
  size_t result = 0;
  /// Number of elements that differ and the number of the worst: the one that
  /// differs in most parts, the first of those.
  int64_t count = 0, total = 0, worst = 0;
  std::string index, expected, got, draw;
  /// What kind of mistake it looks like.
  std::string suggestion;
};

/// What one run compared of one result: in numbers, and by element whether.
struct Compared {
  ExactTally tally;
  std::vector<char> mask;
  bool isComplete() const { return !llvm::is_contained(mask, 0); }
};

/// The difference between a result of the payload and the candidate's, if there
/// is one, without the draw and the result's number. `compared` is empty
/// before. Elements that `done`, if given, has compared are left out.
std::optional<ExactDifference> compareResidues(const HostTensor &expected,
                                               const HostTensor &got,
                                               Compared &compared,
                                               const Compared *done);

} // namespace egg

#endif // EGG_LIB_VERIFY_EXACT_COMPARERESIDUES_H
