//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules/Rules.h"
#include "egg/Kernel/KernelConfig.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace egg;
using namespace egg::legality;

/// What the module's calls say of each kernel's launch.
static llvm::DenseMap<StringAttr, DictionaryAttr>
readLaunches(ModuleOp module) {
  llvm::DenseMap<StringAttr, DictionaryAttr> launches;
  for (auto function : module.getOps<func::FuncOp>())
    if (auto launch = function->getAttrOfType<DictionaryAttr>(kLaunchAttrName))
      if (auto kernel = launch.getAs<SymbolRefAttr>("kernel"))
        launches[kernel.getLeafReference()] = launch;
  return launches;
}

std::optional<Launch> egg::legality::readLaunch(gpu::GPUFuncOp kernel) {
  DenseI32ArrayAttr block = kernel.getKnownBlockSizeAttr(),
                    grid = kernel.getKnownGridSizeAttr();
  if (!block || !grid || block.size() != 3 || grid.size() != 3)
    return std::nullopt;
  Launch launch;
  llvm::copy(block.asArrayRef(), launch.block.begin());
  llvm::copy(grid.asArrayRef(), launch.grid.begin());
  return launch;
}

static KernelLegality checkKernel(gpu::GPUFuncOp kernel, DictionaryAttr attr,
                                  const TargetInfo &target) {
  KernelLegality result;
  result.kernel = kernel.getName().str();
  Record record(result);
  std::optional<Launch> launch = readLaunch(kernel);
  checkResources(kernel, launch ? &*launch : nullptr, attr, target, record);
  // A launch that cannot be has no threads to speak of.
  if (result[Property::Resources].violated != 0)
    return result;
  if (!launch) {
    record.undecided(Property::Bounds, kernel,
                     "the kernel does not say its launch (known_block_size "
                     "and known_grid_size)");
    return result;
  }
  bool isStructured = true;
  kernel.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      isStructured &= region.hasOneBlock() || region.empty();
  });
  if (!isStructured) {
    record.undecided(Property::Bounds, kernel,
                     "its control flow is not structured; write it with scf");
    return result;
  }
  KernelFacts facts(kernel, *launch);
  checkAccesses(facts, record);
  checkBarriers(facts, record);
  checkConflicts(facts, record);
  checkSharedMemory(facts, record);
  checkAccumulators(facts, record);
  return result;
}

LegalityReport egg::checkLegality(ModuleOp module, const TargetInfo &target) {
  LegalityReport report;
  auto launches = readLaunches(module);
  module.walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isExternal() && kernel.isKernel())
      report.kernels.push_back(
          checkKernel(kernel, launches.lookup(kernel.getNameAttr()), target));
  });
  return report;
}
