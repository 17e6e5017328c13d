//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Words in messages and reports.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SUPPORT_TEXT_H
#define EGG_SUPPORT_TEXT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace egg {

/// "1 launch", "2 launches": the number and the form of the word it asks for.
inline std::string countOf(int64_t number, llvm::StringRef one,
                           llvm::StringRef several) {
  return std::to_string(number) + " " + (number == 1 ? one : several).str();
}

/// Calls `visit` with each character of a text and the bytes that it has there,
/// until one returns false. Bytes that are no UTF-8 come as U+FFFD.
void forEachCharacter(
    llvm::StringRef text,
    llvm::function_ref<bool(char32_t character, llvm::StringRef bytes)> visit);

/// Whether it acts on a terminal instead of being shown: all control characters
/// but newline and tab.
inline bool isControl(char32_t character) {
  return (character < 0x20 && character != '\n' && character != '\t') ||
         (character >= 0x7F && character < 0xA0);
}

/// UTF-8 text in which control characters (but newline and tab) and those that
/// change the direction of others are written out, "\\u{9b}": shown on a
/// terminal they act, or make other characters appear elsewhere than they are.
/// In a text that is JSON they become its "\\u009b", and it means the same.
std::string escapeUnseen(llvm::StringRef text, bool isJson = false);

} // namespace egg

#endif // EGG_SUPPORT_TEXT_H
