//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// convert-gpu-to-nvvm and gpu-module-to-binary behind checks.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "Containment/Isolation.h"
#include "Containment/Recover.h"
#include "egg/Guard/Passes.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

extern "C" void LLVMInitializeNVPTXTarget();
extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTargetMC();

namespace egg {
#define GEN_PASS_DEF_GUARDEDCONVERTGPUTONVVM
#define GEN_PASS_DEF_GUARDEDGPUMODULETOBINARY
#include "egg/Guard/Passes.h.inc"
} // namespace egg

using namespace mlir;

namespace egg {

void findUnsupportedFragments(
    Operation *root,
    llvm::function_ref<void(Operation *, const Twine &)> report) {
  using Kind = gpu::MMAElementwiseOp;
  root->walk([&](gpu::SubgroupMmaElementwiseOp op) {
    Kind kind = op.getOpType();
    bool isKnown = llvm::is_contained(
        {Kind::ADDF, Kind::MULF, Kind::DIVF, Kind::MAXF, Kind::MINF}, kind);
    bool isFloat = llvm::all_of(op.getOperands(), [](Value operand) {
      auto type = cast<gpu::MMAMatrixType>(operand.getType());
      return isa<FloatType>(type.getElementType());
    });
    std::string name = gpu::stringifyMMAElementwiseOp(kind).str();
    if (!isKnown)
      report(op, "there is no code for the elementwise op '" + name +
                     "' on matrix fragments, only for addf, mulf, divf, maxf "
                     "and minf; do it on elements after storing the matrix");
    else if (!isFloat || op->getNumOperands() != 2)
      report(op, "'" + name +
                     "' on matrix fragments needs two operands of "
                     "floats; do it on elements after storing the "
                     "matrix");
    else if (!llvm::all_equal(op->getOperandTypes()) ||
             op->getOperand(0).getType() != op->getResult(0).getType())
      report(op, "'" + name +
                     "' on matrix fragments needs operands and a "
                     "result of one type; convert them first");
  });
}

void checkConversionPatterns(transform::TransformOpInterface op,
                             transform::TransformState &state,
                             Findings &findings) {
  for (Operation *payload : state.getPayloadOps(op->getOperand(0)))
    findUnsupportedFragments(payload, [&](Operation *at, const Twine &reason) {
      findings.refuse(at, reason);
    });
}

/// Why the chip's name means nothing to the backend; empty if it does.
static std::string explainChip(StringRef triple, StringRef chip) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  std::string error;
  llvm::Triple parsed(triple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(parsed, error);
  if (!target)
    return error;
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(parsed, "", ""));
  if (info && info->isCPUStringValid(chip))
    return "";
  return ("'" + chip + "' is no chip that the backend knows").str();
}

namespace {

class ConvertPass
    : public IsolatedPass<impl::GuardedConvertGpuToNVVMBase<ConvertPass>> {
public:
  using IsolatedPass::IsolatedPass;

  void getDependentDialects(DialectRegistry &registry) const override {
    createConvertGpuOpsToNVVMOps()->getDependentDialects(registry);
  }

private:
  void runHere() override {
    bool isSupported = true;
    findUnsupportedFragments(getOperation(),
                             [&](Operation *at, const Twine &reason) {
                               isSupported = false;
                               at->emitError() << reason;
                             });
    if (!isSupported)
      return signalPassFailure();
    ConvertGpuOpsToNVVMOpsOptions options;
    options.indexBitwidth = indexBitwidth;
    options.hasRedux = hasRedux;
    options.useBarePtrCallConv = useBarePtrCallConv;
    options.allowPatternRollback = allowPatternRollback;
    options.allowedDialects.assign(allowedDialects.begin(),
                                   allowedDialects.end());
    OpPassManager pipeline(gpu::GPUModuleOp::getOperationName());
    pipeline.addPass(createConvertGpuOpsToNVVMOps(options));
    if (failed(runRecovering(getOperation(), "the conversion to NVVM", [&] {
          return runPipeline(pipeline, getOperation());
        })))
      signalPassFailure();
  }
};

class BinaryPass
    : public IsolatedPass<impl::GuardedGpuModuleToBinaryBase<BinaryPass>> {
public:
  using IsolatedPass::IsolatedPass;

  void getDependentDialects(DialectRegistry &registry) const override {
    createGpuModuleToBinaryPass()->getDependentDialects(registry);
  }

private:
  void runHere() override {
    WalkResult walk = getOperation()->walk([](gpu::GPUModuleOp module) {
      ArrayAttr targets = module.getTargetsAttr();
      if (!targets)
        return WalkResult::advance();
      for (auto target : targets.getAsRange<NVVM::NVVMTargetAttr>())
        if (std::string why = explainChip(target.getTriple(), target.getChip());
            !why.empty()) {
          module.emitError() << why << "; give the target a chip such as sm_90";
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    GpuModuleToBinaryPassOptions options;
    options.toolkitPath = toolkitPath;
    options.linkFiles.assign(linkFiles.begin(), linkFiles.end());
    options.cmdOptions = cmdOptions;
    options.compilationTarget = compilationTarget;
    options.elfSection = elfSection;
    OpPassManager pipeline(getOperation()->getName());
    pipeline.addPass(createGpuModuleToBinaryPass(options));
    if (failed(runRecovering(getOperation(), "compiling its gpu.modules", [&] {
          return runPipeline(pipeline, getOperation());
        })))
      signalPassFailure();
  }
};

} // namespace
} // namespace egg
