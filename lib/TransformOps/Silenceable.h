//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs a function that reports by diagnostics inside a transform op, whose
// failures are values.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_TRANSFORMOPS_SILENCEABLE_H
#define EGG_LIB_TRANSFORMOPS_SILENCEABLE_H

#include "mlir/Dialect/Transform/Utils/DiagnosedSilenceableFailure.h"
#include "mlir/IR/Diagnostics.h"

namespace egg {

/// Calls fn, a LogicalResult function, and turns what it emits on failure into
/// a silenceable failure.
inline mlir::DiagnosedSilenceableFailure
asSilenceable(mlir::MLIRContext *context,
              llvm::function_ref<mlir::LogicalResult()> fn) {
  llvm::SmallVector<mlir::Diagnostic> diagnostics;
  mlir::LogicalResult result = mlir::success();
  {
    mlir::ScopedDiagnosticHandler handler(
        context, [&](mlir::Diagnostic &diagnostic) {
          diagnostics.push_back(std::move(diagnostic));
          return mlir::success();
        });
    result = fn();
  }
  if (mlir::succeeded(result))
    return mlir::DiagnosedSilenceableFailure::success();
  assert(!diagnostics.empty() && "failure without a diagnostic");
  return mlir::DiagnosedSilenceableFailure::silenceableFailure(
      std::move(diagnostics));
}

} // namespace egg

#endif // EGG_LIB_TRANSFORMOPS_SILENCEABLE_H
