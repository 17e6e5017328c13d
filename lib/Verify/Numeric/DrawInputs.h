//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The inputs of the numeric step's runs, in their order.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_NUMERIC_DRAWINPUTS_H
#define EGG_LIB_VERIFY_NUMERIC_DRAWINPUTS_H

#include "../Special/SparseValues.h"
#include "../Special/SpecialValues.h"
#include "egg/Verify/Compare.h"
#include "egg/Verify/VerifyProposal.h"

namespace egg {

/// Inputs of one run.
struct Draw {
  std::vector<HostTensor> inputs;
  /// "special, seed 3, NaN first and last, ...", for messages.
  std::string name;
  NaNs nans = NaNs::Stay;
  /// Held to the tolerance alone: of few values that repeat themselves the
  /// payload's own error is no measure of the precision.
  bool toleranceOnly = false;
};

/// How many numbers of inputs Special has: values anywhere, then those that are
/// placed, then rows of which few elements decide.
inline int64_t countSpecialDraws(const SpecialValues &specials,
                                 const SparseValues &sparse) {
  return 1 + specials.countRounds() + sparse.countRounds();
}

/// The inputs of a distribution with this number. Where a schedule substitutes,
/// those with NaN come twice: as they are, and, so that nothing hides behind a
/// NaN that spreads, with numbers in its places.
llvm::Expected<llvm::SmallVector<Draw, 2>>
drawInputs(mlir::ModuleOp payload, const SpecialValues &specials,
           const SparseValues &sparse, Distribution distribution,
           int64_t number, const VerifyOptions &options);

} // namespace egg

#endif // EGG_LIB_VERIFY_NUMERIC_DRAWINPUTS_H
