//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Work of upstream that may crash, done so that the caller lives on.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_GUARD_RECOVER_H
#define EGG_GUARD_RECOVER_H

#include "mlir/IR/Operation.h"

namespace egg {

/// Runs `work` on `root`. A crash or a fatal error of LLVM ends the work, puts
/// `root`'s regions back as they were, and is reported at the place last given
/// to setRecoveryPlace (or at `root`) with `what` was being done. Best effort:
/// what the work had in hand is leaked, and damaged memory stays damaged.
mlir::LogicalResult
runRecovering(mlir::Operation *root, llvm::StringRef what,
              llvm::function_ref<mlir::LogicalResult()> work);

/// Where a crash of this thread's work, or in a child process (Isolation.h) the
/// end of its limits, would be reported from now on.
void setRecoveryPlace(mlir::Location place, llvm::StringRef what);

} // namespace egg

#endif // EGG_GUARD_RECOVER_H
