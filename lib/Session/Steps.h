//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Diagnostics of a step as a Rejection.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SESSION_STEPS_H
#define EGG_LIB_SESSION_STEPS_H

#include "egg/Core/Rejection.h"
#include "mlir/IR/Diagnostics.h"

namespace egg {

/// Runs a step that reports by diagnostics. On failure the first error becomes
/// the reason and place, and the others notes; a leading "[step]" of the
/// message names a finer step than `step`. Warnings and remarks are dropped.
llvm::Error runStep(mlir::MLIRContext *context, llvm::StringRef step,
                    llvm::function_ref<llvm::LogicalResult()> fn);

/// Turns any error into a RejectionError of the step.
llvm::Error inStep(llvm::Error error, llvm::StringRef step);

} // namespace egg

#endif // EGG_LIB_SESSION_STEPS_H
