//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One case from its seed to its outcome: what happens inside the child.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_FUZZ_FUZZCASE_H
#define EGG_LIB_FUZZ_FUZZCASE_H

#include "egg/Fuzz/Fuzz.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace egg::fuzz {

/// The step before anything of EGG runs.
inline constexpr llvm::StringLiteral kParsePayload = "parse-payload";

using OnStep = llvm::function_ref<void(llvm::StringRef)>;

/// Makes the case's programs; the Error says why the payload has no schedule.
llvm::Expected<FuzzPrograms> generate(const mlir::DialectRegistry &registry,
                                      const FuzzOptions &options,
                                      uint64_t number);

/// Runs them through the steps of the mode; tells where it is. To be called in
/// a child.
FuzzOutcome evaluate(const FuzzPrograms &programs,
                     const mlir::DialectRegistry &registry,
                     const FuzzOptions &options, OnStep onStep);

/// The candidate `number` for smaller programs, empty if there are no more:
/// a result of @main less, an op replaced by an argument, smaller extents, a
/// block of the schedule's lines less. Parses the programs; to be called in a
/// child.
std::optional<FuzzPrograms> makeSmaller(const FuzzPrograms &programs,
                                        const mlir::DialectRegistry &registry,
                                        size_t number);

} // namespace egg::fuzz

#endif // EGG_LIB_FUZZ_FUZZCASE_H
