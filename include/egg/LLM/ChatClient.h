//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ChatClient: whoever answers a ChatRequest: a server, a recording, a person by
// mailbox, a command. All are checked alike: a model's answer is untrusted.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_CHATCLIENT_H
#define EGG_LLM_CHATCLIENT_H

#include "egg/LLM/ChatError.h"
#include <memory>

namespace egg {

/// Used from one thread at a time.
class ChatClient {
public:
  virtual ~ChatClient();

  /// Asks. The request is checked first (checkRequest); the answer's text is
  /// UTF-8 of at most kMaxAnswerBytes and, if Complete and a schema was given,
  /// JSON that the schema accepts, taken out of a Markdown fence. Truncated and
  /// Refused are answers, their texts unchecked. Errors are ChatErrors.
  llvm::Expected<ChatAnswer> complete(const ChatRequest &request);

  /// Tells that the request was answered from a record, in its place: asked
  /// again it is another one.
  virtual void passOver(const ChatRequest &request) {}

  /// Who serves the model ("openai", "mailbox", ...), and the model asked for:
  /// with the request they make the prompt's hash.
  virtual llvm::StringRef provider() const = 0;
  virtual llvm::StringRef model() const = 0;

  /// For reports: "openai: MODEL".
  std::string name() const;

private:
  virtual llvm::Expected<ChatAnswer> ask(const ChatRequest &request) = 0;
};

/// A longer answer is a BadAnswer.
inline constexpr int64_t kMaxAnswerBytes = int64_t(4) << 20;

/// What complete() does with an answer: the checks, and the text without its
/// fence.
llvm::Expected<ChatAnswer> checkAnswer(const ChatRequest &request,
                                       ChatAnswer answer);

} // namespace egg

#endif // EGG_LLM_CHATCLIENT_H
