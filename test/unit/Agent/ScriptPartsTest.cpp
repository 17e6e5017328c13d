//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/ScriptParts.h"
#include "AgentTest.h"

using namespace egg;

namespace {

using Kind = ScriptPart::Kind;
using ScriptPartsTest = AgentTest;

const Stage kAlgorithm{StageKind::Algorithm, ""};
const Stage kTiling{StageKind::TensorTiling, "product"};

bool contains(llvm::StringRef text, llvm::StringRef part) {
  return text.contains(part);
}

TEST_F(ScriptPartsTest, JoinedIsWhatWasSplit) {
  llvm::Expected<ScriptParts> parts = splitScript(kProductScript, &context);
  ASSERT_TRUE(bool(parts)) << llvm::toString(parts.takeError());
  EXPECT_EQ(joinScript(*parts), kProductScript);
  std::vector<Kind> kinds;
  for (const ScriptPart &part : parts->parts)
    kinds.push_back(part.kind);
  EXPECT_EQ(kinds,
            (std::vector{Kind::Opening, Kind::Algorithm, Kind::KernelOpening,
                         Kind::Sequence, Kind::Sequence, Kind::Sequence,
                         Kind::KernelClosing, Kind::Closing}));
  EXPECT_EQ(parts->kernels(), std::vector<std::string>{"product"});
}

TEST_F(ScriptPartsTest, APartHasItsComments) {
  ScriptParts parts = llvm::cantFail(splitScript(kProductScript, &context));
  EXPECT_EQ(parts.get(kTiling),
            "// Nothing.\n"
            "transform.named_sequence @tensor_tiling(%k: !transform.any_op) {\n"
            "  transform.yield\n}");
  std::string algorithm = parts.get(kAlgorithm);
  EXPECT_TRUE(contains(algorithm, "// Why one kernel: {\n")) << algorithm;
  EXPECT_TRUE(contains(algorithm, "\n  // Both.\n")) << algorithm;
}

TEST_F(ScriptPartsTest, ReplacesOnePartAndNothingElse) {
  ScriptParts parts = llvm::cantFail(splitScript(kProductScript, &context));
  ASSERT_TRUE(parts.replace(kTiling, "// New.\nnew {\n  old\n}\n"));
  std::string joined = joinScript(parts);
  std::string expected = kProductScript;
  size_t begin = expected.find("    // Nothing.");
  size_t end = expected.find("    transform.named_sequence @memory");
  expected.replace(begin, end - begin,
                   "    // New.\n    new {\n      old\n    }\n");
  EXPECT_EQ(joined, expected);
  EXPECT_FALSE(parts.replace({StageKind::TensorTiling, "other"}, "x"));
}

TEST_F(ScriptPartsTest, FunctionsAndSubstitutionBelongToTheAlgorithm) {
  std::string script = kProductScript;
  std::string extra = "  func.func private @again(%x: tensor<4xf32>) -> "
                      "tensor<4xf32> {\n    return %x : tensor<4xf32>\n  }\n"
                      "  transform.named_sequence @substitution(%f: "
                      "!transform.any_op) {\n    transform.yield\n  }\n";
  script.insert(script.find("  // Why"), extra);
  ScriptParts parts = llvm::cantFail(splitScript(script, &context));
  EXPECT_EQ(joinScript(parts), script);
  std::string algorithm = parts.get(kAlgorithm);
  EXPECT_TRUE(contains(algorithm, "func.func private @again"));
  EXPECT_TRUE(contains(algorithm, "@substitution"));
  ASSERT_TRUE(parts.replace(kAlgorithm, "transform.named_sequence @algorithm"
                                        "(%f: !transform.any_op) {\n}"));
  EXPECT_FALSE(contains(joinScript(parts), "@again"));
  EXPECT_FALSE(contains(joinScript(parts), "@substitution"));
}

TEST_F(ScriptPartsTest, AliasesBelongToTheAlgorithmAndComeFirst) {
  constexpr const char *kAliases =
      "// Maps.\n#a = affine_map<(i, j) -> (i, j)>\n"
      "#b = affine_map<(i) ->\n    (i)>";
  std::string script = kAliases + ("\n" + std::string(kProductScript));
  ScriptParts parts = llvm::cantFail(splitScript(script, &context));
  EXPECT_EQ(joinScript(parts), script);
  EXPECT_EQ(parts.parts.front().kind, Kind::Aliases);
  std::string algorithm = parts.get(kAlgorithm);
  EXPECT_TRUE(llvm::StringRef(algorithm).starts_with(kAliases)) << algorithm;
  ASSERT_TRUE(parts.replace(kAlgorithm, "#c = affine_map<(i) -> (i)>\n"
                                        "func.func private @x()\n"));
  std::string joined = joinScript(parts);
  EXPECT_TRUE(llvm::StringRef(joined).starts_with("#c = affine_map")) << joined;
  EXPECT_FALSE(contains(joined, "#a")) << joined;
  EXPECT_TRUE(contains(joined, "{\n  func.func private @x()\n")) << joined;
}

TEST_F(ScriptPartsTest, FindsAStageInWhatDoesNotParse) {
  std::string script = kProductScript;
  script.replace(script.find("from options = [16"), 4, "form");
  EXPECT_FALSE(bool(llvm::expectedToOptional(splitScript(script, &context))));
  EXPECT_TRUE(
      contains(findStageText(script, {StageKind::ParallelMapping, "product"}),
               "= 32 form options"));
  EXPECT_EQ(findStageText(script, kTiling),
            "transform.named_sequence @tensor_tiling(%k: !transform.any_op) {\n"
            "      transform.yield\n    }");
  std::string algorithm = findStageText(script, kAlgorithm);
  EXPECT_TRUE(contains(algorithm, "transform.egg.form_kernel"));
  EXPECT_FALSE(contains(algorithm, "@parallel_mapping"));
  EXPECT_EQ(findStageText("junk", kAlgorithm), "junk");
}

TEST_F(ScriptPartsTest, RefusesWhatIsNoSchedule) {
  auto messageOf = [&](llvm::StringRef text) {
    llvm::Expected<ScriptParts> parts = splitScript(text, &context);
    return parts ? "accepted" : llvm::toString(parts.takeError());
  };
  EXPECT_TRUE(contains(messageOf("module {"), "line 1: ")) << messageOf("");
  EXPECT_TRUE(contains(messageOf("module {}\nmodule {}"), "one module"));
  std::string aliases = "!t0 = i32\n";
  for (int i = 1; i < 60; ++i) {
    std::string before = "!t" + std::to_string(i - 1);
    aliases +=
        "!t" + std::to_string(i) + " = tuple<" + before + ", " + before + ">\n";
  }
  EXPECT_TRUE(contains(messageOf(aliases), "aliases in it written out"));
  EXPECT_TRUE(contains(messageOf(std::string(100, '(')), "brackets"));
  EXPECT_TRUE(contains(messageOf(std::string(kMaxScriptBytes + 1, ' ')),
                       "at most 8388608"));
}

class SpliceAnswerTest : public AgentTest {
protected:
  std::string splice(const Stage &stage, llvm::StringRef answer) {
    llvm::Expected<std::string> script =
        spliceAnswer(kProductScript, stage, answer, &context);
    return script ? *script : "error: " + llvm::toString(script.takeError());
  }
};

constexpr const char *kNewTiling =
    "transform.named_sequence @tensor_tiling(%k: !transform.any_op) {\n"
    "  %d = transform.param.constant 8 : i64 -> !transform.param<i64>\n"
    "  transform.yield\n}";

TEST_F(SpliceAnswerTest, TakesTheSequenceHoweverItIsWrapped) {
  std::string expected = splice(kTiling, kNewTiling);
  EXPECT_TRUE(contains(expected, "constant 8")) << expected;
  EXPECT_FALSE(contains(expected, "// Nothing."));
  EXPECT_TRUE(contains(expected, "// Tiles."));
  EXPECT_EQ(splice(kTiling, "```mlir\n" + std::string(kNewTiling) + "\n```"),
            expected);
  std::string module =
      "module @product attributes {transform.with_named_sequence} {\n" +
      std::string(kNewTiling) + "\n}";
  EXPECT_EQ(splice(kTiling, module), expected);
  EXPECT_EQ(splice(kTiling, "module {\n" + module + "\n}"), expected);
}

TEST_F(SpliceAnswerTest, AnAlgorithmBringsItsModules) {
  std::string answer = R"(
transform.named_sequence @algorithm(%f: !transform.any_op) {
  transform.yield
}
module @extra attributes {transform.with_named_sequence} {
  transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
    transform.yield
  }
})";
  std::string script = splice(kAlgorithm, answer);
  EXPECT_TRUE(contains(script, "module @product")) << script;
  EXPECT_TRUE(contains(script, "module @extra")) << script;
  EXPECT_FALSE(contains(script, "// Both.")) << script;
  ScriptParts parts = llvm::cantFail(splitScript(script, &context));
  EXPECT_EQ(parts.kernels(), (std::vector<std::string>{"product", "extra"}));
}

TEST_F(SpliceAnswerTest, AliasesOfAnAnswerMoveToTheTop) {
  std::string answer = R"(#id = affine_map<(i) -> (i)>
func.func private @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {egg.name = "e", indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
transform.named_sequence @algorithm(%f: !transform.any_op) {
  transform.yield
})";
  std::string script = splice(kAlgorithm, answer);
  EXPECT_TRUE(llvm::StringRef(script).starts_with("#id = ")) << script;
  ScriptParts parts = llvm::cantFail(splitScript(script, &context));
  EXPECT_EQ(parts.get(kAlgorithm).substr(0, 60), answer.substr(0, 60));
  // The whole file as an answer brings them too, and once more is no conflict.
  EXPECT_EQ(splice(kAlgorithm, script), script);
}

TEST_F(SpliceAnswerTest, WhatDoesNotParseGoesInAsItIs) {
  EXPECT_TRUE(contains(splice(kTiling, "garbage {"), "    garbage {"));
}

TEST_F(SpliceAnswerTest, RefusesEmptyAndHugeAnswers) {
  EXPECT_TRUE(contains(splice(kTiling, " \n"), "empty script"));
  EXPECT_TRUE(contains(splice(kTiling, "```\n```"), "empty script"));
  EXPECT_TRUE(
      contains(splice(kTiling, std::string(10 << 20, 'x')), "at most 65536"));
  EXPECT_TRUE(contains(splice({StageKind::TensorTiling, "other"}, kNewTiling),
                       "no module @other"));
}

} // namespace
