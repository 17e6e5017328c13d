//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Work that only looks at a module, done on a copy of it in a child process
// with limits: what runs code that somebody wrote.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_GUARD_RUNONCOPY_H
#define EGG_GUARD_RUNONCOPY_H

#include "egg/Support/Subprocess.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Limits of the child, and words for the error where it ends otherwise.
struct CopyRun {
  double seconds;
  int64_t memoryMiB;
  /// What to look for where it takes too long, and where it crashes.
  llvm::StringRef ifSlow, ifCrashed;
};

/// Runs `work` on a copy of the module in a child and returns what it writes to
/// the stream. What it reports is reported here, and its failure is one of
/// this. A child that crashes or exceeds its limits is an error at the module.
mlir::FailureOr<std::string>
runOnCopy(mlir::ModuleOp module, const CopyRun &run,
          llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp, StepListener,
                                                 llvm::raw_ostream &)>
              work);

/// What a child reads instead of the IR of its parent's context; empty where
/// the operation cannot be written.
std::string toBytecode(mlir::Operation *op);

/// Refuses limits that are none, with a diagnostic.
mlir::LogicalResult checkLimits(double seconds, int64_t memoryMiB,
                                mlir::Location location);

} // namespace egg

#endif // EGG_GUARD_RUNONCOPY_H
