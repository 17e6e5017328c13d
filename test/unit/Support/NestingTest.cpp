//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Texts that are short and become long, or deep.
//
//===----------------------------------------------------------------------===//
#include "egg/Support/Nesting.h"
#include "gtest/gtest.h"
#include <string>

using namespace egg;

/// Aliases of which each names the one before it twice.
static std::string doubleAliases(int count, const std::string &sign,
                                 const std::string &between) {
  std::string text = sign + "a0 = i32" + between;
  for (int i = 1; i < count; ++i) {
    std::string before = sign + "a" + std::to_string(i - 1);
    text += sign + "a" + std::to_string(i) + " = tuple<" + before + ", " +
            before + ">" + between;
  }
  return text + "module {}\n";
}

TEST(NestingTest, AliasesThatGrowAreFound) {
  for (const char *sign : {"!", "#"})
    for (const char *between : {"\n", " ", "\n\n  ", " // #a0\n"}) {
      std::string text = doubleAliases(60, sign, between);
      auto offset = findLongAlias(text, 16384);
      ASSERT_TRUE(offset.has_value()) << text;
      // The tenth or so is the first that is too long.
      EXPECT_EQ(text.substr(*offset, 1), sign);
      EXPECT_LT(*offset, text.size() / 3);
    }
}

TEST(NestingTest, AliasesOfSchedulesAreShort) {
  EXPECT_FALSE(findLongAlias(doubleAliases(6, "!", "\n"), 16384));
  EXPECT_FALSE(findLongAlias("", 10));
  // What is long is the module, not the alias before it.
  std::string module = "module {\n" + std::string(20000, ' ') + "}\n";
  EXPECT_FALSE(findLongAlias("#map = affine_map<(i) -> (i)>\n" + module, 100));
  EXPECT_TRUE(
      findLongAlias("#map = [" + std::string(200, '0') + "]\n" + module, 100));
  // Uses in the module count for nothing.
  EXPECT_FALSE(findLongAlias("#map = [" + std::string(80, '0') +
                                 "]\nmodule {\n  op #map #map #map\n}\n",
                             100));
}

TEST(NestingTest, BracketsAndSigns) {
  EXPECT_FALSE(findDeepNesting("((()))", 3));
  EXPECT_EQ(findDeepNesting("(((())))", 3), 3u);
  EXPECT_FALSE(findDeepNesting("\"((((\" // ((((", 3));
  EXPECT_TRUE(findDeepNesting("- - - -1", 3));
}
