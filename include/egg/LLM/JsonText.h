//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// JSON from outside: parsed only when it is small, shallow and UTF-8, since a
// recursive parser can be made to exhaust the stack, and memory.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_JSONTEXT_H
#define EGG_LLM_JSONTEXT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <vector>

namespace egg {

struct JsonLimits {
  size_t maxBytes = size_t(8) << 20;
  /// Open brackets.
  size_t maxDepth = 64;
  /// Values, counted by brackets, commas and colons.
  size_t maxValues = 500000;
};

/// Parses one JSON document. The error says what and where: "line 3 column 7",
/// "more than 64 brackets are open".
llvm::Expected<llvm::json::Value> parseUntrustedJson(llvm::StringRef text,
                                                     JsonLimits limits = {});

/// The inside of a text that is nothing but one Markdown fence (``` or
/// ```json), white space aside; any other text as it is, trimmed.
llvm::StringRef stripMarkdownFence(llvm::StringRef text);

/// The values at a JSON pointer (RFC 6901), of which a part "*" stands for each
/// element of an array. In document order; empty where there are none.
std::vector<const llvm::json::Value *>
valuesAt(const llvm::json::Value &document, llvm::StringRef pointer);

/// The first value at the pointer, or null.
const llvm::json::Value *valueAt(const llvm::json::Value &document,
                                 llvm::StringRef pointer);

} // namespace egg

#endif // EGG_LLM_JSONTEXT_H
