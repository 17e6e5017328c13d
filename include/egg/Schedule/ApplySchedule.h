//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Applying an accepted schedule to a payload.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SCHEDULE_APPLYSCHEDULE_H
#define EGG_SCHEDULE_APPLYSCHEDULE_H

#include "mlir/IR/BuiltinOps.h"

namespace egg {

struct ApplyOptions {
  /// Refuse the schedule when its egg.payload is not the payload's hash. Off
  /// for the checker, which applies scripts to shrunken payloads.
  bool checkPayload = true;
  /// Run @substitution. Off for payloads that it was applied to before they
  /// were shrunken.
  bool substitute = true;
  /// Build the kernels as GPU code. Off leaves functions on tensors with their
  /// decisions in egg.config.
  bool materialize = true;
};

/// Checks that the schedule's egg.payload is the payload's hash; else emits
/// that the script is for another payload.
mlir::LogicalResult checkPayload(mlir::ModuleOp payload,
                                 mlir::ModuleOp schedule);

/// Applies the schedule to the payload in place: runs @algorithm on @main,
/// checks that no compute is left in @main, runs the three sequences of each
/// kernel, and materializes the kernels. On failure a diagnostic names the
/// step, the place in the schedule and what would help; the payload is then in
/// an undefined state, so callers that go on pass a clone.
mlir::LogicalResult applySchedule(mlir::ModuleOp payload,
                                  mlir::ModuleOp schedule,
                                  const ApplyOptions &options = {});

/// Whether the schedule replaces part of the payload.
bool hasSubstitution(mlir::ModuleOp schedule);

/// The most parts that the schedule splits a reduction into; 1 for none.
int64_t getMostSplitParts(mlir::ModuleOp schedule);

/// Runs the schedule's @substitution, if it has one, on the payload. Errors are
/// diagnostics.
mlir::LogicalResult applySubstitution(mlir::ModuleOp payload,
                                      mlir::ModuleOp schedule);

} // namespace egg

#endif // EGG_SCHEDULE_APPLYSCHEDULE_H
