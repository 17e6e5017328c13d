//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Monte Carlo arithmetic: a program in double whose results of arithmetic are
// each made larger or smaller by a relative amount at random, as rounding to a
// coarser type would. D. S. Parker, "Monte Carlo Arithmetic: exploiting
// randomness in floating-point arithmetic", UCLA CSD-970002, 1997.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_REFERENCE_PERTURBROUNDING_H
#define EGG_LIB_VERIFY_REFERENCE_PERTURBROUNDING_H

#include "egg/Host/HostProgram.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Whether the result of the operation is a float that was rounded to its type.
bool isRounding(mlir::Operation *op);

/// Whether integers made from floats may become addresses, which loops do not
/// check.
bool mayIndexByFloats(mlir::ModuleOp payload);

/// Gives each rounding operation on f64 scalars a call of the runtime, which
/// perturbs its result. The module's functions are loops over scalars.
void perturbRoundings(mlir::ModuleOp module);

/// Gives each use of a reduction one of its own: kernels may compute it again,
/// in another order, so its rounding does not cancel where a payload takes it
/// from itself. To be called before anything is lowered.
void recomputeReductions(mlir::ModuleOp payload);

/// Marks the conversions of integers to floats with the precision of the float;
/// to be called before floats are widened. Payloads that compute indices from
/// floats have none to mark.
void markConversions(mlir::ModuleOp payload);

/// Gives marked conversions on f64 scalars a call of the runtime, which
/// perturbs integers that had to be rounded: those beyond the precision.
void perturbConversions(mlir::ModuleOp module);

/// What these calls need.
HostProgram::Symbols getPerturbationSymbols();

/// Within this scope the calls of this thread perturb by `amount`, relative to
/// the value or to `leastNormal` where that is larger; outside they do nothing.
/// With `oneIn` above 1 so many times fewer values are, drawn like the signs.
class PerturbationScope {
public:
  PerturbationScope(double amount, uint64_t seed, double leastNormal = 0,
                    uint64_t oneIn = 1);
  ~PerturbationScope();
  PerturbationScope(const PerturbationScope &) = delete;
  PerturbationScope &operator=(const PerturbationScope &) = delete;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_REFERENCE_PERTURBROUNDING_H
