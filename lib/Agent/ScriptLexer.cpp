//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScriptLexer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace egg {

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

ScriptToken ScriptLexer::next() {
  if (rest.empty())
    return {};
  size_t length = 1;
  auto kind = ScriptToken::Kind::Other;
  char first = rest.front();
  if (rest.starts_with("//")) {
    kind = ScriptToken::Kind::Comment;
    length = std::min(rest.size(), rest.find('\n'));
  } else if (first == '"') {
    kind = ScriptToken::Kind::String;
    while (length < rest.size() && rest[length] != '"' && rest[length] != '\n')
      length += rest[length] == '\\' ? 2 : 1;
    length = std::min(rest.size(), length + 1);
  } else if (llvm::isSpace(first)) {
    kind = ScriptToken::Kind::Space;
    length = rest.take_while([](char c) { return llvm::isSpace(c); }).size();
  } else if (isWordChar(first) || StringRef("%@#!^").contains(first)) {
    length += rest.drop_front().take_while(isWordChar).size();
    if (length > 1 || isWordChar(first))
      kind = ScriptToken::Kind::Word;
  }
  ScriptToken token{kind, rest.take_front(length)};
  rest = rest.drop_front(length);
  return token;
}

std::string dropComments(StringRef text) {
  std::string result;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    std::string kept;
    bool dropped = false;
    ScriptLexer lexer(line);
    for (ScriptToken token = lexer.next(); token.kind != ScriptToken::Kind::End;
         token = lexer.next()) {
      if (token.kind == ScriptToken::Kind::Comment)
        dropped = true;
      else
        kept += token.text;
    }
    StringRef trimmed = StringRef(kept).rtrim();
    if (dropped && trimmed.empty())
      continue;
    result += dropped ? trimmed : StringRef(kept);
    if (number + 1 != lines.size())
      result += '\n';
  }
  return result;
}

size_t aliasesEnd(StringRef text) {
  using Kind = ScriptToken::Kind;
  size_t at = 0, end = 0;
  int64_t open = 0;
  bool inside = false, dash = false;
  ScriptLexer lexer(text);
  for (ScriptToken token = lexer.next(); token.kind != Kind::End;
       token = lexer.next()) {
    at += token.text.size();
    bool saysNothing = token.kind == Kind::Space || token.kind == Kind::Comment;
    if (inside && open == 0 && token.kind == Kind::Space &&
        token.text.contains('\n'))
      inside = false;
    if (inside) {
      char c = token.text.front();
      if (StringRef("([{<").contains(c))
        ++open;
      // The head of an arrow closes nothing.
      if (StringRef(")]}").contains(c) || (c == '>' && !dash))
        --open;
      dash = c == '-';
      if (!saysNothing)
        end = at;
    } else if (!saysNothing) {
      if (token.kind != Kind::Word ||
          !StringRef("#!").contains(token.text.front()))
        break;
      inside = true;
      open = 0;
      end = at;
    }
  }
  return end;
}

std::string dedent(StringRef text) {
  while (text.contains('\n') && text.split('\n').first.trim().empty())
    text = text.split('\n').second;
  text = text.rtrim();
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  size_t least = StringRef::npos;
  for (StringRef line : lines)
    if (!line.trim().empty())
      least = std::min(least, line.size() - line.ltrim(' ').size());
  std::string result;
  for (auto [number, line] : llvm::enumerate(lines)) {
    result += line.drop_front(std::min(least, line.size())).rtrim();
    if (number + 1 != lines.size())
      result += '\n';
  }
  return result;
}

std::string indent(StringRef text, size_t spaces) {
  std::string result;
  for (StringRef line : llvm::split(text, '\n')) {
    if (!line.trim().empty())
      result += std::string(spaces, ' ') + line.str();
    result += '\n';
  }
  return result;
}

} // namespace egg
