//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The contract of materialized kernels, and of lowered ones.
//
//===----------------------------------------------------------------------===//
#include "KernelPreparation.h"
#include "egg/Core/ScheduleFormat.h"
#include "egg/Kernel/ElementBytes.h"
#include "egg/Kernel/KernelNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace egg {

static bool isBufferElement(Type type) {
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
         type.isSignlessInteger(64) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(16) || type.isSignlessInteger(8);
}

static LogicalResult checkArguments(gpu::GPUFuncOp kernel) {
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (!buffer || buffer.getRank() != 1 || !buffer.hasStaticShape() ||
        !buffer.getLayout().isIdentity() || buffer.getMemorySpace() ||
        !isBufferElement(buffer.getElementType()))
      return kernel.emitError()
             << "argument " << i << " of kernel '" << kernel.getName()
             << "' has type " << type
             << "; pass a flat buffer memref<Nxdtype> of static size (bool as "
                "i8)";
  }
  return success();
}

static LogicalResult checkBlock(gpu::GPUFuncOp kernel,
                                const TargetInfo &target) {
  std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
  if (!block)
    return kernel.emitError() << "kernel '" << kernel.getName()
                              << "' has no known_block_size; give it the block "
                                 "it is launched with";
  int64_t threads = 1;
  for (int32_t extent : *block)
    threads *= extent;
  if (threads < 1 || threads > target.maxThreadsPerBlock)
    return kernel.emitError()
           << "kernel '" << kernel.getName() << "' has " << threads
           << " threads a block, and " << target.chip << " takes 1 to "
           << target.maxThreadsPerBlock << "; map it to smaller blocks";
  return success();
}

static LogicalResult checkSharedMemory(gpu::GPUFuncOp kernel,
                                       const TargetInfo &target) {
  int64_t bytes = 0;
  for (BlockArgument buffer : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(buffer.getType());
    std::optional<int64_t> size = getBufferBytes(type);
    if (!size || !type.getLayout().isIdentity())
      return kernel.emitError()
             << "shared buffer of type " << type << " in kernel '"
             << kernel.getName()
             << "' needs a static size, elements that are numbers, and no "
                "layout";
    bytes += *size;
  }
  if (bytes > target.staticSharedMemoryPerBlock)
    return kernel.emitError()
           << "kernel '" << kernel.getName() << "' has " << bytes
           << " bytes of shared memory a block, and " << target.chip << " has "
           << target.staticSharedMemoryPerBlock
           << "; use smaller tiles or fewer stages";
  return success();
}

/// Atomics whose result depends on the order of the threads: rounding ones, and
/// those of which nothing is known.
static bool isOrderDependent(Operation *op) {
  if (isa<memref::GenericAtomicRMWOp>(op))
    return true;
  auto atomic = dyn_cast<memref::AtomicRMWOp>(op);
  return atomic && llvm::is_contained({arith::AtomicRMWKind::addf,
                                       arith::AtomicRMWKind::mulf,
                                       arith::AtomicRMWKind::assign},
                                      atomic.getKind());
}

/// Why an op must not be in a kernel; empty if it may.
static StringRef reasonAgainst(Operation *op) {
  static constexpr StringLiteral kDialects[] = {
      "gpu",    "scf",  "arith", "math", "vector", "memref",
      "affine", "llvm", "nvvm",  "cf",   "ub",     "builtin"};
  StringRef dialect = op->getName().getDialectNamespace();
  if (!llvm::is_contained(kDialects, dialect))
    return "ops of this dialect do not lower to NVVM";
  if (isa<memref::AllocOp, memref::AllocaOp, memref::ReallocOp,
          memref::DeallocOp, gpu::AllocOp, gpu::DeallocOp>(op))
    return "kernels do not allocate; use a workgroup attribution for shared "
           "memory and values for registers";
  if (isa<memref::CopyOp>(op))
    return "it becomes a library call; copy with loads and stores";
  if (isa<gpu::DynamicSharedMemoryOp>(op))
    return "it overlaps static shared memory when lowered; use workgroup "
           "attributions";
  if (isa<gpu::PrintfOp>(op))
    return "kernels do not print; remove it";
  if (isa<gpu::SubgroupReduceOp>(op))
    return "it does not lower for floating point; write the steps with "
           "gpu.shuffle";
  if (isOrderDependent(op))
    return "threads come to it in another order in each run, and so do the "
           "last bits of its result; combine floats in a fixed order, with "
           "gpu.shuffle or shared memory";
  return "";
}

LogicalResult checkMaterialized(gpu::GPUModuleOp kernels,
                                const TargetInfo &target) {
  for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
    if (!kernel.isKernel())
      return kernel.emitError()
             << "function '" << kernel.getName()
             << "' is no kernel; the kernels of a module hold all their code";
    if (std::string why = explainKernelName(kernel.getName()); !why.empty())
      return kernel.emitError() << "\"" << kernel.getName() << "\" " << why;
    if (failed(checkArguments(kernel)) || failed(checkBlock(kernel, target)) ||
        failed(checkSharedMemory(kernel, target)))
      return failure();
  }
  WalkResult walk = kernels.getBody()->walk([&](Operation *op) {
    StringRef reason = reasonAgainst(op);
    if (reason.empty())
      return WalkResult::advance();
    InFlightDiagnostic error = op->emitError()
                               << "'" << op->getName()
                               << "' must not be in a kernel: " << reason;
    if (auto kernel = op->getParentOfType<gpu::GPUFuncOp>())
      error.attachNote(kernel.getLoc())
          << "in kernel '" << kernel.getName() << "'";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult checkLowered(gpu::GPUModuleOp kernels) {
  WalkResult walk = kernels.getBody()->walk([&](Operation *op) {
    if (isa<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    InFlightDiagnostic error =
        op->emitError() << "'" << op->getName()
                        << "' does not lower to NVVM; build the kernel from "
                           "other ops";
    if (auto kernel = op->getParentOfType<LLVM::LLVMFuncOp>())
      error.attachNote(kernel.getLoc())
          << "in kernel '" << kernel.getName() << "'";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult checkScheduledChip(ModuleOp module, const TargetInfo &target) {
  auto chip = module->getAttrOfType<StringAttr>(kTargetAttrName);
  if (!chip || chip.getValue() == target.chip)
    return success();
  return emitError(module.getLoc())
         << "the schedule of these kernels is for " << chip.getValue()
         << ", and this pass is told to compile for " << target.chip
         << "; write chip=" << chip.getValue() << ", or apply a schedule for "
         << target.chip;
}

} // namespace egg
