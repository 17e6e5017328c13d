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

#include "CompareResidues.h"
#include "egg/Host/ExactFunctions.h"
#include "egg/Verify/PayloadProgram.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <set>

namespace egg {

struct ExactSummary {
  int64_t runs = 0;
  /// Results with elements that were compared with opaque functions alone.
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
/// summary is inconclusive. Where no run compared some element, both run again
/// with opaque functions (see ExactFunctions): there equality of such elements
/// counts, a difference is inconclusive. Errors are those of a run.
/// `changeInputs` may change the residues of each draw before both run.
llvm::Error compareExactly(
    mlir::ModuleOp payload, PayloadProgram &reference, ExactCandidate candidate,
    uint64_t seed, int64_t seeds, ExactSummary &summary,
    llvm::function_ref<void(std::vector<HostTensor> &)> changeInputs = nullptr);

/// Whether each element of each result was compared in a run and no more than 1
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
