//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the GPU computes where LLVM leaves the result open and a CPU has another
// one: shifts by the width or more, floats beyond an integer type, zeros and
// NaN in minnum and maxnum, leading zeros of zero.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_HOST_MACHINEARITHMETIC_H
#define EGG_HOST_MACHINEARITHMETIC_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/APInt.h"

namespace egg {

/// Marks the conversions of floats to integers whose operand is no double, as
/// NaN becomes another integer there: to be called before floats are widened.
void markNarrowConversions(mlir::ModuleOp payload);

/// Rewrites a program in the LLVM dialect so that it computes on the CPU what
/// PTX says. Payloads and kernels follow the same rules.
void followMachine(mlir::ModuleOp program);

/// What an integer is divided by where PTX leaves the quotient open: by zero,
/// or the least integer by minus one. It is no guard that a program has against
/// zero (that one is a 1 most often), so a guard that is left out shows.
inline llvm::APInt getDivisorInstead(unsigned bits) {
  return llvm::APInt(bits, bits < 4 ? 1 : 11);
}

} // namespace egg

#endif // EGG_HOST_MACHINEARITHMETIC_H
