//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one fixed lowering of materialized kernels to NVVM.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LOWERING_LOWERTONVVM_H
#define EGG_LOWERING_LOWERTONVVM_H

#include "egg/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Bytes that every kernel argument and shared buffer is aligned to. The
/// runtime must refuse device pointers that are less aligned.
inline constexpr int64_t kBufferAlignment = 16;

/// Runs pass egg-lower-to-nvvm for that target: see Passes.td for what it
/// accepts and leaves. Failures are diagnostics at the offending op.
mlir::LogicalResult lowerToNVVM(mlir::ModuleOp module,
                                const TargetInfo &target);

} // namespace egg

#endif // EGG_LOWERING_LOWERTONVVM_H
