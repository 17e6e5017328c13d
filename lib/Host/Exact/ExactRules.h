//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which operation and which library function is which function of exact
// arithmetic.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_HOST_EXACT_EXACTRULES_H
#define EGG_LIB_HOST_EXACT_EXACTRULES_H

#include "egg/Host/ExactFunctions.h"

namespace egg {

struct ExactRule {
  ExactFunction function;
  unsigned arity;
  /// As messages call it, such as "tanh".
  llvm::StringRef name;
};

/// The rule for an operation by name, such as "llvm.fadd" or "llvm.intr.exp".
std::optional<ExactRule> findRuleForOp(llvm::StringRef op);

/// How a reduction of a vector combines elements, such as
/// "llvm.intr.vector.reduce.fadd".
std::optional<ExactRule> findRuleForReduction(llvm::StringRef op);

/// The rule for a function of libm or libdevice, such as "tanhf" or
/// "__nv_tanhf".
std::optional<ExactRule> findRuleForFunction(llvm::StringRef callee);

} // namespace egg

#endif // EGG_LIB_HOST_EXACT_EXACTRULES_H
