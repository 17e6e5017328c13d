//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/KernelConfig.h"
#include "egg/Support/ClosestNames.h"
#include "egg/TransformOps/TransformOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace egg {

/// The kernel next to `target` that holds an op of that name, if any.
static func::FuncOp findKernelWith(StringRef name, func::FuncOp target) {
  func::FuncOp found;
  auto module = target->getParentOfType<ModuleOp>();
  if (!module)
    return found;
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!kernel->hasAttr(kKernelAttrName) || kernel == target)
      continue;
    kernel.walk([&](Operation *op) {
      auto attr = op->getAttrOfType<StringAttr>(kNameAttrName);
      if (attr && attr.getValue() == name)
        found = kernel;
    });
    if (found)
      return found;
  }
  return found;
}

DiagnosedSilenceableFailure
SelectOp::apply(transform::TransformRewriter &rewriter,
                transform::TransformResults &results,
                transform::TransformState &state) {
  auto payload = llvm::to_vector(state.getPayloadOps(getTarget()));
  auto target =
      payload.size() == 1 ? dyn_cast<func::FuncOp>(payload[0]) : func::FuncOp();
  if (!target || target.isExternal())
    return emitSilenceableError()
           << "select expects a handle to one function with a body; pass the "
              "argument of @algorithm";

  llvm::StringMap<Operation *> byName;
  SmallVector<StringRef> known;
  for (Operation &op : target.getBody().getOps())
    if (auto name = op.getAttrOfType<StringAttr>(kNameAttrName)) {
      byName[name.getValue()] = &op;
      known.push_back(name.getValue());
    }

  SmallVector<Operation *> selected;
  llvm::StringSet<> seen;
  for (auto name : getNames().getAsRange<StringAttr>()) {
    if (!seen.insert(name.getValue()).second)
      return emitSilenceableError()
             << "\"" << name.getValue() << "\" is listed twice; remove one";
    if (Operation *op = byName.lookup(name.getValue())) {
      selected.push_back(op);
      continue;
    }
    DiagnosedSilenceableFailure diag =
        emitSilenceableError() << "no operation named \"" << name.getValue()
                               << "\" in @" << target.getSymName();
    if (func::FuncOp kernel = findKernelWith(name.getValue(), target)) {
      diag.attachNote(kernel.getLoc())
          << "it is part of kernel @" << kernel.getSymName()
          << " already; an operation that several kernels need goes into the "
             "'recompute' of all but the last of them";
      return diag;
    }
    SmallVector<StringRef> near = closestNames(name.getValue(), known);
    if (!near.empty())
      diag.attachNote() << "closest names: " << llvm::join(near, ", ");
    else
      diag.attachNote(target.getLoc())
          << "the names are the egg.name of its operations";
    return diag;
  }
  results.set(cast<OpResult>(getSelected()), selected);
  return DiagnosedSilenceableFailure::success();
}

void SelectOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

} // namespace egg
