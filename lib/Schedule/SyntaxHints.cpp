//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SyntaxHints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace egg {

static constexpr llvm::StringLiteral kExamples[] = {
    "%ops = transform.egg.select %f [\"mul_0\", \"add_0\"] : "
    "(!transform.any_op) -> !transform.any_op",
    "%kernel = transform.egg.form_kernel %ops {name = \"mul_add\"} : "
    "(!transform.any_op) -> !transform.any_op",
    "%partial, %final = transform.egg.split_reduction %op parts(%n) : "
    "(!transform.any_op, !transform.param<i64>) -> (!transform.any_op, "
    "!transform.any_op)",
    "transform.egg.map_elements %k threads(%n) : !transform.any_op",
    "transform.egg.map_rows %k threads_per_row(%n) rows_per_block(%m) : "
    "!transform.any_op",
    "transform.egg.map_tiles %k tile_m(%m) tile_n(%n) : !transform.any_op",
    "transform.egg.map_scan %k threads(%n) : !transform.any_op",
    "transform.egg.vectorize %k width(%n) : !transform.any_op",
    "transform.egg.tile_contraction %k tile_k(%n) thread_m(%m) thread_n(%m) : "
    "!transform.any_op",
    "transform.egg.unroll_scan %k items(%n) : !transform.any_op",
    "transform.egg.stage_in_shared %k stages(%n) padding(%m) : "
    "!transform.any_op",
    "%n = transform.tune.knob<\"threads\"> = 128 from options = [128, 256] -> "
    "!transform.param<i64>",
    "%n = transform.param.constant 128 : i64 -> !transform.param<i64>",
};

/// The name of the op that starts here.
static StringRef takeOpName(StringRef text) {
  return text.take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

static StringRef lastOpName(StringRef text) {
  constexpr llvm::StringLiteral prefix = "transform.";
  for (size_t at = text.rfind(prefix); at != StringRef::npos;
       at = text.take_front(at).rfind(prefix))
    // "!transform." starts a type.
    if (at == 0 || text[at - 1] != '!')
      return takeOpName(text.drop_front(at));
  return "";
}

StringRef findSyntaxHint(StringRef text, unsigned line, unsigned column) {
  size_t offset = 0;
  for (unsigned i = 1; i < line; ++i) {
    size_t end = text.find('\n', offset);
    if (end == StringRef::npos)
      return "";
    offset = end + 1;
  }
  StringRef op = lastOpName(text.take_front(offset + column - 1));
  if (op.empty())
    return "";
  for (StringRef example : kExamples)
    if (lastOpName(example) == op)
      return example;
  return "";
}

} // namespace egg
