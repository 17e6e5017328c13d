//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Splitting a reduction into shares that are reduced on their own.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TRANSFORMOPS_REDUCTIONSPLITTING_H
#define EGG_TRANSFORMOPS_REDUCTIONSPLITTING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace egg {

struct SplitReduction {
  mlir::linalg::GenericOp partial, combined;
};

/// Replaces op by two reductions over at most `parts` shares. On failure the
/// IR is unchanged and `why` says what stands in the way.
mlir::FailureOr<SplitReduction> splitReduction(mlir::RewriterBase &rewriter,
                                               mlir::linalg::LinalgOp op,
                                               int64_t parts, std::string &why);

} // namespace egg

#endif // EGG_TRANSFORMOPS_REDUCTIONSPLITTING_H
