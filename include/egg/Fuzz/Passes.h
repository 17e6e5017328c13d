//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_FUZZ_PASSES_H
#define EGG_FUZZ_PASSES_H

#include "mlir/Pass/Pass.h"

namespace egg {

#define GEN_PASS_DECL
#include "egg/Fuzz/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "egg/Fuzz/Passes.h.inc"

} // namespace egg

#endif // EGG_FUZZ_PASSES_H
