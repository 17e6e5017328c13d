//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/ElementBytes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace egg;

int64_t egg::getElementBytes(Type element) {
  if (element.isIntOrFloat())
    return int64_t(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
  if (isa<IndexType>(element))
    return 8;
  if (auto vector = dyn_cast<VectorType>(element))
    return vector.isScalable() ? 0
                               : vector.getNumElements() *
                                     getElementBytes(vector.getElementType());
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getElementBytes(complex.getElementType());
  return 0;
}

std::optional<int64_t> egg::getBufferBytes(MemRefType type) {
  int64_t bytes = getElementBytes(type.getElementType());
  if (bytes == 0 || !type.hasStaticShape())
    return std::nullopt;
  return type.getNumElements() * bytes;
}
