//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is asked of a language model and what it answers, as values with JSON
// round trips. A request holds no secret and no machine: it can be recorded.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_CHAT_H
#define EGG_LLM_CHAT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace egg {

enum class ChatRole { System, User, Assistant };

struct ChatMessage {
  ChatRole role = ChatRole::User;
  /// UTF-8.
  std::string text;
  bool operator==(const ChatMessage &) const = default;
};

struct ChatRequest {
  /// System messages first, then user and assistant in turn, a user's last.
  std::vector<ChatMessage> messages;
  /// A name for the schema: letters, digits, '_' and '-'. Empty without one.
  std::string schemaName;
  /// JSON schema of the answer (the subset of JsonSchema.h); empty: any text.
  std::string schema;
  /// The most tokens the answer may have, hidden reasoning included.
  int64_t maxOutputTokens = 4096;
  /// Unset: the model's default.
  std::optional<double> temperature;
  /// For providers that have one; a request to repeat, not a promise.
  std::optional<int64_t> seed;
  bool operator==(const ChatRequest &) const = default;
};

/// Tokens of a call with all its attempts. Where the provider did not say, they
/// are an upper bound and `known` is false.
struct ChatUsage {
  int64_t inputTokens = 0, outputTokens = 0;
  bool known = true;
  bool operator==(const ChatUsage &) const = default;

  ChatUsage &operator+=(const ChatUsage &other);
};

enum class ChatFinish {
  /// The model ended by itself.
  Complete,
  /// The limit on output tokens ended it: the text is only a beginning.
  Truncated,
  /// The model or the provider's filter declined; the text may say why.
  Refused
};

struct ChatAnswer {
  /// UTF-8. With a schema and Complete: JSON that the schema accepts, nothing
  /// around it.
  std::string text;
  ChatFinish finish = ChatFinish::Complete;
  ChatUsage usage;
  /// The model that answered, as the provider says; the one asked for where it
  /// does not say.
  std::string model;
  /// Requests that were sent for it, the last one answered.
  int64_t attempts = 1;
  /// What the reader should know of how the answer came about: a fall-back, a
  /// retry, unknown usage. For people; never empty words.
  std::vector<std::string> notes;
  bool operator==(const ChatAnswer &) const = default;
};

llvm::StringRef stringifyRole(ChatRole role);
std::optional<ChatRole> symbolizeRole(llvm::StringRef text);
llvm::StringRef stringifyFinish(ChatFinish finish);
std::optional<ChatFinish> symbolizeFinish(llvm::StringRef text);

/// JSON and back. Texts that are not UTF-8 are repaired with U+FFFD.
llvm::json::Value toJSONValue(const ChatMessage &message);
llvm::json::Value toJSONValue(const ChatRequest &request);
llvm::json::Value toJSONValue(const ChatUsage &usage);
llvm::json::Value toJSONValue(const ChatAnswer &answer);
bool fromJSON(const llvm::json::Value &value, ChatMessage &message,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, ChatRequest &request,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, ChatUsage &usage,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, ChatAnswer &answer,
              llvm::json::Path path);

/// One line of JSON, keys sorted, no spaces: equal requests, equal texts.
std::string canonicalJSON(const llvm::json::Value &value);

/// SHA-256 of the canonical JSON of the request, the provider and the model:
/// what a recording is found by.
std::string hashPrompt(const ChatRequest &request, llvm::StringRef provider,
                       llvm::StringRef model);

/// An upper bound of the request's tokens: no tokenizer makes more tokens than
/// bytes, and what providers and chat templates add has an allowance.
int64_t inputTokenBound(const ChatRequest &request);

/// Why no model should be asked this (empty, not UTF-8, no room for an answer,
/// messages out of turn, a schema that is none), or success.
llvm::Error checkRequest(const ChatRequest &request);

/// The sentence that asks for JSON of the request's schema, with the schema;
/// empty without one. Goes to models whose provider enforces no schema.
std::string schemaInstructions(const ChatRequest &request);

/// The request as Markdown for a person or a program without roles: a heading
/// for each message, its text unchanged, then schemaInstructions.
std::string renderRequest(const ChatRequest &request);

} // namespace egg

#endif // EGG_LLM_CHAT_H
