//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Payloads of which a schedule replaces a part by an equal computation. The
// function that replaces it has extents of its own, so the payload cannot be
// made small first and changed afterwards: both programs are put into one
// module, which is made small as a whole, and taken apart again.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_PROPOSAL_SUBSTITUTEDPAYLOAD_H
#define EGG_LIB_VERIFY_PROPOSAL_SUBSTITUTEDPAYLOAD_H

#include "egg/Verify/ShrinkPayload.h"
#include <set>

namespace egg {

/// Of extents at full size, the smaller first.
using ExtentPairs = std::set<std::pair<int64_t, int64_t>>;

/// A payload at small extents.
struct SmallPayload {
  /// As it was imported: the reference.
  mlir::OwningOpRef<mlir::ModuleOp> original;
  /// With the schedule's substitution: what its @algorithm works on.
  mlir::OwningOpRef<mlir::ModuleOp> substituted;
  /// Pairs of extents that differ at full size, and of those the ones that are
  /// equal here: half of a sum would pass for the whole.
  ExtentPairs pairs, merged;
};

/// Shrinks the payload together with what the schedule's @substitution, if it
/// has one, makes of it. Errors are diagnostics.
mlir::FailureOr<SmallPayload>
shrinkWithSubstitution(mlir::ModuleOp payload, mlir::ModuleOp schedule,
                       const ShrinkTarget &target);

} // namespace egg

#endif // EGG_LIB_VERIFY_PROPOSAL_SUBSTITUTEDPAYLOAD_H
