//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Silenceable.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "egg/Kernel/KernelNames.h"
#include "egg/TransformOps/KernelOutlining.h"
#include "egg/TransformOps/TransformOps.h"

using namespace mlir;

namespace egg {

DiagnosedSilenceableFailure
FormKernelOp::apply(transform::TransformRewriter &rewriter,
                    transform::TransformResults &results,
                    transform::TransformState &state) {
  auto ops = llvm::to_vector(state.getPayloadOps(getOps()));
  SmallVector<Operation *> recompute;
  if (getRecompute())
    recompute = llvm::to_vector(state.getPayloadOps(getRecompute()));
  if (ops.empty())
    return emitSilenceableError()
           << "kernel \"" << getName()
           << "\" would be empty; give the operations it computes";
  auto function = dyn_cast<func::FuncOp>(ops.front()->getParentOp());
  if (!function || function->hasAttr(kKernelAttrName))
    return emitSilenceableError()
           << "kernel \"" << getName()
           << "\" is formed from the operations of @main, which are not yet "
              "part of another kernel";
  if (std::string why = explainKernelName(getName()); !why.empty())
    return emitSilenceableError() << "\"" << getName() << "\" " << why;
  auto module = function->getParentOfType<ModuleOp>();
  if (module.lookupSymbol(getName()))
    return emitSilenceableError()
           << "\"" << getName()
           << "\" is taken by another kernel; give each a name of its own";

  func::FuncOp kernel;
  DiagnosedSilenceableFailure status =
      asSilenceable(getContext(), [&]() -> LogicalResult {
        auto emitError = [&] {
          return this->emitError() << "kernel \"" << getName() << "\": ";
        };
        FailureOr<KernelOutline> outline =
            planKernel(function, ops, recompute, emitError);
        if (failed(outline))
          return failure();
        kernel = buildKernel(rewriter, function, *outline, getName());
        if (failed(analyzeKernel(kernel, emitError))) {
          rewriter.eraseOp(kernel);
          return failure();
        }
        replaceByCall(rewriter, *outline, kernel);
        return success();
      });
  if (!status.succeeded())
    return status;
  results.set(cast<OpResult>(getKernel()), {kernel.getOperation()});
  return DiagnosedSilenceableFailure::success();
}

void FormKernelOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getOpsMutable(), effects);
  transform::onlyReadsHandle(getRecomputeMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

} // namespace egg
