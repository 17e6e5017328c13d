//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_EXACT_COMPUTEDINADVANCE_H
#define EGG_LIB_VERIFY_EXACT_COMPUTEDINADVANCE_H

#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// An operation on floats of the payload that depends on constants and indices
/// alone, or null. A compiler that knows the index (a small extent, a vector's
/// lane) computes it in advance and rounds, where exact arithmetic has no
/// rounding: a difference behind it decides nothing.
mlir::Operation *findComputedInAdvance(mlir::ModuleOp payload);

} // namespace egg

#endif // EGG_LIB_VERIFY_EXACT_COMPUTEDINADVANCE_H
