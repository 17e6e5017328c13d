//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-prove-kernels.
//
//===----------------------------------------------------------------------===//
#include "egg/Legality/Legality.h"
#include "egg/Proof/Passes.h"
#include "egg/Proof/ProveKernels.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

namespace egg {
#define GEN_PASS_DEF_PROVEKERNELS
#include "egg/Proof/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

class ProveKernelsPass : public egg::impl::ProveKernelsBase<ProveKernelsPass> {
public:
  using ProveKernelsBase::ProveKernelsBase;
  void runOnOperation() override;
};

} // namespace

void ProveKernelsPass::runOnOperation() {
  ModuleOp module = getOperation();
  auto target = lookupTarget(chip);
  if (!target) {
    emitError(module.getLoc()) << llvm::toString(target.takeError());
    return signalPassFailure();
  }
  auto original = parseSourceFile<ModuleOp>(payload, &getContext());
  if (!original) {
    emitError(module.getLoc())
        << "the payload cannot be read: '" << payload << "'";
    return signalPassFailure();
  }
  ProofResult proof = proveKernels(*original, module,
                                   checkLegality(module, *target), mostSteps);
  markAllAnalysesPreserved();
  if (proof.isProved()) {
    emitRemark(module.getLoc()) << "proved: " << proof.summary();
    return;
  }
  emitError(proof.gap->location) << "not proved: " << describe(*proof.gap);
  signalPassFailure();
}
