//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What happens to materialized kernels before the upstream conversions.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_LOWERING_KERNELPREPARATION_H
#define EGG_LIB_LOWERING_KERNELPREPARATION_H

#include "egg/Target/TargetInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Checks the contract of materialized kernels; diagnostics at the offending
/// op say what to change.
mlir::LogicalResult checkMaterialized(mlir::gpu::GPUModuleOp kernels,
                                      const TargetInfo &target);

/// Checks that only LLVM and NVVM ops are left after the conversions.
mlir::LogicalResult checkLowered(mlir::gpu::GPUModuleOp kernels);

/// Rewrites what the upstream conversions get wrong or do not know, and states
/// what is known of arguments and alignment as attributes.
mlir::LogicalResult prepareKernels(mlir::gpu::GPUModuleOp kernels);

/// Checks that a module that a schedule was applied to is compiled for the
/// schedule's chip (`egg.target`).
mlir::LogicalResult checkScheduledChip(mlir::ModuleOp module,
                                       const TargetInfo &target);

} // namespace egg

#endif // EGG_LIB_LOWERING_KERNELPREPARATION_H
