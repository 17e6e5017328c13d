//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/CheckKernelRules.h"
#include "egg/Kernel/ElementBytes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace egg;

static LogicalResult checkOps(gpu::GPUFuncOp kernel) {
  bool ok = true;
  kernel.walk([&](Operation *op) {
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      op->emitError() << "kernel '" << kernel.getName()
                      << "' calls a function; kernels hold their computation "
                         "themselves";
      ok = false;
    } else if (isa<memref::AllocOp, memref::ReallocOp>(op)) {
      op->emitError() << "kernel '" << kernel.getName()
                      << "' allocates on the heap; use workgroup attributions "
                         "or memref.alloca";
      ok = false;
    }
  });
  return success(ok);
}

static LogicalResult checkResources(gpu::GPUFuncOp kernel,
                                    const TargetInfo &target) {
  if (auto block = kernel.getKnownBlockSizeAttr()) {
    int64_t threads = 1;
    for (int32_t extent : block.asArrayRef())
      threads *= extent;
    if (threads < 1 || threads > target.maxThreadsPerBlock)
      return kernel.emitError()
             << "kernel '" << kernel.getName() << "' has " << threads
             << " threads a block; " << target.chip << " takes 1 to "
             << target.maxThreadsPerBlock;
  }
  int64_t shared = 0;
  for (BlockArgument memory : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(memory.getType());
    std::optional<int64_t> bytes = getBufferBytes(type);
    if (!bytes)
      return kernel.emitError()
             << "kernel '" << kernel.getName() << "' has a shared buffer "
             << type << " of unknown size; give it a static shape of numbers";
    shared += *bytes;
  }
  if (shared > target.staticSharedMemoryPerBlock)
    return kernel.emitError()
           << "kernel '" << kernel.getName() << "' has " << shared
           << " bytes of static shared memory; " << target.chip << " has "
           << target.staticSharedMemoryPerBlock << "; use smaller tiles";
  return success();
}

LogicalResult egg::checkKernelRules(ModuleOp module, const TargetInfo &target) {
  bool ok = true;
  module.walk([&](gpu::GPUFuncOp kernel) {
    ok &= succeeded(checkOps(kernel));
    ok &= succeeded(checkResources(kernel, target));
  });
  return success(ok);
}
