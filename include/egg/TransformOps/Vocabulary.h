//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The words of schedules: which ops a sequence may hold, what each does and
// which numbers it allows, as agents are told. Generated from TableGen records
// (ScriptWord.td), so it is what the ops' documentation says.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TRANSFORMOPS_VOCABULARY_H
#define EGG_TRANSFORMOPS_VOCABULARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace egg {

struct ScriptWord {
  /// "transform.egg.select".
  std::string name;
  /// Names of the sequences that accept it: "substitution", "algorithm",
  /// "parallel_mapping", ...
  std::vector<std::string> stages;
  /// What it does, in a line.
  std::string summary;
  /// Which numbers it allows, a line each.
  std::vector<std::string> ranges;
  /// How it is written; may have several lines.
  std::string example;
};

/// All of them, in the order of the records' names.
llvm::ArrayRef<ScriptWord> scriptVocabulary();

/// Whether the sequence of that name accepts the op; transform.yield, which
/// ends every sequence, is no word.
bool isScriptWord(llvm::StringRef op, llvm::StringRef sequence);

} // namespace egg

#endif // EGG_TRANSFORMOPS_VOCABULARY_H
