//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Integer division that is defined for every divisor.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_HOST_INTEGERDIVISION_H
#define EGG_LIB_HOST_INTEGERDIVISION_H

#include "mlir/IR/Operation.h"

namespace egg {

/// Makes the divisions and remainders of arith under root divide by another
/// number (getDivisorInstead) where they would divide by zero, or the least
/// integer by minus one. PyTorch and the GPU define neither and go on, while a
/// CPU traps. Payloads and kernels get the same rule, so that they agree where
/// neither means anything.
void defineIntegerDivision(mlir::Operation *root);

} // namespace egg

#endif // EGG_LIB_HOST_INTEGERDIVISION_H
