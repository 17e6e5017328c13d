//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From lowered kernels to PTX and machine code, in process.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LOWERING_EMITPTX_H
#define EGG_LOWERING_EMITPTX_H

#include "egg/Core/KernelImage.h"
#include "egg/Target/TargetInfo.h"
#include "egg/Target/Toolchain.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace egg {

struct EmitOptions {
  /// Where libdevice and ptxas are.
  ToolchainOptions toolchain;
  /// Whether to assemble the PTX: needs ptxas and fills cubin, resources and
  /// warnings of the image.
  enum class Cubin { No, IfPtxasIsFound, Yes } cubin = Cubin::No;
  /// Whether to compile in a child process. LLVM ends the process on code it
  /// cannot select; in a child that is an Error here.
  bool isolate = true;
  /// Limit on LLVM's work in the child, and on ptxas.
  double wallSeconds = 300;
};

/// Compiles what egg-lower-to-nvvm left. The kernels' LLVM IR is linked with
/// the parts of libdevice it uses, optimized at O3 without any fast-math, and
/// written as PTX; equal inputs give equal PTX. Errors: a function without a
/// body is called, libdevice or ptxas is needed and not found, LLVM or ptxas
/// fail.
llvm::Expected<KernelImage> emitPTX(mlir::gpu::GPUModuleOp kernels,
                                    const TargetInfo &target,
                                    const EmitOptions &options = {});

/// The target egg-lower-to-nvvm lowered the kernels for; an Error if it has not
/// run on them.
llvm::Expected<TargetInfo> loweredTarget(mlir::gpu::GPUModuleOp kernels);

} // namespace egg

#endif // EGG_LOWERING_EMITPTX_H
