//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_FUZZ_RANDOMSCHEDULE_H
#define EGG_LIB_FUZZ_RANDOMSCHEDULE_H

#include "../Choices.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace egg::fuzz {

/// A schedule for the payload that the rules of the vocabulary allow: a random
/// cut into kernels (and reductions into parts), a random structure of those a
/// kernel has, and random numbers in their ranges. The Error names the op that
/// no kernel can hold, and why.
llvm::Expected<std::string> makeRandomSchedule(mlir::ModuleOp payload,
                                               llvm::StringRef chip,
                                               Choices &choices);

} // namespace egg::fuzz

#endif // EGG_LIB_FUZZ_RANDOMSCHEDULE_H
