//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Perturbed runs that decide as the unperturbed one did.
//
// A comparison, or a rounding to an integer, of values that are exact
// (ExactValues.h) has one right outcome, which no rounding changes. In a run
// that is perturbed to see what rounding does, such operands are those of the
// run before: a payload has no control flow, so both runs meet them in the same
// order.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_REFERENCE_KEEPDECISIONS_H
#define EGG_LIB_VERIFY_REFERENCE_KEEPDECISIONS_H

#include "egg/Host/HostProgram.h"
#include "egg/Verify/PayloadProgram.h"

namespace egg {

/// Marks the operations of a payload that decide on exact floats.
void markDecisions(mlir::ModuleOp payload, ExactOn inputs);

/// Gives the floats that marked operations decide on a call of the runtime; the
/// module's functions are loops over f64 scalars. False: there are none.
bool keepDecisions(mlir::ModuleOp module);

/// What these calls need.
HostProgram::Symbols getDecisionSymbols();

/// The operands that runs of this thread meet, from its construction to
/// `replay`, are kept; each run after `replay` gets them again. Outside a scope
/// the calls do nothing.
class DecisionScope {
public:
  DecisionScope();
  ~DecisionScope();
  DecisionScope(const DecisionScope &) = delete;
  DecisionScope &operator=(const DecisionScope &) = delete;

  /// To be called before each run that is to decide as the first.
  void replay();
};

} // namespace egg

#endif // EGG_LIB_VERIFY_REFERENCE_KEEPDECISIONS_H
