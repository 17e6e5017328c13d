//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Lowering/LowerToNVVM.h"
#include "KernelPreparation.h"
#include "egg/Kernel/Materialize.h"
#include "egg/Lowering/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace egg {

#define GEN_PASS_DEF_LOWERTONVVMPASS
#include "egg/Lowering/Passes.h.inc"

} // namespace egg

using namespace mlir;

/// The order was measured to work (vector before gpu, math left to libdevice).
static void buildConversions(OpPassManager &kernels) {
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createConvertVectorToSCFPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  // Every access carries the alignment that was proved, so the option that
  // assumes the vector's own alignment stays off.
  kernels.addPass(createConvertVectorToLLVMPass());
  ConvertGpuOpsToNVVMOpsOptions toNVVM;
  toNVVM.useBarePtrCallConv = true;
  toNVVM.indexBitwidth = 64;
  kernels.addPass(createConvertGpuOpsToNVVMOps(toNVVM));
  // What libdevice does not have: integer functions and trunc.
  kernels.addPass(createConvertMathToLLVMPass());
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

/// Exact block sizes: a launch with another block fails instead of computing
/// something else, and ptxas knows the number of warps.
static void requireBlockSizes(gpu::GPUModuleOp kernels) {
  StringRef atMost = NVVM::NVVMDialect::getMaxntidAttrName();
  StringRef exactly = NVVM::NVVMDialect::getReqntidAttrName();
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
    if (Attribute block = kernel->removeAttr(atMost))
      kernel->setAttr(exactly, block);
}

namespace {
class LowerToNVVMPass : public egg::impl::LowerToNVVMPassBase<LowerToNVVMPass> {
public:
  using LowerToNVVMPassBase::LowerToNVVMPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<LLVM::LLVMDialect, NVVM::NVVMDialect, cf::ControlFlowDialect>();
    OpPassManager kernels(gpu::GPUModuleOp::getOperationName());
    buildConversions(kernels);
    kernels.getDependentDialects(registry);
  }

  void runOnOperation() override {
    llvm::Expected<egg::TargetInfo> target = egg::lookupTarget(chip);
    if (!target) {
      emitError(getOperation().getLoc()) << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    if (failed(egg::checkScheduledChip(getOperation(), *target)) ||
        (getOperation().getOps<gpu::GPUModuleOp>().empty() &&
         failed(egg::checkNeedsNoKernels(getOperation()))))
      return signalPassFailure();
    OpPassManager conversions(gpu::GPUModuleOp::getOperationName());
    buildConversions(conversions);
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>()) {
      if (failed(egg::checkMaterialized(kernels, *target)) ||
          failed(egg::prepareKernels(kernels)) ||
          failed(runPipeline(conversions, kernels)) ||
          failed(egg::checkLowered(kernels)))
        return signalPassFailure();
      requireBlockSizes(kernels);
      auto attribute = NVVM::NVVMTargetAttr::get(
          &getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda", target->chip,
          target->ptxFeatures);
      kernels.setTargetsAttr(ArrayAttr::get(&getContext(), attribute));
    }
  }
};
} // namespace

LogicalResult egg::lowerToNVVM(ModuleOp module, const TargetInfo &target) {
  PassManager manager(module.getContext());
  LowerToNVVMPassOptions options;
  options.chip = target.chip;
  manager.addPass(createLowerToNVVMPass(options));
  return manager.run(module);
}
