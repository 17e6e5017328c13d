//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Integers beyond the small ones that the payload's use of them allows: a label
// that is ignored, a position from the end, an amount of a shift, a length.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_IMPORT_GUARDEDVALUES_H
#define EGG_LIB_IMPORT_GUARDEDVALUES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace egg {

/// Of the constants and their neighbours, both ends of what the argument
/// indexes and of loops, negative numbers, and those at which narrower
/// arithmetic would tell: those outside [0, bound) with which no index leaves
/// its tensor, no shift its width, and nothing overflows that promises not to;
/// the first kMaxGuarded. None where that cannot be seen from the argument's
/// element alone.
inline constexpr size_t kMaxGuarded = 40;
llvm::SmallVector<int64_t> findGuardedValues(mlir::func::FuncOp main,
                                             unsigned argument, int64_t bound,
                                             llvm::ArrayRef<int64_t> constants);

} // namespace egg

#endif // EGG_LIB_IMPORT_GUARDEDVALUES_H
