//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes on the egg dialect alone (documented in Passes.td).
//
//===----------------------------------------------------------------------===//
#ifndef EGG_DIALECT_PASSES_H
#define EGG_DIALECT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace egg {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "egg/Dialect/Passes.h.inc"

} // namespace egg

#endif // EGG_DIALECT_PASSES_H
