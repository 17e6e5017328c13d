//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/TransformOps/Vocabulary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace egg {

static constexpr struct {
  const char *path, *content;
} kFiles[] = {
#include "VocabularyData.inc"
};

static std::vector<std::string> readStrings(const json::Array &array) {
  std::vector<std::string> strings;
  for (const json::Value &value : array)
    strings.push_back(value.getAsString()->str());
  return strings;
}

static std::vector<ScriptWord> readVocabulary() {
  json::Value document = cantFail(json::parse(kFiles[0].content));
  std::vector<ScriptWord> words;
  for (const json::Value &value : *document.getAsObject()->getArray("words")) {
    const json::Object &word = *value.getAsObject();
    words.push_back({word.getString("name")->str(),
                     readStrings(*word.getArray("stages")),
                     word.getString("summary")->str(),
                     readStrings(*word.getArray("ranges")),
                     word.getString("example")->str()});
  }
  return words;
}

ArrayRef<ScriptWord> scriptVocabulary() {
  static const std::vector<ScriptWord> words = readVocabulary();
  return words;
}

bool isScriptWord(StringRef op, StringRef sequence) {
  return any_of(scriptVocabulary(), [&](const ScriptWord &word) {
    return word.name == op && is_contained(word.stages, sequence);
  });
}

} // namespace egg
