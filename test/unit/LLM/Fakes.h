//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the tests of the LLM library share: a clock that nobody waits for, a
// client that answers by script, a scratch directory.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TEST_UNIT_LLM_FAKES_H
#define EGG_TEST_UNIT_LLM_FAKES_H

#include "egg/LLM/ChatClient.h"
#include "egg/LLM/Clock.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <deque>
#include <functional>

namespace egg::test {

class FakeClock : public Clock {
public:
  double seconds() override { return now; }
  int64_t unixSeconds() override { return 1'700'000'000 + int64_t(now); }
  void sleep(double seconds) override {
    now += seconds;
    sleeps.push_back(seconds);
    if (onSleep)
      onSleep();
  }
  double now = 100;
  std::vector<double> sleeps;
  std::function<void()> onSleep;
};

/// Gives its answers in turn; notes what it was asked.
class ScriptedClient : public ChatClient {
public:
  using Step = std::variant<ChatAnswer, ChatError::Facts>;
  explicit ScriptedClient(std::deque<Step> steps) : steps(std::move(steps)) {}
  llvm::StringRef provider() const override { return "openai"; }
  llvm::StringRef model() const override { return "gpt-4o"; }
  static inline int asked = 0;

private:
  llvm::Expected<ChatAnswer> ask(const ChatRequest &request) override {
    ++asked;
    if (steps.empty())
      return makeChatError(ChatErrorKind::Protocol, "the script is over");
    Step step = steps.front();
    steps.pop_front();
    if (auto *answer = std::get_if<ChatAnswer>(&step))
      return *answer;
    return makeChatError(std::get<ChatError::Facts>(step));
  }
  std::deque<Step> steps;
};

inline ChatRequest makeRequest(std::string text = "What is 1 + 1?") {
  ChatRequest request;
  request.messages = {{ChatRole::System, "Be short."},
                      {ChatRole::User, std::move(text)}};
  request.maxOutputTokens = 100;
  return request;
}

inline ChatAnswer makeAnswer(std::string text, int64_t input = 10,
                             int64_t output = 5) {
  ChatAnswer answer;
  answer.text = std::move(text);
  answer.model = "gpt-4o";
  answer.usage = {input, output, true};
  return answer;
}

inline ChatError::Facts makeFacts(ChatErrorKind kind) {
  ChatError::Facts facts;
  facts.kind = kind;
  facts.message = "it went wrong";
  facts.remedy = "try again";
  facts.attempts = 2;
  facts.usage = {7, 3, false};
  return facts;
}

/// The facts of the error that was expected.
template <typename T> ChatError::Facts factsOf(llvm::Expected<T> result) {
  if (result) {
    ADD_FAILURE() << "expected an error";
    return {};
  }
  return takeFacts(result.takeError());
}

inline ChatError::Facts factsOf(llvm::Error error) {
  EXPECT_TRUE(bool(error)) << "expected an error";
  return takeFacts(std::move(error));
}

inline ::testing::AssertionResult contains(llvm::StringRef text,
                                           llvm::StringRef part) {
  if (text.contains(part))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "no '" << part.str() << "' in: " << text.str();
}

class ScratchTest : public ::testing::Test {
protected:
  ScratchTest() { llvm::sys::fs::createUniqueDirectory("egg-llm", root); }
  ~ScratchTest() override { llvm::sys::fs::remove_directories(root); }
  std::string at(llvm::StringRef name) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  llvm::SmallString<128> root;
};

} // namespace egg::test

#endif // EGG_TEST_UNIT_LLM_FAKES_H
