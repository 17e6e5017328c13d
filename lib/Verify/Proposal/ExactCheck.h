//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The exact step: one payload at small extents and its kernels, run on the same
// residues and compared bit for bit.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_PROPOSAL_EXACTCHECK_H
#define EGG_LIB_VERIFY_PROPOSAL_EXACTCHECK_H

#include "../Exact/CompareExactly.h"
#include "DiagnosticCollector.h"
#include "egg/Lowering/LoweredProgram.h"
#include "egg/Verify/VerifyProposal.h"

namespace egg {

/// Runs `payload` and `program`, its scheduled form, in exact arithmetic. A
/// difference or a fault comes back as a Rejection; what has no form in exact
/// arithmetic makes the summary inconclusive.
std::optional<Rejection>
checkExactly(mlir::ModuleOp payload, const LoweredProgram &program,
             llvm::StringRef shapes, const VerifyOptions &options,
             DiagnosticCollector &diagnostics, ExactSummary &summary);

/// The difference as a Rejection of step "exact".
Rejection toRejection(const ExactDifference &difference,
                      llvm::ArrayRef<TensorSpec> results);

} // namespace egg

#endif // EGG_LIB_VERIFY_PROPOSAL_EXACTCHECK_H
