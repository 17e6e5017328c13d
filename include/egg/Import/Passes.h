//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The pass that turns torch-mlir's output into a payload (see Passes.td).
//
//===----------------------------------------------------------------------===//
#ifndef EGG_IMPORT_PASSES_H
#define EGG_IMPORT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace egg {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "egg/Import/Passes.h.inc"

/// Checks the payload contract of docs/Architecture.md and emits one error at
/// the first violation.
mlir::LogicalResult checkPayload(mlir::ModuleOp module);

} // namespace egg

#endif // EGG_IMPORT_PASSES_H
