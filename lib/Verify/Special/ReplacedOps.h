//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What operations that a substitution replaces do with NaN and infinities: only
// where they do nothing particular with them may other laws of algebra.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SPECIAL_REPLACEDOPS_H
#define EGG_LIB_VERIFY_SPECIAL_REPLACEDOPS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"

namespace egg {

/// Whether each of the operations, bodies and all, gives NaN wherever it
/// computes with one. Comparisons, selections and maxima of numbers make
/// numbers of NaN; operations that are not known are taken to do so.
bool handOnNaN(llvm::ArrayRef<mlir::Operation *> ops);

/// Whether one of them may make a number of an infinity, as exp, quotients by
/// what is no constant, comparisons and maxima do. Sums and products do not.
bool makeNumbersOfInfinities(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace egg

#endif // EGG_LIB_VERIFY_SPECIAL_REPLACEDOPS_H
