//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ChatError: why a language model gave no answer that can be used, by kind, so
// that who asked can tell "ask again" from "ask otherwise" from "give up".
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_CHATERROR_H
#define EGG_LLM_CHATERROR_H

#include "egg/LLM/Chat.h"

namespace egg {

enum class ChatErrorKind {
  /// No connection, or it was lost before the answer was whole.
  Unreachable,
  /// No answer in time.
  TimedOut,
  /// The key is missing, wrong, or may not use this model.
  Unauthorized,
  /// 429: too many requests, or no credit left.
  RateLimited,
  /// 5xx, or an error in the middle of a stream.
  ServerFault,
  /// The model answered, but not what was asked for (see answerText).
  BadAnswer,
  /// The model declined (requireComplete only: complete() returns it).
  Refused,
  /// The answer is cut off (requireComplete only: complete() returns it).
  Truncated,
  /// A ceiling of the budget forbids the call, or (attempts > 0) to try again.
  OverBudget,
  /// The cassette has no answer to this request; nothing was sent.
  MissingRecording,
  /// What came is not the protocol, or the request is none.
  Protocol
};

llvm::StringRef stringifyErrorKind(ChatErrorKind kind);
std::optional<ChatErrorKind> symbolizeErrorKind(llvm::StringRef text);

class ChatError : public llvm::ErrorInfo<ChatError> {
public:
  static char ID; // NOLINT(readability-identifier-naming): llvm::ErrorInfo

  struct Facts {
    ChatErrorKind kind = ChatErrorKind::Protocol;
    /// What happened and where. No secrets, and nothing that acts on a
    /// terminal: makeChatError escapes it.
    std::string message;
    /// What to do next; may be empty.
    std::string remedy;
    /// Requests that were sent.
    int64_t attempts = 0;
    /// What those may have cost.
    ChatUsage usage;
    /// The model that gave the answer, where there was one and it is known:
    /// whose price holds. Empty: the one asked.
    std::string model;
    /// BadAnswer: the text the model gave, capped; may help to repair it.
    std::string answerText;
    bool operator==(const Facts &) const = default;
  };

  explicit ChatError(Facts facts) : facts(std::move(facts)) {}
  const Facts &get() const { return facts; }
  ChatErrorKind kind() const { return facts.kind; }
  llvm::StringRef remedy() const { return facts.remedy; }
  int64_t attempts() const { return facts.attempts; }

  /// "<message> (3 attempts); <remedy>".
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  Facts facts;
};

llvm::Error makeChatError(ChatErrorKind kind, const llvm::Twine &message,
                          const llvm::Twine &remedy = {}, int64_t attempts = 0);
llvm::Error makeChatError(ChatError::Facts facts);

/// The facts of an error; one that is no ChatError becomes Protocol.
ChatError::Facts takeFacts(llvm::Error error);

/// Whether the same request may well succeed later: Unreachable, TimedOut,
/// RateLimited, ServerFault.
bool isTransient(ChatErrorKind kind);

/// The answer's text, or Truncated or Refused as an error.
llvm::Expected<std::string> requireComplete(const ChatAnswer &answer);

llvm::json::Value toJSONValue(const ChatError::Facts &facts);
bool fromJSON(const llvm::json::Value &value, ChatError::Facts &facts,
              llvm::json::Path path);

} // namespace egg

#endif // EGG_LLM_CHATERROR_H
