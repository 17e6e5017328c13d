//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How deeply a text nests, and how far its aliases do: MLIR's parser recurses
// on brackets and signs, so a hostile text could exhaust the stack, and what it
// prints writes aliases out, of which each may name the one before it twice.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SUPPORT_NESTING_H
#define EGG_SUPPORT_NESTING_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace egg {

/// What a schedule and a record need less than a tenth of.
inline constexpr int64_t kMaxNesting = 64;
/// The bytes of an alias of a schedule, with the aliases in it written out.
inline constexpr size_t kMaxAlias = 16384;

/// The offset where MLIR text has more than `limit` brackets open, or as many
/// signs in a row, if it has. Strings and comments do not count.
std::optional<size_t> findDeepNesting(llvm::StringRef text, int64_t limit);

/// The offset of the definition of an alias (#name or !name) in MLIR text that
/// would be longer than `limit` bytes with the aliases in it written out, if
/// there is one.
std::optional<size_t> findLongAlias(llvm::StringRef text, size_t limit);

} // namespace egg

#endif // EGG_SUPPORT_NESTING_H
