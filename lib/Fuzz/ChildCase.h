//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A case in a child process: it hands over the programs before it runs them,
// so that they are known whatever happens next.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_FUZZ_CHILDCASE_H
#define EGG_LIB_FUZZ_CHILDCASE_H

#include "FuzzCase.h"

namespace egg::fuzz {

struct ChildCase {
  FuzzOutcome outcome;
  /// None where the child ended before it had them.
  std::optional<FuzzPrograms> programs;
};

/// Makes programs and evaluates them, both in one child. Where `make` gives an
/// Error the outcome is a refusal in the step "generate".
llvm::Expected<ChildCase>
runCase(llvm::function_ref<llvm::Expected<FuzzPrograms>()> make,
        const mlir::DialectRegistry &registry, const FuzzOptions &options);

} // namespace egg::fuzz

#endif // EGG_LIB_FUZZ_CHILDCASE_H
