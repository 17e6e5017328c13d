//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Turning gpu kernels into host functions: thread ids become loads from the
// thread's record, barriers and shuffles become calls of the runtime, shared
// memory becomes arguments, and each memory access is preceded by its checks.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SIMT_KERNELTOHOST_H
#define EGG_LIB_VERIFY_SIMT_KERNELTOHOST_H

#include "SimtRuntime.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg::simt {

/// A kernel's host function: its memory arguments after the thread pointer.
struct HostKernel {
  std::string name;
  /// Size and element size in bytes of each argument, then of each shared
  /// memory.
  struct Memory {
    int64_t bytes, elementBytes;
  };
  std::vector<Memory> arguments, shared;
  /// The extents stated on the function; empty when it states none.
  std::vector<int64_t> knownBlock, knownGrid;
  bool synchronizes = false;
  std::vector<Site> sites;
};

/// The host functions of a gpu.module, one per kernel, in a module of their
/// own: func.func @<getHostSymbol(kernel)>(!llvm.ptr, memref...).
struct HostKernels {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<HostKernel> kernels;
};

/// The symbol of a kernel's host function: apart from those of the C library,
/// whose functions kernels call on the host (a kernel may be named "tanh").
std::string getHostSymbol(llvm::StringRef kernel);

/// Converts every kernel. Fails with a diagnostic on an operation that has no
/// host counterpart or an argument that is not a static memref. With
/// `checkAccesses` off only indices are checked, not initialisation and races.
mlir::FailureOr<HostKernels> convertKernelsToHost(mlir::gpu::GPUModuleOp module,
                                                  bool checkAccesses);

/// Inserts the checks before each memory access of a function whose argument
/// 0 is the thread pointer, appending to the kernel's sites. Fails with a
/// diagnostic on memory operations that cannot be checked.
mlir::LogicalResult instrumentAccesses(mlir::func::FuncOp function,
                                       HostKernel &kernel, bool checkAccesses);

/// Records a site for the operation and returns its number.
int32_t addSite(HostKernel &kernel, mlir::Operation *op);

} // namespace egg::simt

#endif // EGG_LIB_VERIFY_SIMT_KERNELTOHOST_H
