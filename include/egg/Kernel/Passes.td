//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes over kernel functions.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_PASSES
#define EGG_KERNEL_PASSES

include "mlir/Pass/PassBase.td"

def MaterializeKernels : Pass<"egg-materialize-kernels", "::mlir::ModuleOp"> {
  let summary = "turns configured kernel functions into gpu.func kernels";
  let description = [{
    Every function with the unit attribute `egg.kernel` becomes a `gpu.func` of
    `gpu.module @kernels` as its `egg.config` says; the function stays as a
    declaration with the attribute `egg.launch` (kernel, grid, block, dynamic
    shared memory). Arguments and results become flattened one-dimensional
    buffers.

    Fails with a diagnostic at the function if the config is missing or
    malformed, if there are no kernels although `@main` needs some, if the
    kernel's ops do not fit the configured structure, or if
    the launch exceeds the limits of the GPU (threads, static shared memory).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::ub::UBDialect"
  ];
}

#endif // EGG_KERNEL_PASSES
