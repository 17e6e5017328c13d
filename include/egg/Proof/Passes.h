//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_PROOF_PASSES_H
#define EGG_PROOF_PASSES_H

#include "mlir/Pass/Pass.h"

namespace egg {

#define GEN_PASS_DECL
#include "egg/Proof/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "egg/Proof/Passes.h.inc"

} // namespace egg

#endif // EGG_PROOF_PASSES_H
