//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The size of what buffers hold on the GPU.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_ELEMENTBYTES_H
#define EGG_KERNEL_ELEMENTBYTES_H

#include "mlir/IR/BuiltinTypes.h"

namespace egg {

/// Bytes between two elements of a buffer: integers, floats, indices (64 bits),
/// complex numbers and vectors of fixed size; 0 for types that have no size
/// here.
int64_t getElementBytes(mlir::Type element);

/// Bytes of a buffer; nothing if its shape is dynamic or its elements have no
/// size here.
std::optional<int64_t> getBufferBytes(mlir::MemRefType type);

} // namespace egg

#endif // EGG_KERNEL_ELEMENTBYTES_H
