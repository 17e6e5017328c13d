//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Lowering/EmitPTX.h"
#include "DeviceLibrary.h"
#include "egg/Support/Files.h"
#include "egg/Support/Hash.h"
#include "egg/Support/Subprocess.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace egg {

static constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";

/// The target comes from our table: LLVM would end the process on a chip or
/// feature it does not know.
static Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetInfo &target) {
  static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  std::string message;
  llvm::Triple triple(kTriple);
  const llvm::Target *nvptx =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!nvptx)
    return createStringError("this LLVM has no NVPTX backend: " + message);
  // Fusing of a*b+c stays off: kernels say math.fma where they mean it.
  return std::unique_ptr<llvm::TargetMachine>(nvptx->createTargetMachine(
      triple, target.chip, target.ptxFeatures, llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

static Expected<std::unique_ptr<llvm::Module>>
translate(gpu::GPUModuleOp kernels, llvm::LLVMContext &context,
          const llvm::TargetMachine &machine) {
  // Without the layout, 8-byte integers would count as 4-byte aligned and
  // their accesses be split.
  StringRef layoutName = LLVM::LLVMDialect::getDataLayoutAttrName();
  Attribute before = kernels->getAttr(layoutName);
  kernels->setAttr(
      layoutName,
      StringAttr::get(kernels.getContext(),
                      machine.createDataLayout().getStringRepresentation()));
  auto restore = llvm::scope_exit([&] {
    if (before)
      kernels->setAttr(layoutName, before);
    else
      kernels->removeAttr(layoutName);
  });
  std::string messages;
  ScopedDiagnosticHandler handler(kernels.getContext(), [&](Diagnostic &diag) {
    messages += "; " + diag.str();
  });
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(kernels, context, kernels.getName());
  if (!module)
    return createStringError("cannot translate kernels '" + kernels.getName() +
                             "' to LLVM IR" + messages);
  module->setTargetTriple(llvm::Triple(kTriple));
  module->setDataLayout(machine.createDataLayout());
  return module;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

static Expected<std::string> writePTX(llvm::Module &module,
                                      llvm::TargetMachine &machine) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr,
                                  llvm::CodeGenFileType::AssemblyFile))
    return createStringError("this LLVM cannot write PTX");
  passes.run(module);
  return text.str().str();
}

/// Everything up to PTX, in this process.
static Expected<KernelImage> compile(gpu::GPUModuleOp kernels,
                                     const TargetInfo &target,
                                     const ToolchainOptions &toolchain) {
  auto machine = createTargetMachine(target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto module = translate(kernels, context, **machine);
  if (!module)
    return module.takeError();
  KernelImage image;
  image.chip = target.chip;
  for (const llvm::Function &function : **module)
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
      image.kernels.push_back(function.getName().str());
  if (needsLibdevice(**module)) {
    Expected<std::string> path = findLibdevice(toolchain);
    if (!path)
      return path.takeError();
    Expected<std::string> bitcode = readFile(*path);
    if (!bitcode)
      return bitcode.takeError();
    image.libdeviceHash = sha256(*bitcode);
    if (Error error = linkLibdevice(**module, *bitcode, *path))
      return std::move(error);
  }
  if (Error error = checkSelfContained(**module))
    return std::move(error);
  optimize(**module, **machine);
  // Optimization may have formed new intrinsics.
  if (Error error = checkSelfContained(**module))
    return std::move(error);
  Expected<std::string> ptx = writePTX(**module, **machine);
  if (!ptx)
    return ptx.takeError();
  image.ptx = std::move(*ptx);
  return image;
}

static Expected<KernelImage> compileInChild(gpu::GPUModuleOp kernels,
                                            const TargetInfo &target,
                                            const EmitOptions &options) {
  ProcessLimits limits;
  limits.wallSeconds = options.wallSeconds;
  limits.outputBytes = uint64_t(1) << 30;
  Expected<ProcessResult> run = runInChild(
      [&](llvm::raw_ostream &os) {
        Expected<KernelImage> image =
            compile(kernels, target, options.toolchain);
        if (!image) {
          os << llvm::toString(image.takeError());
          return 1;
        }
        os << toJSON(*image);
        return 0;
      },
      limits);
  if (!run)
    return run.takeError();
  if (run->succeeded())
    return parseKernelImage(run->standardOutput);
  if (run->end == ProcessResult::End::Exited && !run->standardOutput.empty())
    return createStringError(run->standardOutput);
  return createStringError(
      "LLVM " + run->describeEnd() + " compiling '" + kernels.getName() +
      "' for " + target.chip + ": " +
      StringRef(run->standardError).trim().take_front(2000));
}

Expected<TargetInfo> loweredTarget(gpu::GPUModuleOp kernels) {
  ArrayAttr targets = kernels.getTargetsAttr();
  auto target = targets && targets.size() == 1
                    ? dyn_cast<NVVM::NVVMTargetAttr>(targets[0])
                    : nullptr;
  if (!target)
    return createStringError("kernels '" + kernels.getName() +
                             "' are not lowered; run egg-lower-to-nvvm first");
  return lookupTarget(target.getChip());
}

Expected<KernelImage> emitPTX(gpu::GPUModuleOp kernels,
                              const TargetInfo &target,
                              const EmitOptions &options) {
  Expected<TargetInfo> lowered = loweredTarget(kernels);
  if (!lowered)
    return lowered.takeError();
  if (lowered->chip != target.chip)
    return createStringError("kernels '" + kernels.getName() +
                             "' are lowered for " + lowered->chip +
                             ", not for " + target.chip);
  Expected<KernelImage> image =
      options.isolate ? compileInChild(kernels, target, options)
                      : compile(kernels, target, options.toolchain);
  if (!image || options.cubin == EmitOptions::Cubin::No)
    return image;
  Expected<std::string> ptxas = findPtxas(options.toolchain);
  if (!ptxas) {
    if (options.cubin == EmitOptions::Cubin::Yes)
      return ptxas.takeError();
    llvm::consumeError(ptxas.takeError());
    return image;
  }
  Expected<AssembledPTX> assembled =
      assemblePTX(image->ptx, target.chip, *ptxas, options.wallSeconds);
  if (!assembled)
    return assembled.takeError();
  image->cubin = std::move(assembled->cubin);
  image->resources = std::move(assembled->resources);
  image->warnings = std::move(assembled->warnings);
  return image;
}

} // namespace egg
