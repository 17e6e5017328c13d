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

#include "../Untried/UntriedIntegers.h"
#include "egg/Verify/ShrinkPayload.h"
#include <compare>
#include <set>

namespace egg {

/// Two numbers that differ at full size: extents, or positions along one.
struct DistinctPair {
  /// The extent that they are positions along, 0 for extents.
  int64_t along = 0;
  int64_t smaller, larger;

  auto operator<=>(const DistinctPair &) const = default;
};
using DistinctPairs = std::set<DistinctPair>;

/// A payload at small extents.
struct SmallPayload {
  /// As it was imported: the reference.
  mlir::OwningOpRef<mlir::ModuleOp> original;
  /// With the schedule's substitution: what its @algorithm works on.
  mlir::OwningOpRef<mlir::ModuleOp> substituted;
  /// What differs at full size, and of that what is equal here, or in another
  /// order: half of a sum would pass for the whole, the last element for the
  /// ninth.
  DistinctPairs pairs, merged;
  /// What indices meet at full size and not here.
  std::vector<UnreachedIndex> unreached;
  /// What integers of the substitution do at full size and not here.
  UntriedIntegers untried;
  /// Constants that are, or may be, numbers of elements, of both programs.
  std::vector<CountConstant> counts;
  /// What the replaced operations do (Special/ReplacedOps.h).
  bool handsOnNaN = true, makesNumbersOfInfinities = false;
};

/// Shrinks the payload together with what the schedule's @substitution, if it
/// has one, makes of it. Constants that are numbers of elements follow the
/// extents by the target's rule only with a substitution. Errors are
/// diagnostics.
mlir::FailureOr<SmallPayload>
shrinkWithSubstitution(mlir::ModuleOp payload, mlir::ModuleOp schedule,
                       const ShrinkTarget &target);

/// The same such that the kernels are no more work than the target's maxWork
/// either: they may have more threads than the payload has elements, or compute
/// again and again what it computes once. `estimateKernels` says what those of
/// a substituted payload are, in the same units. It ends at
/// 1/32 of maxWork, and where no smaller payload is found.
mlir::FailureOr<SmallPayload>
shrinkForKernels(mlir::ModuleOp payload, mlir::ModuleOp schedule,
                 const ShrinkTarget &target,
                 llvm::function_ref<int64_t(mlir::ModuleOp)> estimateKernels);

} // namespace egg

#endif // EGG_LIB_VERIFY_PROPOSAL_SUBSTITUTEDPAYLOAD_H
