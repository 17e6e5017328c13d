//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/ChatClient.h"
#include "egg/LLM/Clock.h"
#include "egg/LLM/JsonSchema.h"
#include "egg/LLM/JsonText.h"
#include <chrono>
#include <thread>

using namespace llvm;

namespace egg {

ChatClient::~ChatClient() = default;

std::string ChatClient::name() const {
  return (provider() + ": " + model()).str();
}

Expected<ChatAnswer> ChatClient::complete(const ChatRequest &request) {
  if (Error error = checkRequest(request))
    return std::move(error);
  Expected<ChatAnswer> answer = ask(request);
  if (!answer)
    return makeChatError(takeFacts(answer.takeError()));
  return checkAnswer(request, std::move(*answer));
}

Expected<ChatAnswer> checkAnswer(const ChatRequest &request,
                                 ChatAnswer answer) {
  auto fail = [&](const Twine &what, const Twine &remedy) {
    ChatError::Facts facts;
    facts.kind = ChatErrorKind::BadAnswer;
    facts.message = ("the answer of '" + answer.model + "' " + what).str();
    facts.remedy = remedy.str();
    facts.attempts = answer.attempts;
    facts.usage = answer.usage;
    facts.model = answer.model;
    facts.answerText = answer.text;
    return makeChatError(std::move(facts));
  };
  if (int64_t(answer.text.size()) > kMaxAnswerBytes)
    return fail("has " + Twine(answer.text.size()) + " bytes, the limit is " +
                    Twine(kMaxAnswerBytes),
                "ask for less, or allow fewer output tokens");
  size_t offset = 0;
  if (!json::isUTF8(answer.text, &offset))
    return fail("is not UTF-8 at offset " + Twine(offset), "ask again");
  if (answer.finish != ChatFinish::Complete)
    return answer;
  if (StringRef(answer.text).trim().empty())
    return fail("is empty", "ask again, or allow more output tokens");
  if (request.schema.empty())
    return answer;
  Expected<JsonSchema> schema = JsonSchema::parse(request.schema);
  if (!schema)
    return schema.takeError();
  StringRef text = stripMarkdownFence(answer.text);
  Expected<json::Value> value = parseUntrustedJson(text);
  if (!value)
    return fail("is not the JSON that was asked for: " +
                    toString(value.takeError()),
                "ask again, with this error");
  if (Error error = schema->validate(*value))
    return fail("is not what schema '" + request.schemaName +
                    "' asks for: " + toString(std::move(error)),
                "ask again, with this error");
  answer.text = text.str();
  return answer;
}

Clock::~Clock() = default;

namespace {
class SystemClock : public Clock {
public:
  double seconds() override {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
  }
  int64_t unixSeconds() override {
    return std::chrono::system_clock::to_time_t(
        std::chrono::system_clock::now());
  }
  void sleep(double seconds) override {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
};
} // namespace

Clock &Clock::system() {
  static SystemClock clock;
  return clock;
}

} // namespace egg
