//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/CompleteWithExpert.h"
#include "AgentTest.h"
#include "egg/Agent/ScriptParts.h"

using namespace egg;

namespace {

class CompleteWithExpertTest : public AgentTest {
protected:
  std::string complete(llvm::StringRef script) {
    auto payload = parse(kProductPayload);
    llvm::Expected<std::string> whole = completeWithExpert(*payload, script);
    return whole ? *whole : "error: " + llvm::toString(whole.takeError());
  }
  std::vector<std::string> kernelsOf(llvm::StringRef script) {
    llvm::Expected<ScriptParts> parts = splitScript(script, &context);
    EXPECT_TRUE(bool(parts)) << llvm::toString(parts.takeError());
    return parts ? parts->kernels() : std::vector<std::string>();
  }
  std::string withAlgorithm(llvm::StringRef algorithm) {
    return llvm::cantFail(spliceAnswer(
        kProductScript, {StageKind::Algorithm, ""}, algorithm, &context));
  }
};

/// Forms kernels of those names of matmul_0 and exp_0.
std::string twoKernels(llvm::StringRef first, llvm::StringRef second) {
  return R"(
transform.named_sequence @algorithm(%f: !transform.any_op) {
  %a = transform.egg.select %f ["matmul_0"]
      : (!transform.any_op) -> !transform.any_op
  %ka = transform.egg.form_kernel %a {name = ")" +
         first.str() + R"("} : (!transform.any_op) -> !transform.any_op
  %b = transform.egg.select %f ["exp_0"]
      : (!transform.any_op) -> !transform.any_op
  %kb = transform.egg.form_kernel %b {name = ")" +
         second.str() + R"("} : (!transform.any_op) -> !transform.any_op
  transform.yield
})";
}

TEST_F(CompleteWithExpertTest, AWholeScriptStaysAsItIs) {
  EXPECT_EQ(complete(kProductScript), kProductScript);
}

TEST_F(CompleteWithExpertTest, KernelsWithoutAModuleGetTheExperts) {
  std::string whole = complete(withAlgorithm(twoKernels("product", "exp")));
  EXPECT_EQ(kernelsOf(whole), (std::vector<std::string>{"product", "exp"}));
  llvm::StringRef text = whole;
  EXPECT_TRUE(text.contains("// Tiles.")) << whole;
  EXPECT_TRUE(text.contains("transform.egg.map_elements")) << whole;
}

TEST_F(CompleteWithExpertTest, ModulesWithoutTheirKernelGo) {
  std::string whole = complete(withAlgorithm(twoKernels("p", "exp")));
  EXPECT_EQ(kernelsOf(whole), (std::vector<std::string>{"p", "exp"}));
  EXPECT_FALSE(llvm::StringRef(whole).contains("// Tiles.")) << whole;
}

TEST_F(CompleteWithExpertTest, AModuleOfAnotherStructureGoes) {
  // @product now has no contraction, which its module maps tiles of.
  std::string whole = complete(withAlgorithm(twoKernels("mm", "product")));
  EXPECT_EQ(kernelsOf(whole), (std::vector<std::string>{"mm", "product"}));
  EXPECT_FALSE(llvm::StringRef(whole).contains("// Tiles.")) << whole;
}

TEST_F(CompleteWithExpertTest, OpsThatAreNoWordsAreRefusedBeforeTheyRun) {
  std::string refused = complete(withAlgorithm(R"(
transform.named_sequence @algorithm(%f: !transform.any_op) {
  transform.apply_registered_pass "canonicalize" to %f
      : (!transform.any_op) -> !transform.any_op
  transform.yield
})"));
  EXPECT_TRUE(llvm::StringRef(refused).contains(
      "op 'transform.apply_registered_pass' is not accepted"))
      << refused;
}

TEST_F(CompleteWithExpertTest, SaysWhyTheAlgorithmFails) {
  std::string refused = complete(withAlgorithm(twoKernels("a", "a")));
  EXPECT_TRUE(llvm::StringRef(refused).starts_with(
      "error: algorithm refused at schedule.mlir:"))
      << refused;
}

} // namespace
