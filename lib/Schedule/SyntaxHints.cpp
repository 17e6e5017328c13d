//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SyntaxHints.h"
#include "egg/Support/ClosestNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

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
    "transform.egg.substitute %ops with @row_sums : !transform.any_op",
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

/// Ops of a schedule that need no example.
static constexpr llvm::StringLiteral kFurtherOps[] = {
    "transform.named_sequence", "transform.yield", "transform.structured.match",
    "transform.merge_handles"};

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

/// What follows the dialect, which is misspelt or the same for all.
static StringRef withoutDialect(StringRef op) { return op.split('.').second; }

/// The op of a schedule that the name of an unknown one may mean, or "".
static StringRef closestOp(StringRef unknown) {
  llvm::SmallVector<StringRef> ops, known;
  llvm::append_range(ops, kFurtherOps);
  for (StringRef example : kExamples)
    ops.push_back(lastOpName(example));
  for (StringRef op : ops)
    known.push_back(withoutDialect(op));
  llvm::SmallVector<StringRef> near =
      closestNames(withoutDialect(unknown), known);
  if (near.empty())
    return "";
  return *llvm::find_if(
      ops, [&](StringRef op) { return withoutDialect(op) == near.front(); });
}

static constexpr llvm::StringLiteral kUndeclared =
    "use of undeclared SSA value name";

/// The name of the value that starts here, with its '%'.
static StringRef takeValueName(StringRef text) {
  size_t size = text.drop_front()
                    .take_while([](char c) {
                      return llvm::isAlnum(c) || StringRef("_$.-").contains(c);
                    })
                    .size();
  return text.take_front(1 + size);
}

/// Names of a line's values: all that come before an '=' at its beginning, or
/// the arguments of a sequence.
static llvm::SmallVector<StringRef> definedNames(StringRef line) {
  line = line.trim();
  if (line.contains("named_sequence"))
    line = line.split('(').second;
  else if (line.starts_with("%") && line.contains('='))
    line = line.split('=').first;
  else
    return {};
  llvm::SmallVector<StringRef> names;
  for (size_t at = line.find('%'); at != StringRef::npos;
       at = line.find('%', at + 1))
    names.push_back(takeValueName(line.drop_front(at)));
  return names;
}

/// Longer ones are compared with nothing: it takes the product of the lengths.
static constexpr size_t kMaxName = 100;

/// What a value that its sequence does not define may mean.
static std::string findValueHint(StringRef text, StringRef name,
                                 unsigned line) {
  if (name.size() > kMaxName)
    return "";
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  auto startsSequence = [&](size_t i) {
    return lines[i].contains("named_sequence @");
  };
  size_t begin = std::min<size_t>(line, lines.size()), end = begin;
  while (begin > 0 && !startsSequence(--begin))
    ;
  while (end < lines.size() && !startsSequence(end))
    ++end;
  size_t elsewhere = lines.size();
  llvm::SmallVector<StringRef> known;
  llvm::StringMap<size_t> place;
  for (size_t i = 0; i < lines.size(); ++i)
    for (StringRef defined : definedNames(lines[i])) {
      if (begin <= i && i < end) {
        if (defined.edit_distance(name) <
                std::min(name.size(), defined.size()) - 1 &&
            place.try_emplace(defined, i).second)
          known.push_back(defined);
      } else if (defined == name && elsewhere == lines.size()) {
        elsewhere = i;
      }
    }
  llvm::SmallVector<StringRef> near = closestNames(name, known);
  if (!near.empty())
    return ("closest: " + near.front() + ", which line " +
            llvm::Twine(place[near.front()] + 1) + " defines")
        .str();
  if (elsewhere != lines.size())
    return (name + " of line " + llvm::Twine(elsewhere + 1) +
            " belongs to another sequence, and each has values of its own")
        .str();
  return (name + " is defined nowhere; write '" + name + " = ...' before")
      .str();
}

/// The text from the place, or none if there is no such place.
static StringRef textAt(StringRef text, unsigned line, unsigned column) {
  for (unsigned i = 1; i < line; ++i)
    text = text.split('\n').second;
  return text.drop_front(std::min<size_t>(column - 1, text.size()));
}

static StringRef undeclaredValue(StringRef text, StringRef error, unsigned line,
                                 unsigned column) {
  StringRef rest = textAt(text, line, column);
  return error == kUndeclared && rest.starts_with("%") ? takeValueName(rest)
                                                       : "";
}

std::string explainSyntaxError(StringRef text, StringRef error, unsigned line,
                               unsigned column) {
  std::string shown;
  llvm::raw_string_ostream os(shown);
  for (char c : error)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      os << "\\x" << llvm::toHex(StringRef(&c, 1), /*LowerCase=*/true);
    else
      os << c;
  StringRef value = undeclaredValue(text, error, line, column);
  if (!value.empty())
    os << " " << value.take_front(kMaxName);
  return shown;
}

std::string findSyntaxHint(StringRef text, StringRef error, unsigned line,
                           unsigned column) {
  // The place of an unknown op is where it begins, so that the op before the
  // place is another.
  constexpr llvm::StringLiteral custom = "custom op '";
  if (error.contains("' is unknown") ||
      error.contains("' not found for custom op")) {
    StringRef op = closestOp(takeOpName(error.split(custom).second));
    return op.empty() ? "" : ("closest: " + op).str();
  }
  if (StringRef value = undeclaredValue(text, error, line, column);
      !value.empty())
    return findValueHint(text, value, line);
  size_t offset = 0;
  for (unsigned i = 1; i < line; ++i) {
    size_t end = text.find('\n', offset);
    if (end == StringRef::npos)
      return "";
    offset = end + 1;
  }
  offset += column - 1;
  // Whatever is written here is not what is wrong.
  if (text.drop_front(std::min(offset, text.size())).trim().empty())
    return "the file ends here, before the module does: a '}' or the rest of "
           "the module is missing";
  StringRef op = lastOpName(text.take_front(offset));
  if (op.empty())
    return "";
  for (StringRef example : kExamples)
    if (lastOpName(example) == op)
      return ("it is written like: " + example).str();
  return "";
}

} // namespace egg
