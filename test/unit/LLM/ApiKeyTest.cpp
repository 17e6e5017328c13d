//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/ApiKey.h"
#include "Fakes.h"
#include "egg/LLM/Provider.h"
#include "egg/Support/Files.h"
#include "egg/Support/Subprocess.h"
#include <cstdlib>
#include <sys/stat.h>

using namespace egg;
using namespace egg::test;

namespace {

TEST(SecretTest, DoesNotPrint) {
  Secret secret("sk-planted");
  std::string text;
  llvm::raw_string_ostream(text) << secret << " " << Secret();
  EXPECT_EQ(text, "(secret) (no secret)");
  EXPECT_EQ(secret.redact("a sk-planted b sk-plantedsk-planted"),
            "a (secret) b (secret)(secret)");
  EXPECT_EQ(secret.redact("\"\\u0073k-pl\\u0061nted\""), "\"(secret)\"");
  EXPECT_EQ(secret.redact("cut at sk-plant"), "cut at (secret)");
  EXPECT_EQ(secret.redact("cut at sk-plan"), "cut at sk-plan");
  EXPECT_EQ(secret.redact("\\u00zz \\"), "\\u00zz \\");
  EXPECT_EQ(Secret().redact("as is"), "as is");
  Secret moved = std::move(secret);
  EXPECT_EQ(moved.reveal(), "sk-planted");
  EXPECT_TRUE(secret.empty()); // NOLINT(bugprone-use-after-move): the point
}

TEST(SecretTest, ForkedChildrenDoNotHaveIt) {
  Secret secret("sk-planted");
  auto result = llvm::cantFail(runInChild(
      [&](llvm::raw_ostream &os) {
        os << secret.reveal();
        return 0;
      },
      {}));
  EXPECT_EQ(result.standardOutput, std::string(10, '\0'));
  EXPECT_EQ(secret.reveal(), "sk-planted");
}

TEST(ApiKeyTest, EnvironmentGivesItsKeyOnce) {
  ::setenv("EGG_TEST_KEY", " sk-planted\n", 1);
  EXPECT_EQ(llvm::cantFail(takeKeyFromEnvironment("EGG_TEST_KEY")).reveal(),
            "sk-planted");
  EXPECT_EQ(::getenv("EGG_TEST_KEY"), nullptr);
  EXPECT_TRUE(llvm::cantFail(takeKeyFromEnvironment("EGG_TEST_KEY")).empty());
}

TEST(ApiKeyTest, KeysThatCouldEndAHeaderAreRefused) {
  for (const char *bad : {"a\r\nHost: b", "a b", "sk-\xc3\xa9"}) {
    ::setenv("EGG_TEST_KEY", bad, 1);
    auto key = takeKeyFromEnvironment("EGG_TEST_KEY");
    ASSERT_FALSE(bool(key));
    std::string message = llvm::toString(key.takeError());
    EXPECT_TRUE(contains(message, "the variable EGG_TEST_KEY has characters"));
    EXPECT_FALSE(llvm::StringRef(message).contains("Host"));
  }
}

/// Taken out of answers, they would take half the words with them.
TEST(ApiKeyTest, KeysThatAreWordsAreRefused) {
  for (const char *bad : {"k", "EMPTY", "1234567"}) {
    ::setenv("EGG_TEST_KEY", bad, 1);
    auto key = takeKeyFromEnvironment("EGG_TEST_KEY");
    ASSERT_FALSE(bool(key));
    EXPECT_TRUE(
        contains(llvm::toString(key.takeError()),
                 "the variable EGG_TEST_KEY has fewer than 8 characters"));
  }
  ::setenv("EGG_TEST_KEY", "12345678", 1);
  EXPECT_EQ(llvm::cantFail(takeKeyFromEnvironment("EGG_TEST_KEY")).reveal(),
            "12345678");
}

class KeyFileTest : public ScratchTest {
protected:
  std::string write(llvm::StringRef text, mode_t mode) {
    std::string path = at("key");
    llvm::cantFail(writeFileAtomically(path, text));
    ::chmod(path.c_str(), mode);
    return path;
  }
  std::string refusal(llvm::StringRef path) {
    auto key = readKeyFile(path);
    return key ? "" : llvm::toString(key.takeError());
  }
};

TEST_F(KeyFileTest, OnlyTheOwnersAreRead) {
  EXPECT_EQ(llvm::cantFail(readKeyFile(write("sk-planted\n", 0600))).reveal(),
            "sk-planted");
  EXPECT_EQ(llvm::cantFail(readKeyFile(write("sk-planted", 0400))).reveal(),
            "sk-planted");
  for (mode_t mode : {0604, 0640, 0601, 0644, 0660})
    EXPECT_TRUE(contains(refusal(write("sk-planted", mode)), "chmod 600"));
  EXPECT_TRUE(contains(refusal(write("sk-planted", 0644)), "(mode 644)"));
  EXPECT_TRUE(contains(refusal(write("", 0600)), "is empty"));
  EXPECT_TRUE(contains(refusal(write(std::string(5000, 'x'), 0600)),
                       "has over 4096 bytes"));
  EXPECT_TRUE(contains(refusal(at("none")), "cannot be read: No such file"));
  EXPECT_TRUE(contains(refusal(root), "is no regular file"));
  if (::geteuid() == 0) {
    std::string path = write("sk-planted", 0600);
    ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
    EXPECT_TRUE(contains(refusal(path), "belongs to another user"));
  }
}

TEST(ProviderTest, BuiltinOnesAreComplete) {
  for (llvm::StringRef name :
       {"openai", "anthropic", "vllm", "llama.cpp", "ollama", "compatible"}) {
    ProviderConfig provider = llvm::cantFail(findProvider(name));
    EXPECT_EQ(provider.name, name);
    EXPECT_FALSE(provider.keyVariable.empty());
    EXPECT_TRUE(provider.endData.empty() != provider.endType.empty());
  }
  auto none = findProvider("nobody");
  ASSERT_FALSE(bool(none));
  EXPECT_TRUE(contains(llvm::toString(none.takeError()),
                       "openai, anthropic, vllm, llama.cpp"));
}

TEST(ProviderTest, DamagedDocumentsAreErrors) {
  auto why = [](llvm::StringRef text) {
    auto providers = parseProviders(text);
    return providers ? "" : llvm::toString(providers.takeError());
  };
  EXPECT_TRUE(contains(why("{}"), "no array 'providers'"));
  EXPECT_TRUE(contains(why(R"({"providers":[{"protocol":"x"}]})"),
                       "unknown protocol 'x'"));
  EXPECT_TRUE(contains(
      why(R"({"protocols":{"x":{}},"providers":[{"protocol":"x"}]})"), "name"));
}

} // namespace
