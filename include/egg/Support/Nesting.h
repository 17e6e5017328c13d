//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How deeply a text nests: MLIR's parser recurses on brackets and signs, so a
// hostile text could exhaust the stack.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SUPPORT_NESTING_H
#define EGG_SUPPORT_NESTING_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace egg {

/// The offset where MLIR text has more than `limit` brackets open, or as many
/// signs in a row, if it has. Strings and comments do not count.
std::optional<size_t> findDeepNesting(llvm::StringRef text, int64_t limit);

} // namespace egg

#endif // EGG_SUPPORT_NESTING_H
