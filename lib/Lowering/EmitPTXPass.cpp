//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/Materialize.h"
#include "egg/Lowering/EmitPTX.h"
#include "egg/Lowering/Passes.h"
#include "egg/Support/Files.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace egg {

#define GEN_PASS_DEF_EMITPTXPASS
#include "egg/Lowering/Passes.h.inc"

} // namespace egg

using namespace mlir;

/// What ptxas said, as diagnostics where the kernels are.
static void reportResources(gpu::GPUModuleOp kernels,
                            const egg::KernelImage &image, bool all) {
  for (const egg::KernelResources &kernel : image.resources) {
    Operation *op = SymbolTable::lookupSymbolIn(kernels, kernel.kernel);
    Location loc = op ? op->getLoc() : kernels.getLoc();
    if (kernel.spills())
      emitWarning(loc) << "kernel '" << kernel.kernel
                       << "' spills registers: " << kernel.spillStores
                       << " bytes stored, " << kernel.spillLoads
                       << " bytes loaded; give a thread less to hold";
    if (all)
      emitRemark(loc) << "kernel '" << kernel.kernel
                      << "': " << kernel.registers << " registers, "
                      << kernel.sharedMemory << " bytes of shared memory, "
                      << kernel.stack << " bytes of stack";
  }
  for (const std::string &warning : image.warnings)
    emitWarning(kernels.getLoc()) << warning;
}

/// The binary that takes the module's place.
static void replaceByBinary(gpu::GPUModuleOp kernels,
                            const egg::KernelImage &image) {
  OpBuilder b(kernels);
  Attribute target = kernels.getTargetsAttr()[0];
  DictionaryAttr properties;
  if (!image.libdeviceHash.empty())
    properties = b.getDictionaryAttr(
        b.getNamedAttr("egg.libdevice", b.getStringAttr(image.libdeviceHash)));
  SmallVector<Attribute> objects = {
      gpu::ObjectAttr::get(target, gpu::CompilationTarget::Assembly,
                           b.getStringAttr(image.ptx), properties)};
  if (!image.cubin.empty())
    objects.push_back(
        gpu::ObjectAttr::get(target, gpu::CompilationTarget::Binary,
                             b.getStringAttr(image.cubin), properties));
  gpu::BinaryOp::create(b, kernels.getLoc(), kernels.getName(),
                        /*offloadingHandler=*/nullptr, objects);
  kernels.erase();
}

namespace {
class EmitPTXPass : public egg::impl::EmitPTXPassBase<EmitPTXPass> {
public:
  using EmitPTXPassBase::EmitPTXPassBase;

  void runOnOperation() override {
    auto modules = llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>());
    if (modules.size() > 1 && !dumpPTX.empty()) {
      modules[1].emitError("dump-ptx writes one file, and this is a second "
                           "gpu.module; merge them");
      return signalPassFailure();
    }
    if (modules.empty() && (failed(egg::checkNeedsNoKernels(getOperation())) ||
                            failed(write("", getOperation()))))
      return signalPassFailure();
    for (gpu::GPUModuleOp kernels : modules)
      if (failed(emit(kernels)))
        return signalPassFailure();
  }

private:
  LogicalResult write(StringRef ptx, Operation *kernels) {
    if (dumpPTX == "-")
      llvm::outs() << ptx;
    else if (!dumpPTX.empty())
      if (llvm::Error error = egg::writeFileAtomically(dumpPTX, ptx))
        return emitError(kernels->getLoc()) << llvm::toString(std::move(error));
    return success();
  }

  LogicalResult emit(gpu::GPUModuleOp kernels) {
    auto fail = [&](llvm::Error error) {
      return kernels.emitError() << llvm::toString(std::move(error));
    };
    egg::EmitOptions options;
    options.toolchain = {ptxas, libdevice, cudaPath};
    options.isolate = isolate;
    if (cubin || reportResources)
      options.cubin = egg::EmitOptions::Cubin::Yes;
    llvm::Expected<egg::TargetInfo> target = egg::loweredTarget(kernels);
    if (!target)
      return fail(target.takeError());
    llvm::Expected<egg::KernelImage> image =
        egg::emitPTX(kernels, *target, options);
    if (!image)
      return fail(image.takeError());
    if (failed(write(image->ptx, kernels)))
      return failure();
    ::reportResources(kernels, *image, reportResources);
    replaceByBinary(kernels, *image);
    return success();
  }
};
} // namespace
