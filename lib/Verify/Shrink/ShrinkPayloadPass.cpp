//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-shrink-payload.
//
//===----------------------------------------------------------------------===//
#include "egg/Verify/Passes.h"
#include "egg/Verify/ShrinkPayload.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace egg {
#define GEN_PASS_DEF_SHRINKPAYLOAD
#include "egg/Verify/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

class ShrinkPayloadPass
    : public egg::impl::ShrinkPayloadBase<ShrinkPayloadPass> {
public:
  using ShrinkPayloadBase::ShrinkPayloadBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<ShrinkVariant> chosen = symbolizeShrinkVariant(variant);
    if (!chosen) {
      module.emitError() << "unknown variant '" << variant
                         << "': use aligned, odd or least";
      return signalPassFailure();
    }
    if (maxWork < 1) {
      module.emitError() << "max-work is " << int64_t(maxWork)
                         << "; use at least 1";
      return signalPassFailure();
    }
    ShrinkTarget target;
    target.variant = *chosen;
    target.maxWork = maxWork;
    if (!multiples.empty())
      target.multiples.assign(multiples.begin(), multiples.end());
    target.steps.assign(steps.begin(), steps.end());
    target.splitParts = splitParts;
    for (int64_t size : llvm::concat<int64_t>(target.multiples, target.steps))
      if (size < 1) {
        module.emitError() << "a multiple or step is " << size
                           << "; they are positive";
        return signalPassFailure();
      }
    std::vector<UnreachedIndex> unreached;
    auto shrunken = shrinkPayload(module, target, &unreached);
    if (failed(shrunken))
      return signalPassFailure();
    if (*chosen != ShrinkVariant::Least)
      for (const UnreachedIndex &index : unreached)
        emitRemark(index.location)
            << index.what
            << " is met by an index that does not reach it at "
               "the smaller extents; raise max-work";
    module.getBodyRegion().takeBody((*shrunken)->getBodyRegion());
  }
};

} // namespace
