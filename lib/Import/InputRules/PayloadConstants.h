//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The constants at which a payload's behaviour changes: inputs that equal them
// tell apart what others do not.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_IMPORT_PAYLOADCONSTANTS_H
#define EGG_LIB_IMPORT_PAYLOADCONSTANTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace egg {

/// Float constants that floats are compared with, in program order, each once,
/// the first kMaxThresholds. The ends of float types are first values of
/// extrema: sums of them overflow in one order and not in another, so they are
/// left out.
inline constexpr size_t kMaxThresholds = 8;
llvm::SmallVector<double> findThresholds(mlir::func::FuncOp main);

/// Integer constants that integers meet in arithmetic, comparisons and
/// selections, and thresholds as integers, the first kMaxIntegers.
inline constexpr size_t kMaxIntegers = 32;
llvm::SmallVector<int64_t> findIntegers(mlir::func::FuncOp main);

} // namespace egg

#endif // EGG_LIB_IMPORT_PAYLOADCONSTANTS_H
