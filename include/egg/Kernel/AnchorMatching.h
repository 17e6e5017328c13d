//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the body of a reduction computes: how its partial results combine, and
// whether it is a sum of products.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_ANCHORMATCHING_H
#define EGG_KERNEL_ANCHORMATCHING_H

#include "egg/Kernel/KernelAnalysis.h"

namespace egg {

/// The op that merges two partial results of reduction result i, or null.
mlir::Operation *matchCombiner(mlir::linalg::LinalgOp op, unsigned i);

/// The contraction that op is, if any: out += a * b with every parallel dim in
/// a or b.
std::optional<ContractionInfo> matchContraction(mlir::linalg::LinalgOp op);

} // namespace egg

#endif // EGG_KERNEL_ANCHORMATCHING_H
