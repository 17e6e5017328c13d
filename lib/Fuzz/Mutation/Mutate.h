//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Breaking valid programs: schedules and payloads, as operations and as text.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_FUZZ_MUTATION_MUTATE_H
#define EGG_LIB_FUZZ_MUTATION_MUTATE_H

#include "../Choices.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace egg::fuzz {

/// Changes operations of the module in one random way: drops, doubles or moves
/// one (also between regions), gives an attribute another value, crosses
/// operands, changes a type, renames a symbol, doubles a nested module, or adds
/// an op of another dialect's or of upstream's transform vocabulary. What comes
/// out need not verify; its generic form is its text.
void mutateOperations(mlir::ModuleOp module, Choices &choices);

/// The module in generic form; a module that is not valid prints too.
std::string printGeneric(mlir::ModuleOp module);

/// Changes the text in one random way: bytes, lines, words and numbers, nested
/// brackets, long literals, invalid UTF-8.
void mutateText(std::string &text, Choices &choices);

} // namespace egg::fuzz

#endif // EGG_LIB_FUZZ_MUTATION_MUTATE_H
