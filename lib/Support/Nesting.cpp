//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/Nesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>

std::optional<size_t> egg::findDeepNesting(llvm::StringRef text,
                                           int64_t limit) {
  int64_t depth = 0, signs = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    char previous = i ? text[i - 1] : '\0';
    char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        if (text[i] == '\\')
          ++i;
    } else if (c == '/' && next == '/') {
      while (i < text.size() && text[i] != '\n')
        ++i;
    } else if (llvm::StringRef("([{<").contains(c)) {
      ++depth;
    } else if (llvm::StringRef(")]}").contains(c) ||
               (c == '>' && previous != '-' && next != '=')) {
      depth = std::max<int64_t>(0, depth - 1);
    }
    if (c == '-' && next != '>')
      ++signs;
    else if (!llvm::isSpace(c))
      signs = 0;
    if (depth > limit || signs > limit)
      return i;
  }
  return std::nullopt;
}

/// The name of an alias that the text begins with, its sign included; empty if
/// it does not.
static llvm::StringRef takeAlias(llvm::StringRef text) {
  if (!text.starts_with("#") && !text.starts_with("!"))
    return "";
  return text.take_front(1 + text.drop_front()
                                 .take_while([](char c) {
                                   return llvm::isAlnum(c) ||
                                          llvm::StringRef("_$.-").contains(c);
                                 })
                                 .size());
}

std::optional<size_t> egg::findLongAlias(llvm::StringRef text, size_t limit) {
  // A definition goes on to the next one, or to a line that begins with the
  // name of an operation; the aliases in it are defined before it.
  llvm::StringMap<size_t> sizes;
  size_t *size = nullptr;
  size_t start = 0;
  bool isLineStart = true;
  for (size_t i = 0; i < text.size(); ++i) {
    llvm::StringRef rest = text.drop_front(i);
    llvm::StringRef name = takeAlias(rest);
    if (name.size() > 1) {
      if (rest.drop_front(name.size()).ltrim().starts_with("=")) {
        size = &sizes[name];
        *size = 0;
        start = i;
      } else if (auto known = sizes.find(name); size && known != sizes.end()) {
        *size += known->second;
      }
    } else if (isLineStart && llvm::isAlpha(text[i])) {
      size = nullptr;
    }
    isLineStart = text[i] == '\n' || (isLineStart && llvm::isSpace(text[i]));
    if (size && ++*size > limit)
      return start;
  }
  return std::nullopt;
}
