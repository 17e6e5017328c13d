//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Index variables as numbers in a mixed radix, read off index expressions.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_KERNEL_MIXEDRADIX_H
#define EGG_LIB_KERNEL_MIXEDRADIX_H

#include "egg/Kernel/IndexSpace.h"

namespace egg {

/// One mixed-radix digit of an index variable: (variable floordiv low) mod
/// size.
struct Digit {
  int64_t low, size;
  /// The expression that the digit's value is to have.
  mlir::AffineExpr value;
};

/// Matches atom = (dim floordiv low) mod size for some dim.
std::optional<std::pair<mlir::AffineExpr, Digit>>
matchDigit(mlir::AffineExpr atom, const IndexSpace &space);

/// Appends the terms of factor * expr, a simplified sum of coefficient * atom,
/// and adds its constant.
void flattenSum(
    mlir::AffineExpr expr, int64_t factor,
    llvm::SmallVectorImpl<std::pair<mlir::AffineExpr, int64_t>> &terms,
    int64_t &constant);

} // namespace egg

#endif // EGG_LIB_KERNEL_MIXEDRADIX_H
