//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A provider's request and answer as JSON, by its ProviderConfig alone.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_WIREFORMAT_H
#define EGG_LLM_WIREFORMAT_H

#include "ServerEvents.h"
#include "egg/LLM/ChatError.h"
#include "egg/LLM/Provider.h"

namespace egg {

/// The request's body. `mode` is how the answer is held to the schema; null:
/// by the prompt alone.
llvm::json::Value writeRequest(const ProviderConfig &provider,
                               llvm::StringRef model,
                               const ChatRequest &request,
                               const StructuredMode *mode, bool stream);

/// Untrusted text as part of a message: one line, at most 300 bytes.
std::string showText(llvm::StringRef text);

/// What an error answer's body says: its message if it has the provider's form,
/// else its beginning.
std::string describeErrorBody(const ProviderConfig &provider,
                              llvm::StringRef body);

/// Whether the kind of error in the body is one that waiting does not cure.
bool isFatalError(const ProviderConfig &provider, llvm::StringRef body);

/// Puts an answer together, from one document or from the events of a stream.
class AnswerReader {
public:
  AnswerReader(const ProviderConfig &provider, const ChatRequest &request,
               llvm::StringRef model)
      : provider(provider), request(request), model(model) {}

  /// Takes the whole body of an answer that is not streamed.
  llvm::Error takeBody(llvm::StringRef body, llvm::StringRef contentType);

  /// Takes a piece of a stream; whether more is wanted.
  bool takePiece(llvm::StringRef piece);
  /// The stream is over, by its end or because no more is wanted.
  llvm::Error finishStream(llvm::StringRef contentType);

  /// The answer, once all is taken. Errors: how it ended is not said or not
  /// known, another model answered (unless allowed).
  llvm::Expected<ChatAnswer> answer(bool allowOtherModel);

private:
  void takeEvent(llvm::StringRef data);
  void takeDocument(const llvm::json::Value &document,
                    const AnswerPointers &pointers);
  llvm::Error protocolError(const llvm::Twine &what) const;
  llvm::Error checkModel(bool allowOtherModel);

  const ProviderConfig &provider;
  const ChatRequest &request;
  std::string model;

  std::string text, refusal, finish, answeredBy;
  std::optional<int64_t> inputTokens, outputTokens;
  /// Whether something else than a number from 0 stood in the place of one.
  bool oddUsage = false;
  std::vector<std::string> notes;

  ServerEvents events;
  /// The stream until its first event: what came may be no stream.
  std::string raw;
  int64_t eventCount = 0;
  bool ended = false;
  /// The first error in the stream.
  std::optional<ChatError::Facts> failed;
};

} // namespace egg

#endif // EGG_LLM_WIREFORMAT_H
