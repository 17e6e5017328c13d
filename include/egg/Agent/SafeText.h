//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Text from users and models made fit to be shown to a model: as data, which
// cannot leave its fence, of a bounded size, without characters that are not
// seen.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_SAFETEXT_H
#define EGG_AGENT_SAFETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace egg {

/// UTF-8 without control characters (but newline and tab), without invisible
/// and direction-changing ones; broken bytes become U+FFFD. At most `maxBytes`,
/// else it ends in a note of how much was cut.
std::string safeText(llvm::StringRef text, size_t maxBytes);

/// The same as one line without backticks, for a list or a table.
std::string safeLine(llvm::StringRef text, size_t maxBytes);

/// A Markdown fence that is longer than any in the text. `text` is shown as it
/// is: make it safe first.
std::string fence(llvm::StringRef text, llvm::StringRef language = "");

/// At most `maxBytes` in whole lines, else with a note of the lines cut.
std::string capLines(llvm::StringRef text, size_t maxBytes);

/// The same, but what is cut is the middle: a third of what is kept is the end.
std::string capMiddle(llvm::StringRef text, size_t maxBytes);

/// Tokens that a text should have: 3 bytes each, more than most tokenizers
/// make of code.
inline int64_t estimateTokens(llvm::StringRef text) {
  return static_cast<int64_t>((text.size() + 2) / 3);
}

/// MLIR text of which every string that is not a plain word became one:
/// letters, digits, '_', '.', '-', at most 64 of them. Quoted symbols, the keys
/// of resources, and overlong identifiers too.
std::string plainWords(llvm::StringRef text);

} // namespace egg

#endif // EGG_AGENT_SAFETEXT_H
