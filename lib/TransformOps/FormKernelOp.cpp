//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Silenceable.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "egg/TransformOps/KernelOutlining.h"
#include "egg/TransformOps/TransformOps.h"

using namespace mlir;

namespace egg {

/// A name that is a plain symbol in MLIR and in PTX.
static bool isPlainIdentifier(StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  return !name.empty() && name.size() <= 64 && llvm::isAlpha(name.front()) &&
         llvm::all_of(name, isWord);
}

/// Names that other parts of a payload or a schedule use.
static bool isReserved(StringRef name) {
  return name == "main" || name == "algorithm" || name == "kernels";
}

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
  if (!isPlainIdentifier(getName()))
    return emitSilenceableError()
           << "\"" << getName()
           << "\" is no kernel name; use at most 64 letters, digits and "
              "underscores, starting with a letter";
  auto module = function->getParentOfType<ModuleOp>();
  if (isReserved(getName()) || module.lookupSymbol(getName()))
    return emitSilenceableError()
           << "the name \"" << getName()
           << "\" is taken; give each kernel a name of its own";

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
