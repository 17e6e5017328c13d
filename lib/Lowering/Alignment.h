//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Proving how a vector access is aligned, from the arithmetic of its index.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_LOWERING_ALIGNMENT_H
#define EGG_LIB_LOWERING_ALIGNMENT_H

#include "mlir/IR/Value.h"

namespace egg {

/// The largest power of two (at most 4096) known to divide an integer or index
/// value. Only powers of two, because they survive the wrap-around of 32-bit
/// index arithmetic.
int64_t knownPowerOfTwoDivisor(mlir::Value value);

/// Sets the `alignment` attribute of every vector.load and vector.store below
/// the operation to what is proved, given that kernel arguments, shared buffers
/// and constants are aligned to kBufferAlignment.
void annotateVectorAlignment(mlir::Operation *operation);

} // namespace egg

#endif // EGG_LIB_LOWERING_ALIGNMENT_H
