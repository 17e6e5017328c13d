//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Upstream's passes behind checks; documented in Passes.td.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_GUARD_PASSES_H
#define EGG_GUARD_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace egg {

#define GEN_PASS_DECL
#include "egg/Guard/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "egg/Guard/Passes.h.inc"

} // namespace egg

#endif // EGG_GUARD_PASSES_H
