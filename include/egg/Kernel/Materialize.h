//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Materialization: kernel functions with a config become gpu.func kernels.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_MATERIALIZE_H
#define EGG_KERNEL_MATERIALIZE_H

#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Turns every kernel function of the module (egg.kernel with an egg.config)
/// into a gpu.func of gpu.module @kernels and its body-less declaration with an
/// egg.launch attribute, as docs/Architecture.md describes. Emits a diagnostic
/// at the function and fails if one cannot be materialized as configured; the
/// module is then to be discarded.
mlir::LogicalResult materializeKernels(mlir::ModuleOp module);

/// Whether an op of @main is none that a kernel must compute: calls, returns,
/// reshapes, casts, tensor.empty, constants.
bool holdsNoCompute(mlir::Operation *op);

/// For stages that find no kernels to work on: success if @main indeed needs
/// none, else a diagnostic that says which stage is missing.
mlir::LogicalResult checkNeedsNoKernels(mlir::ModuleOp module);

} // namespace egg

#endif // EGG_KERNEL_MATERIALIZE_H
