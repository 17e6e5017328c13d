//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/Nesting.h"
#include "llvm/ADT/StringExtras.h"
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
