//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/TransformOps/Vocabulary.h"
#include "AgentTest.h"
#include "mlir/IR/Dialect.h"

using namespace egg;

namespace {

using VocabularyTest = AgentTest;

TEST_F(VocabularyTest, EveryWordIsAnOpThatIsExplained) {
  ASSERT_GE(scriptVocabulary().size(), 15u);
  for (const ScriptWord &word : scriptVocabulary()) {
    EXPECT_TRUE(mlir::RegisteredOperationName::lookup(word.name, &context))
        << word.name;
    EXPECT_FALSE(word.stages.empty()) << word.name;
    EXPECT_GT(word.summary.size(), 10u) << word.name;
    EXPECT_TRUE(llvm::StringRef(word.example).contains(word.name))
        << word.name << ": " << word.example;
  }
}

TEST_F(VocabularyTest, EveryHardwareOpSaysWhichNumbersItAllows) {
  for (const ScriptWord &word : scriptVocabulary())
    if (word.stages.size() == 1 && word.stages[0] != "algorithm" &&
        word.stages[0] != "substitution") {
      EXPECT_FALSE(word.ranges.empty()) << word.name;
    }
}

TEST_F(VocabularyTest, WordsBelongToStages) {
  EXPECT_TRUE(isScriptWord("transform.egg.select", "algorithm"));
  EXPECT_TRUE(isScriptWord("transform.tune.knob", "tensor_tiling"));
  EXPECT_FALSE(isScriptWord("transform.egg.select", "tensor_tiling"));
  EXPECT_FALSE(isScriptWord("transform.print", "algorithm"));
}

} // namespace
