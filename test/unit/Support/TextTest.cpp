//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/Text.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace egg;

TEST(TextTest, WhatActsOnATerminalIsWrittenOut) {
  EXPECT_EQ(escapeUnseen("plain\n\tand \xc3\xa4\xe2\x82\xac"),
            "plain\n\tand \xc3\xa4\xe2\x82\xac");
  EXPECT_EQ(escapeUnseen("\x1b[31m\x07\x7f"), "\\u{1b}[31m\\u{7}\\u{7f}");
  // All of C1 and all that changes directions.
  for (unsigned c : {0x80u, 0x9bu, 0x9fu, 0x202au, 0x202eu, 0x2066u, 0x2069u}) {
    std::string text =
        c < 0x800
            ? std::string{char(0xc0 | c >> 6), char(0x80 | (c & 63))}
            : std::string{char(0xe0 | c >> 12), char(0x80 | (c >> 6 & 63)),
                          char(0x80 | (c & 63))};
    std::string shown = escapeUnseen("a" + text + "b");
    EXPECT_TRUE(llvm::StringRef(shown).starts_with("a\\u{")) << shown;
    EXPECT_EQ(escapeUnseen(shown), shown);
    std::string json = escapeUnseen("\"" + text + "\"", /*isJson=*/true);
    EXPECT_EQ(json.size(), 8u) << json;
    EXPECT_EQ(llvm::cantFail(llvm::json::parse(json)).getAsString(), text);
  }
}

TEST(TextTest, BrokenBytesAreRepaired) {
  EXPECT_EQ(escapeUnseen("a\x9b"), "a\xef\xbf\xbd");
}
