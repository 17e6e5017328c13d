//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Why a substitution is not believed although nothing has shown it to be wrong.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_PROPOSAL_REFUSESUBSTITUTION_H
#define EGG_LIB_VERIFY_PROPOSAL_REFUSESUBSTITUTION_H

#include "SubstitutedPayload.h"
#include "egg/Core/Rejection.h"
#include "egg/Core/Verdict.h"

namespace egg {

/// Its grade is below `exact`. `isTooLarge` says that some small extents were
/// still too large to run.
Rejection refuseUnproved(const Verdict &verdict, bool isTooLarge);

/// These extents and positions differ at full size and are the same wherever it
/// was compared.
Rejection refuseMerged(const DistinctPairs &merged);

/// A substitution that rounds to a float type of fewer bits than all that the
/// payload has. Exact arithmetic does not tell f16 from bf16, and errors of a
/// few units are within the precision policy whatever the program was.
std::optional<Rejection> refuseNarrowerFloats(mlir::ModuleOp payload,
                                              mlir::ModuleOp schedule);

/// Adds to a refusal at small extents what became of constants that are numbers
/// of elements: where one stayed as it is, the programs may differ there alone.
void explainCounts(llvm::ArrayRef<CountConstant> counts, Rejection &rejection);

} // namespace egg

#endif // EGG_LIB_VERIFY_PROPOSAL_REFUSESUBSTITUTION_H
