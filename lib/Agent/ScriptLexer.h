//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tokens of MLIR text that matter to who rewrites it without parsing:
// comments, strings, white space, words, and single characters.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_SCRIPTLEXER_H
#define EGG_LIB_AGENT_SCRIPTLEXER_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace egg {

struct ScriptToken {
  enum class Kind { Comment, String, Space, Word, Other, End };
  Kind kind = Kind::End;
  /// Comments without their newline, strings with their quotes, words with
  /// their sigil (%x, @f, #map, !t, ^bb0).
  llvm::StringRef text;

  /// Of a string: what is between the quotes, escapes as they are.
  llvm::StringRef inside() const {
    llvm::StringRef s = text;
    s.consume_front("\"");
    s.consume_back("\"");
    return s;
  }
};

class ScriptLexer {
public:
  explicit ScriptLexer(llvm::StringRef text) : rest(text) {}
  ScriptToken next();

private:
  llvm::StringRef rest;
};

/// The text without comments, and without lines that were nothing else.
std::string dropComments(llvm::StringRef text);

/// Where the aliases (#map = ..., !type = ...) that a text begins with end;
/// 0 if it begins with none.
size_t aliasesEnd(llvm::StringRef text);

/// Removes the indentation that all lines have, and blank lines at both ends.
std::string dedent(llvm::StringRef text);

/// Puts `spaces` before every line that is not blank; ends with a newline.
std::string indent(llvm::StringRef text, size_t spaces);

} // namespace egg

#endif // EGG_LIB_AGENT_SCRIPTLEXER_H
