//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a payload may hold, for functions beside @main.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_IMPORT_CHECKPAYLOAD_H
#define EGG_IMPORT_CHECKPAYLOAD_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace egg {

/// Checks that the function takes and returns tensors of static shape and a
/// payload's dtypes, and that its body is one block of a payload's operations.
/// Errors are diagnostics.
mlir::LogicalResult checkPayloadFunction(mlir::func::FuncOp function);

} // namespace egg

#endif // EGG_IMPORT_CHECKPAYLOAD_H
