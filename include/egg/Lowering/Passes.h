//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The passes of the lowering; documented in Passes.td.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LOWERING_PASSES_H
#define EGG_LOWERING_PASSES_H

#include "mlir/Pass/Pass.h"

namespace egg {

#define GEN_PASS_DECL
#include "egg/Lowering/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "egg/Lowering/Passes.h.inc"

} // namespace egg

#endif // EGG_LOWERING_PASSES_H
