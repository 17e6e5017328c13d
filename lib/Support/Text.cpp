//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

namespace egg {

void forEachCharacter(
    llvm::StringRef text,
    llvm::function_ref<bool(char32_t character, llvm::StringRef bytes)> visit) {
  std::string repaired = llvm::json::fixUTF8(text);
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(repaired.data());
  const auto *end = at + repaired.size();
  while (at < end) {
    const llvm::UTF8 *begin = at;
    llvm::UTF32 character = 0;
    if (llvm::convertUTF8Sequence(&at, end, &character,
                                  llvm::strictConversion) !=
            llvm::conversionOK ||
        !visit(character,
               {reinterpret_cast<const char *>(begin), size_t(at - begin)}))
      return;
  }
}

/// Whether it makes other characters appear elsewhere than they are.
static bool turnsText(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || c == 0x2028 ||
         c == 0x2029 || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

std::string escapeUnseen(llvm::StringRef text, bool isJson) {
  std::string result;
  forEachCharacter(text, [&](char32_t c, llvm::StringRef bytes) {
    if (!isControl(c) && !turnsText(c)) {
      result += bytes;
      return true;
    }
    std::string digits = llvm::utohexstr(c, /*LowerCase=*/true);
    result += isJson ? "\\u" + std::string(4 - digits.size(), '0') + digits
                     : "\\u{" + digits + "}";
    return true;
  });
  return result;
}

} // namespace egg
