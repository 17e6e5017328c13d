//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RandomPayload.h"
#include "PayloadParts.h"

using namespace mlir;
using namespace egg::fuzz;

OwningOpRef<ModuleOp> egg::fuzz::makeRandomPayload(MLIRContext *context,
                                                   Choices &choices) {
  PayloadBuilder builder(context, choices);
  SmallVector<const PayloadPart *> parts;
  for (ArrayRef<PayloadPart> kinds :
       {getPointwiseParts(), getReductionParts(), getProductParts()})
    for (const PayloadPart &part : kinds)
      parts.append(part.weight, &part);
  for (int64_t i = 0, e = choices.draw(1, 6); i < e; ++i)
    choices.pick(parts)->add(builder);
  // A part that does not fit adds nothing; something must be computed.
  getPointwiseParts().front().add(builder);
  return builder.finish();
}
