//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/SafeText.h"
#include "../ScriptLexer.h"
#include "egg/Support/Text.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace egg {

/// Characters that are not seen or change the direction of others: a reader
/// and a model would see different texts.
static bool isHidden(char32_t c) {
  return c == 0xAD || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
         (c >= 0xE0000 && c <= 0xE0FFF);
}

std::string safeText(StringRef text, size_t maxBytes) {
  // Nobody needs to look at more than is shown.
  size_t whole = text.size();
  StringRef start = text.take_front(4 * maxBytes + 16);
  std::string result;
  bool cut = start.size() < whole;
  forEachCharacter(start, [&](char32_t c, StringRef bytes) {
    if (isControl(c) || isHidden(c))
      return true;
    if (result.size() + bytes.size() > maxBytes) {
      cut = true;
      return false;
    }
    result += bytes;
    return true;
  });
  if (cut)
    result += " [cut: " + std::to_string(whole) + " bytes in all]";
  return result;
}

std::string safeLine(StringRef text, size_t maxBytes) {
  std::string line = safeText(text, maxBytes);
  for (char &c : line) {
    if (c == '\n' || c == '\t')
      c = ' ';
    if (c == '`')
      c = '\'';
  }
  return line;
}

std::string fence(StringRef text, StringRef language) {
  size_t longest = 0, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  std::string bar(std::max<size_t>(3, longest + 1), '`');
  return bar + language.str() + "\n" + text.rtrim('\n').str() + "\n" + bar;
}

std::string capLines(StringRef text, size_t maxBytes) {
  if (text.size() <= maxBytes)
    return text.str();
  StringRef kept = text.take_front(maxBytes);
  kept = kept.take_front(
      kept.rfind('\n') == StringRef::npos ? 0 : kept.rfind('\n') + 1);
  size_t lines = text.drop_front(kept.size()).count('\n') + 1;
  return kept.str() + "... [" + std::to_string(lines) + " more lines are cut]";
}

std::string capMiddle(StringRef text, size_t maxBytes) {
  if (text.size() <= maxBytes)
    return text.str();
  StringRef head = text.take_front(maxBytes - maxBytes / 3);
  head = head.take_front(head.rfind('\n') + 1);
  StringRef tail = text.take_back(maxBytes / 3);
  tail = tail.drop_front(std::min(tail.find('\n'), tail.size() - 1) + 1);
  StringRef cut = text.drop_front(head.size()).drop_back(tail.size());
  size_t lines = cut.count('\n') + !cut.ends_with("\n");
  return head.str() + "... [" + std::to_string(lines) +
         (lines == 1 ? " line is" : " lines are") + " cut here]\n" + tail.str();
}

/// A plain word made of any text.
static std::string plainWord(StringRef text) {
  constexpr size_t kMaxWord = 64;
  std::string word;
  for (char c : text.take_front(kMaxWord))
    word += llvm::isAlnum(c) || StringRef("_.-").contains(c) ? c : '_';
  return word;
}

std::string plainWords(StringRef text) {
  using Kind = ScriptToken::Kind;
  std::string result;
  std::string before;
  ScriptLexer lexer(text);
  for (ScriptToken token = lexer.next(); token.kind != Kind::End;
       token = lexer.next()) {
    if (token.kind == Kind::String)
      result += '"' + plainWord(token.inside()) + '"';
    else if (token.kind == Kind::Word && before == "dense_resource<")
      result += "elided";
    else if (token.kind == Kind::Word && token.text.size() > 64)
      result += token.text.take_front(64);
    else
      result += token.text;
    if (token.text == "<")
      before += "<";
    else if (token.kind != Kind::Space)
      before = token.text.str();
  }
  return result;
}

} // namespace egg
