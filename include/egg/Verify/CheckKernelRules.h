//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rules that kernels of a materialized module keep.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_VERIFY_CHECKKERNELRULES_H
#define EGG_VERIFY_CHECKKERNELRULES_H

#include "egg/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Checks each kernel of the module: no calls and no heap allocation; block and
/// shared memory within the target. Emits a diagnostic a violation.
mlir::LogicalResult checkKernelRules(mlir::ModuleOp module,
                                     const TargetInfo &target);

} // namespace egg

#endif // EGG_VERIFY_CHECKKERNELRULES_H
