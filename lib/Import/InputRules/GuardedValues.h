//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Integers that index although they lie outside the tensor, as the payload
// guards the index: a label that is ignored, a position from the end.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_IMPORT_GUARDEDVALUES_H
#define EGG_LIB_IMPORT_GUARDEDVALUES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace egg {

/// Of the constants and their neighbours, -1, and both ends of what the
/// argument indexes: those outside [0, bound) with which no index that the
/// argument takes part in leaves its tensor, the first kMaxGuarded. None where
/// that cannot be seen from the argument's element alone.
inline constexpr size_t kMaxGuarded = 8;
llvm::SmallVector<int64_t> findGuardedValues(mlir::func::FuncOp main,
                                             unsigned argument, int64_t bound,
                                             llvm::ArrayRef<int64_t> constants);

} // namespace egg

#endif // EGG_LIB_IMPORT_GUARDEDVALUES_H
