//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/CompleteWithExpert.h"
#include "Expert/HardwareRules.h"
#include "Expert/ScheduleWriter.h"
#include "FormKernels.h"
#include "egg/Agent/ScriptParts.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "egg/TransformOps/TransformOps.h"

using namespace mlir;

namespace egg {
namespace {

/// The structure that a kernel's module maps it to, if it says so.
std::optional<Structure> structureOf(ModuleOp module) {
  std::optional<Structure> structure;
  module.walk([&](Operation *op) {
    if (isa<MapElementsOp>(op))
      structure = Structure::Map;
    else if (isa<MapRowsOp>(op))
      structure = Structure::Rows;
    else if (isa<MapTilesOp>(op))
      structure = Structure::Contraction;
    else if (isa<MapScanOp>(op))
      structure = Structure::Scan;
  });
  return structure;
}

/// What the expert would make of the kernel: products by tiles, and the like.
Structure preferredStructure(const KernelAnalysis &analysis) {
  if (analysis.supports(Structure::Rows) && analysis.contraction &&
      isSkinny(analysis.contraction->m, analysis.contraction->n))
    return Structure::Rows;
  for (Structure structure :
       {Structure::Contraction, Structure::Scan, Structure::Rows})
    if (analysis.supports(structure))
      return structure;
  return Structure::Map;
}
} // namespace

llvm::Expected<std::string> completeWithExpert(ModuleOp payload,
                                               StringRef script) {
  MLIRContext *context = payload.getContext();
  llvm::Expected<ScriptParts> parts = splitScript(script, context);
  if (!parts)
    return rejectScript("accept", llvm::toString(parts.takeError()));
  llvm::Expected<FormedKernels> formed = formKernels(payload, script);
  if (!formed)
    return formed.takeError();
  for (auto function : formed->payload->getOps<func::FuncOp>()) {
    if (!function->hasAttr(kKernelAttrName))
      continue;
    FailureOr<KernelAnalysis> analysis = analyzeKernel(function);
    if (failed(analysis))
      continue; // form_kernel refuses it, so there is none.
    CutKernel kernel;
    kernel.name = function.getSymName().str();
    kernel.function = function;
    kernel.structure = preferredStructure(*analysis);
    auto module = formed->schedule->lookupSymbol<ModuleOp>(kernel.name);
    std::optional<Structure> mapped =
        module ? structureOf(module) : std::nullopt;
    if (mapped && analysis->supports(*mapped))
      continue;
    parts->removeKernel(kernel.name);
    parts->append(writeKernelModule(kernel.name, chooseHardware(kernel)));
  }
  for (const std::string &name : parts->kernels())
    if (auto kernel = formed->payload->lookupSymbol<func::FuncOp>(name);
        !kernel || !kernel->hasAttr(kKernelAttrName))
      parts->removeKernel(name);
  return joinScript(*parts);
}

} // namespace egg
