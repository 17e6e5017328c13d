//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The grade and its evidence, from what the steps found.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_PROPOSAL_CONCLUDE_H
#define EGG_LIB_VERIFY_PROPOSAL_CONCLUDE_H

#include "../Numeric/NumericCheck.h"
#include "ExactCheck.h"

namespace egg {

/// Adds to a verdict that holds the evidence of the earlier steps. `complete`
/// says that no variant of the extents was left out.
void conclude(const VerifyOptions &options, const NumericSummary &numeric,
              const ExactSummary &exact, bool complete, Verdict &verdict);

} // namespace egg

#endif // EGG_LIB_VERIFY_PROPOSAL_CONCLUDE_H
