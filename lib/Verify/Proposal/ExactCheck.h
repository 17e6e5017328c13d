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
#include "egg/Emulator/Emulation.h"
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

/// Payload and kernels, compiled for exact arithmetic.
struct ExactPrograms {
  std::unique_ptr<PayloadProgram> reference;
  std::unique_ptr<SimtProgram> kernels;
};

/// Compiles both; null where one has no such form, and then the summary says
/// why it is inconclusive. The step emulate has checked the kernels' accesses.
std::optional<ExactPrograms> compileForExact(mlir::ModuleOp payload,
                                             mlir::ModuleOp kernels,
                                             DiagnosticCollector &diagnostics,
                                             ExactSummary &summary);

/// Takes back a difference that may be one of representation: the bits of a
/// float are those of a residue here. The summary is inconclusive then.
void withdrawWhereBitsAreSeen(const ExactPrograms &programs,
                              ExactSummary &summary);

/// The difference as a Rejection of step "exact".
Rejection toRejection(const ExactDifference &difference,
                      llvm::ArrayRef<TensorSpec> results);

} // namespace egg

#endif // EGG_LIB_VERIFY_PROPOSAL_EXACTCHECK_H
