//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Mutate.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace egg::fuzz;
using llvm::StringRef;

namespace {

/// A piece of the text.
struct Piece {
  size_t begin, size;
};

} // namespace

/// The pieces that are runs of characters `starts` begins and `goesOn` extends.
static llvm::SmallVector<Piece>
findPieces(StringRef text, llvm::function_ref<bool(char)> starts,
           llvm::function_ref<bool(char)> goesOn) {
  llvm::SmallVector<Piece> pieces;
  for (size_t i = 0; i < text.size();) {
    if (!starts(text[i]) || (i && goesOn(text[i - 1]))) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() && goesOn(text[end]))
      ++end;
    pieces.push_back({i, end - i});
    i = end;
  }
  return pieces;
}

static bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

static llvm::SmallVector<Piece> findNumbers(StringRef text) {
  return findPieces(text, llvm::isDigit, isWordPart);
}

/// Words behind that sign: values, symbols, types.
static llvm::SmallVector<Piece> findWords(StringRef text, char sign) {
  return findPieces(text, [&](char c) { return c == sign; }, isWordPart);
}

static llvm::SmallVector<Piece> findLines(StringRef text) {
  llvm::SmallVector<Piece> lines;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') {
      lines.push_back({begin, i + 1 - begin});
      begin = i + 1;
    }
  if (begin < text.size())
    lines.push_back({begin, text.size() - begin});
  return lines;
}

static void replace(std::string &text, Piece piece, StringRef by) {
  text.replace(piece.begin, piece.size, by.data(), by.size());
}

static void mutateNumber(std::string &text, Choices &choices) {
  static constexpr llvm::StringLiteral kEdges[] = {
      "0",
      "-1",
      "1",
      "2",
      "3",
      "7",
      "31",
      "33",
      "64",
      "1024",
      "1025",
      "4096",
      "65536",
      "2147483647",
      "2147483648",
      "4294967296",
      "9223372036854775807",
      "-9223372036854775808",
      "9223372036854775808",
      "100000000000000000000000000000",
      "1.5",
      "0x7FC00000",
      "0xFF800000",
      "1.0e308",
      "0x",
      "?",
      "dense<0>"};
  auto numbers = findNumbers(text);
  if (!numbers.empty())
    replace(text, choices.pick(numbers), choices.pick(kEdges));
}

/// One word where another of the same sort stands.
static void mutateWord(std::string &text, Choices &choices) {
  auto words = findWords(text, choices.pick("%%%@@!#^"));
  if (words.size() < 2)
    return;
  Piece from = choices.pick(words);
  std::string word = text.substr(from.begin, from.size);
  replace(text, choices.pick(words), word);
}

static void mutateName(std::string &text, Choices &choices) {
  static constexpr llvm::StringLiteral kNames[] = {
      "@main", "@algorithm",   "@parallel_mapping", "@__transform_main",
      "@\"\"", "@\"a b\\00\"", "@kernels",          "@malloc",
      "@k::@k"};
  auto words = findWords(text, '@');
  if (!words.empty())
    replace(text, choices.pick(words), choices.pick(kNames));
}

static void mutateLines(std::string &text, Choices &choices) {
  auto lines = findLines(text);
  if (lines.empty())
    return;
  size_t at = choices.index(lines.size());
  size_t count =
      std::min<size_t>(lines.size() - at, size_t(choices.draw(1, 3)));
  Piece block{lines[at].begin, 0};
  for (size_t i = 0; i < count; ++i)
    block.size += lines[at + i].size;
  std::string moved = text.substr(block.begin, block.size);
  size_t to = choices.pick(lines).begin;
  switch (choices.draw(0, 2)) {
  case 0: // Dropped.
    return replace(text, block, "");
  case 1: // Doubled.
    text.insert(to, moved);
    return;
  default: // Moved.
    text.insert(to, moved);
    if (to <= block.begin)
      block.begin += moved.size();
    return replace(text, block, "");
  }
}

static void mutateBytes(std::string &text, Choices &choices) {
  for (int64_t i = 0, e = choices.draw(1, 8); i < e; ++i) {
    size_t at = choices.index(text.size());
    switch (choices.draw(0, 3)) {
    case 0:
      text[at] = char(text[at] ^ (1 << choices.draw(0, 7)));
      break;
    case 1:
      text[at] = char(choices.draw(0, 255));
      break;
    case 2:
      text.erase(at, size_t(choices.draw(1, 4)));
      break;
    default:
      text.insert(at, 1, choices.pick("{}[]()<>:=,%@!\"#-+*^"));
    }
    if (text.empty())
      return;
  }
}

static void insertStrange(std::string &text, Choices &choices) {
  static constexpr llvm::StringLiteral kStrange[] = {
      "\xff\xfe",
      "\xc3",
      "\xed\xa0\x80",
      "\"unterminated",
      "/*",
      "{-#",
      "#-}",
      "!transform.any_op",
      "#map = affine_map<(d0) -> (d0 floordiv 0)>\n",
      "module {",
      "^bb1(%x: i64):\n",
      "loc(\"x\"(\"y\"))",
      "\"builtin.module\"() ({}) : () -> ()\n",
      "vector<[4]x[8]xf32>",
      "tensor<*xf32>",
      "tensor<?x0x9223372036854775807xf32>"};
  StringRef strange = choices.pick(kStrange);
  text.insert(choices.index(text.size() + 1), strange.data(), strange.size());
}

static void insertLong(std::string &text, Choices &choices) {
  static constexpr llvm::StringLiteral kUnits[] = {"(",
                                                   "[",
                                                   "{",
                                                   "<",
                                                   "-",
                                                   "tensor<",
                                                   "module {\n",
                                                   "9",
                                                   "a",
                                                   "\"",
                                                   "\xf0\x9f\x98\x80",
                                                   "[[",
                                                   "complex<",
                                                   "affine_map<() -> (",
                                                   "\n",
                                                   "module { "};
  StringRef unit = choices.pick(kUnits);
  static constexpr int64_t kCounts[] = {10, 63, 64, 65, 300, 5000, 60000};
  int64_t count = choices.pick(kCounts);
  std::string inserted;
  for (int64_t i = 0; i < count; ++i)
    inserted += unit;
  text.insert(choices.index(text.size() + 1), inserted);
}

void egg::fuzz::mutateText(std::string &text, Choices &choices) {
  if (text.empty())
    return;
  switch (choices.draw(0, 15)) {
  case 0:
  case 1:
  case 2:
  case 3:
  case 4:
    return mutateNumber(text, choices);
  case 5:
  case 6:
  case 7:
    return mutateWord(text, choices);
  case 8:
  case 9:
    return mutateLines(text, choices);
  case 10:
    return mutateName(text, choices);
  case 11:
    return mutateBytes(text, choices);
  case 12:
    text.resize(choices.index(text.size()));
    return;
  case 13:
    return insertStrange(text, choices);
  case 14:
    return insertLong(text, choices);
  default: {
    auto words = findPieces(text, llvm::isAlpha, isWordPart);
    if (words.size() < 2)
      return;
    Piece from = choices.pick(words);
    std::string word = text.substr(from.begin, from.size);
    return replace(text, choices.pick(words), word);
  }
  }
}
