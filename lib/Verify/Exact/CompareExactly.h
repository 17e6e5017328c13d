//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A payload and a candidate run on the same random residues, and their results
// compared bit for bit in the parts that are known.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_EXACT_COMPAREEXACTLY_H
#define EGG_LIB_VERIFY_EXACT_COMPAREEXACTLY_H

#include "egg/Host/ExactFunctions.h"
#include "egg/Host/HostTensor.h"
#include "egg/Verify/PayloadProgram.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <set>

namespace egg {

/// Elements of one result over all runs.
struct ExactTally {
  /// Equal in both parts (or as an integer or an infinity), in one part, and
  /// not compared because the payload's value is unknown.
  int64_t full = 0, partial = 0, none = 0;
  /// Parts that the payload knows and the candidate does not: a denominator
  /// that vanishes by chance, or one that the payload does not have.
  int64_t lost = 0;

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

struct ExactSummary {
  int64_t runs = 0;
  /// Results that were compared with opaque functions.
  std::set<size_t> opaque;
  std::vector<ExactTally> results;
  std::set<std::string> uninterpreted;
  bool order = false;
  /// Largest degree bound of the payloads (see boundDegree).
  double degree = 0;
  std::optional<ExactDifference> difference;
  /// Why the runs decide nothing, if they do not.
  std::string inconclusive;
};

using ExactCandidate =
    llvm::function_ref<llvm::Expected<std::vector<HostTensor>>(
        llvm::ArrayRef<HostTensor>)>;

/// Runs both on `seeds` draws of random residues from `seed` on, and where the
/// payload compares values also on residues in ascending and in descending
/// order. A difference counts when one also shows in fresh draws; otherwise the
/// summary is inconclusive. Where most of a result is unknown, both run again
/// with opaque functions (see ExactFunctions): equality counts, a difference
/// is inconclusive. Errors are those of a run.
/// `changeInputs` may change the residues of each draw before both run.
llvm::Error compareExactly(
    mlir::ModuleOp payload, PayloadProgram &reference, ExactCandidate candidate,
    uint64_t seed, int64_t seeds, ExactSummary &summary,
    llvm::function_ref<void(std::vector<HostTensor> &)> changeInputs = nullptr);

/// Whether half of the elements of each result were compared and no more than 1
/// of 64 lost; else why not.
std::optional<std::string> explainGaps(const ExactSummary &summary);

/// In a sentence: what was compared and how sure that is.
std::string describe(const ExactSummary &summary);

/// Bound d such that a wrong element passes one comparison in F_q with
/// probability at most d / q, hash values and exponentials taken as independent
/// random values: the degree of the results as rational functions of the inputs
/// and of such values, plus the degrees of the arguments of the functions.
double boundDegree(mlir::ModuleOp payload);

} // namespace egg

#endif // EGG_LIB_VERIFY_EXACT_COMPAREEXACTLY_H
