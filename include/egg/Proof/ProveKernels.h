//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Translation validation of materialized kernels: whether each is shown to
// store, at every element of its results, the bits that the payload defines.
//
// Instead of proving the compiler's rewrites right, each of its outputs is
// compared with its input (Pnueli, Siegel and Singerman, "Translation
// validation", TACAS 1998; Necula, "Translation validation for an optimizing
// compiler", PLDI 2000). Kernels are executed symbolically, one thread for all
// of them; payload and kernel become terms over the same elements of the same
// tensors, and terms are equal if they are the same operations with the same
// attributes on equal operands in the same order. No law of arithmetic is used
// but those of Terms/Rules.cpp, each of which keeps the bits.
//
// Shown, for all inputs, all threads of the launch, at the module's extents:
// - each element of each result is stored (Coverage.h);
// - what is stored there is the payload's term (Equality.h);
// - @main hands each launch the payload's values, and returns them.
//
// Trusted: what is analysed here is what runs (lowering to NVVM and PTX, ptxas,
// libdevice, the plan's buffers, which do not overlap, start aligned and are
// contiguous, the driver), and legality's proofs, without which nothing is
// proved: accesses in bounds, no arithmetic on indices that wraps.
//
// Not followed, so never proved: reductions and other loops that carry values,
// barriers, shared memory, shuffles, atomics, indices that memory decides.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_PROOF_PROVEKERNELS_H
#define EGG_PROOF_PROVEKERNELS_H

#include "egg/Legality/Legality.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>

namespace egg {

/// Why a module is not proved: the kernel (empty for @main), where, and what
/// was not shown.
struct ProofGap {
  std::string kernel;
  mlir::Location location;
  std::string reason;
};
/// "kernel NAME: REASON"; "@main: REASON".
std::string describe(const ProofGap &gap);

struct ProofResult {
  /// Kernels that are proved and their store operations.
  int64_t kernels = 0, stores = 0;
  /// The first gap; none if the whole module is proved.
  std::optional<ProofGap> gap;

  bool isProved() const { return !gap; }
  /// "2 kernels: each of their 3 stores ...".
  std::string summary() const;
};

/// A proof takes at most so many steps: terms, comparisons and, at a hundred
/// each, linear programs.
inline constexpr int64_t kMostProofSteps = 200000;

/// Compares the materialized module with the payload that it was made from.
/// legality is what checkLegality says of that module. Neither is changed.
ProofResult proveKernels(mlir::ModuleOp payload, mlir::ModuleOp materialized,
                         const LegalityReport &legality,
                         int64_t mostSteps = kMostProofSteps);

} // namespace egg

#endif // EGG_PROOF_PROVEKERNELS_H
