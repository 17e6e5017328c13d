//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/ChatError.h"
#include "egg/Support/Text.h"

using namespace llvm;

namespace egg {

char ChatError::ID = 0;

namespace {
/// Of an answer that is of no use, enough to see why.
constexpr size_t kMaxKeptAnswer = 64 << 10;

constexpr std::pair<ChatErrorKind, StringLiteral> kKinds[] = {
    {ChatErrorKind::Unreachable, "unreachable"},
    {ChatErrorKind::TimedOut, "timed_out"},
    {ChatErrorKind::Unauthorized, "unauthorized"},
    {ChatErrorKind::RateLimited, "rate_limited"},
    {ChatErrorKind::ServerFault, "server_fault"},
    {ChatErrorKind::BadAnswer, "bad_answer"},
    {ChatErrorKind::Refused, "refused"},
    {ChatErrorKind::Truncated, "truncated"},
    {ChatErrorKind::OverBudget, "over_budget"},
    {ChatErrorKind::MissingRecording, "missing_recording"},
    {ChatErrorKind::Protocol, "protocol"}};
} // namespace

StringRef stringifyErrorKind(ChatErrorKind kind) {
  for (auto &[known, name] : kKinds)
    if (known == kind)
      return name;
  llvm_unreachable("unknown kind");
}

std::optional<ChatErrorKind> symbolizeErrorKind(StringRef text) {
  for (auto &[known, name] : kKinds)
    if (name == text)
      return known;
  return std::nullopt;
}

void ChatError::log(raw_ostream &os) const {
  os << facts.message;
  if (facts.attempts > 1)
    os << " (" << countOf(facts.attempts, "attempt", "attempts") << ")";
  if (!facts.remedy.empty())
    os << "; " << facts.remedy;
}

Error makeChatError(ChatErrorKind kind, const Twine &message,
                    const Twine &remedy, int64_t attempts) {
  ChatError::Facts facts;
  facts.kind = kind;
  facts.message = message.str();
  facts.remedy = remedy.str();
  facts.attempts = attempts;
  return makeChatError(std::move(facts));
}

Error makeChatError(ChatError::Facts facts) {
  // Servers and models have their words in them.
  facts.message = escapeUnseen(facts.message);
  facts.remedy = escapeUnseen(facts.remedy);
  if (facts.answerText.size() > kMaxKeptAnswer)
    facts.answerText.resize(kMaxKeptAnswer);
  // Also where the cut is in the middle of a character.
  if (!json::isUTF8(facts.answerText))
    facts.answerText = json::fixUTF8(facts.answerText);
  return make_error<ChatError>(std::move(facts));
}

ChatError::Facts takeFacts(Error error) {
  ChatError::Facts facts;
  handleAllErrors(
      std::move(error), [&](const ChatError &chat) { facts = chat.get(); },
      [&](const ErrorInfoBase &other) { facts.message = other.message(); });
  return facts;
}

bool isTransient(ChatErrorKind kind) {
  return kind == ChatErrorKind::Unreachable ||
         kind == ChatErrorKind::TimedOut ||
         kind == ChatErrorKind::RateLimited ||
         kind == ChatErrorKind::ServerFault;
}

Expected<std::string> requireComplete(const ChatAnswer &answer) {
  ChatError::Facts facts;
  facts.usage = answer.usage;
  facts.answerText = answer.text;
  switch (answer.finish) {
  case ChatFinish::Complete:
    return answer.text;
  case ChatFinish::Truncated:
    facts.kind = ChatErrorKind::Truncated;
    facts.message = "the answer of '" + answer.model +
                    "' was cut off at the limit on output tokens";
    facts.remedy = "allow more output tokens, or ask for less";
    break;
  case ChatFinish::Refused:
    facts.kind = ChatErrorKind::Refused;
    facts.message = "'" + answer.model + "' declined to answer";
    if (!answer.text.empty())
      facts.message +=
          ": " + json::fixUTF8(StringRef(answer.text).take_front(300));
    facts.remedy = "ask otherwise, or another model";
    break;
  }
  return makeChatError(std::move(facts));
}

json::Value toJSONValue(const ChatError::Facts &facts) {
  json::Object object{{"kind", stringifyErrorKind(facts.kind)},
                      {"message", json::fixUTF8(facts.message)},
                      {"remedy", json::fixUTF8(facts.remedy)},
                      {"attempts", facts.attempts},
                      {"usage", toJSONValue(facts.usage)}};
  if (!facts.model.empty())
    object["model"] = json::fixUTF8(facts.model);
  if (!facts.answerText.empty())
    object["answer_text"] = json::fixUTF8(facts.answerText);
  return object;
}

bool fromJSON(const json::Value &value, ChatError::Facts &facts,
              json::Path path) {
  json::ObjectMapper map(value, path);
  std::string kind;
  facts.answerText.clear();
  facts.model.clear();
  if (!map || !map.map("kind", kind) || !map.map("message", facts.message) ||
      !map.map("remedy", facts.remedy) ||
      !map.map("attempts", facts.attempts) || !map.map("usage", facts.usage) ||
      !map.mapOptional("model", facts.model) ||
      !map.mapOptional("answer_text", facts.answerText))
    return false;
  if (facts.attempts < 0) {
    path.field("attempts").report("expected a number from 0");
    return false;
  }
  std::optional<ChatErrorKind> known = symbolizeErrorKind(kind);
  if (!known) {
    path.field("kind").report("unknown kind of error");
    return false;
  }
  facts.kind = *known;
  return true;
}

} // namespace egg
