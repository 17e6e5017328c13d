//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/TransformOps/ReductionSplitting.h"
#include "egg/TransformOps/TransformOps.h"

using namespace mlir;

namespace egg {

DiagnosedSilenceableFailure
SplitReductionOp::apply(transform::TransformRewriter &rewriter,
                        transform::TransformResults &results,
                        transform::TransformState &state) {
  auto payload = llvm::to_vector(state.getPayloadOps(getTarget()));
  auto op = payload.size() == 1 ? dyn_cast<linalg::LinalgOp>(payload[0])
                                : linalg::LinalgOp();
  if (!op)
    return emitSilenceableError()
           << "split_reduction expects a handle to one linalg op; select it by "
              "its name";
  ArrayRef<Attribute> params = state.getParams(getParts());
  auto parts =
      params.size() == 1 ? dyn_cast<IntegerAttr>(params[0]) : IntegerAttr();
  if (!parts || parts.getInt() < 2)
    return emitSilenceableError() << "split_reduction needs at least 2 parts";
  std::string why;
  auto split = splitReduction(rewriter, op, parts.getInt(), why);
  if (failed(split)) {
    DiagnosedSilenceableFailure diag =
        emitSilenceableError() << "cannot split this reduction: " << why;
    diag.attachNote(op.getLoc()) << "the reduction";
    return diag;
  }
  results.set(cast<OpResult>(getPartial()), {split->partial.getOperation()});
  results.set(cast<OpResult>(getCombined()), {split->combined.getOperation()});
  return DiagnosedSilenceableFailure::success();
}

void SplitReductionOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::onlyReadsHandle(getPartsMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

} // namespace egg
