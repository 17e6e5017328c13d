//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Running a script's @substitution and @algorithm by itself, to see the kernels
// that it forms.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_FORMKERNELS_H
#define EGG_LIB_AGENT_FORMKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace egg {

struct FormedKernels {
  /// The payload with its kernels formed, and the script as a module.
  mlir::OwningOpRef<mlir::ModuleOp> payload, schedule;
  /// The payload after the script's @substitution; null if it has none.
  mlir::OwningOpRef<mlir::ModuleOp> substituted;
};

/// The payload itself does not change. Only words of schedules are run. The
/// error is a RejectionError of step "accept" or "algorithm".
llvm::Expected<FormedKernels> formKernels(mlir::ModuleOp payload,
                                          llvm::StringRef script);

/// A RejectionError.
llvm::Error rejectScript(llvm::StringRef step, const llvm::Twine &reason,
                         llvm::StringRef place = "");

} // namespace egg

#endif // EGG_LIB_AGENT_FORMKERNELS_H
