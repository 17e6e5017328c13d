//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Proof of one launch: which values of the payload its results are.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_PROOF_LAUNCHPROOF_H
#define EGG_PROOF_LAUNCHPROOF_H

#include "Terms/KernelTerms.h"
#include "Terms/PayloadTerms.h"
#include "egg/Proof/ProveKernels.h"

namespace egg::proof {

/// Values of the payload that are equal, bit for bit; the first stands for all.
using EqualValues = llvm::SmallVector<mlir::Value>;

/// What a launch gets and has to give.
struct LaunchTask {
  mlir::gpu::GPUFuncOp kernel;
  legality::Launch launch;
  /// Of each input: the values that it is, or a constant tensor; none if
  /// nothing is known of it.
  std::vector<EqualValues> inputs;
  /// Of each result: what it may be, the likeliest first, and whether it has
  /// to be the first.
  std::vector<EqualValues> candidates;
  std::vector<bool> hasToBeFirst;
};

struct LaunchResult {
  /// Of each result: the candidates that it is.
  std::vector<EqualValues> values;
  int64_t stores = 0;
  std::optional<ProofGap> gap;
};

LaunchResult proveLaunch(LaunchTask task, Budget &budget);

} // namespace egg::proof

#endif // EGG_PROOF_LAUNCHPROOF_H
