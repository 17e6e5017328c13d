//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Making a script with only an algorithm whole: the expert's decisions for the
// kernels that nobody decided about yet.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_COMPLETEWITHEXPERT_H
#define EGG_AGENT_COMPLETEWITHEXPERT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace egg {

/// Runs the script's @substitution and @algorithm on a clone of the payload,
/// and makes the kernels' modules fit the kernels that are formed: a module
/// stays if its kernel still exists and can have the structure that the module
/// maps it to; other modules go, and kernels without one get the expert's. The
/// rest of the text is unchanged.
///
/// This runs an untrusted script, so call it in a child process. Ops that are
/// no words of schedules are refused here already. The error is a
/// RejectionError of step "accept" or "algorithm".
llvm::Expected<std::string> completeWithExpert(mlir::ModuleOp payload,
                                               llvm::StringRef script);

} // namespace egg

#endif // EGG_AGENT_COMPLETEWITHEXPERT_H
