//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

namespace egg {

static bool acts(llvm::UTF32 c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0) ||
         c == 0x061C || c == 0x200E || c == 0x200F || c == 0x2028 ||
         c == 0x2029 || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

std::string escapeUnseen(llvm::StringRef text, bool isJson) {
  std::string repaired = llvm::json::fixUTF8(text);
  std::string result;
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(repaired.data());
  const auto *end = at + repaired.size();
  while (at < end) {
    const llvm::UTF8 *begin = at;
    llvm::UTF32 c = 0;
    if (llvm::convertUTF8Sequence(&at, end, &c, llvm::strictConversion) !=
        llvm::conversionOK)
      break;
    std::string digits = llvm::utohexstr(c, /*LowerCase=*/true);
    if (!acts(c))
      result.append(reinterpret_cast<const char *>(begin), at - begin);
    else if (isJson)
      result += "\\u" + std::string(4 - digits.size(), '0') + digits;
    else
      result += "\\u{" + digits + "}";
  }
  return result;
}

} // namespace egg
