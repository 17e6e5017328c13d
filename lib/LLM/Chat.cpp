//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/Chat.h"
#include "egg/LLM/ChatError.h"
#include "egg/LLM/JsonSchema.h"
#include "egg/Support/Hash.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace egg {

namespace {
// What a provider may add unseen: instructions of its own, special tokens of
// the chat template around each message.
constexpr int64_t kTokensPerRequest = 1024, kTokensPerMessage = 32;
} // namespace

static json::Value textToJSON(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

ChatUsage &ChatUsage::operator+=(const ChatUsage &other) {
  // A server may claim any number.
  auto add = [](int64_t &sum, int64_t more) {
    if (llvm::AddOverflow(sum, more, sum))
      sum = std::numeric_limits<int64_t>::max();
  };
  add(inputTokens, other.inputTokens);
  add(outputTokens, other.outputTokens);
  known &= other.known;
  return *this;
}

StringRef stringifyRole(ChatRole role) {
  switch (role) {
  case ChatRole::System:
    return "system";
  case ChatRole::User:
    return "user";
  case ChatRole::Assistant:
    return "assistant";
  }
  llvm_unreachable("unknown role");
}

std::optional<ChatRole> symbolizeRole(StringRef text) {
  for (ChatRole role : {ChatRole::System, ChatRole::User, ChatRole::Assistant})
    if (stringifyRole(role) == text)
      return role;
  return std::nullopt;
}

StringRef stringifyFinish(ChatFinish finish) {
  switch (finish) {
  case ChatFinish::Complete:
    return "complete";
  case ChatFinish::Truncated:
    return "truncated";
  case ChatFinish::Refused:
    return "refused";
  }
  llvm_unreachable("unknown finish");
}

std::optional<ChatFinish> symbolizeFinish(StringRef text) {
  for (ChatFinish finish :
       {ChatFinish::Complete, ChatFinish::Truncated, ChatFinish::Refused})
    if (stringifyFinish(finish) == text)
      return finish;
  return std::nullopt;
}

json::Value toJSONValue(const ChatMessage &message) {
  return json::Object{{"role", stringifyRole(message.role)},
                      {"text", textToJSON(message.text)}};
}

bool fromJSON(const json::Value &value, ChatMessage &message, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string role;
  if (!map || !map.map("role", role) || !map.map("text", message.text))
    return false;
  std::optional<ChatRole> known = symbolizeRole(role);
  if (!known) {
    path.field("role").report("expected system, user or assistant");
    return false;
  }
  message.role = *known;
  return true;
}

json::Value toJSONValue(const ChatRequest &request) {
  json::Array messages;
  for (const ChatMessage &message : request.messages)
    messages.push_back(toJSONValue(message));
  json::Object object{{"messages", std::move(messages)},
                      {"max_output_tokens", request.maxOutputTokens}};
  if (!request.schema.empty()) {
    object["schema"] = textToJSON(request.schema);
    object["schema_name"] = textToJSON(request.schemaName);
  }
  if (request.temperature)
    object["temperature"] = *request.temperature;
  if (request.seed)
    object["seed"] = *request.seed;
  return object;
}

bool fromJSON(const json::Value &value, ChatRequest &request, json::Path path) {
  json::ObjectMapper map(value, path);
  request.schema.clear();
  request.schemaName.clear();
  return map && map.map("messages", request.messages) &&
         map.map("max_output_tokens", request.maxOutputTokens) &&
         map.mapOptional("schema", request.schema) &&
         map.mapOptional("schema_name", request.schemaName) &&
         map.mapOptional("temperature", request.temperature) &&
         map.mapOptional("seed", request.seed);
}

json::Value toJSONValue(const ChatUsage &usage) {
  return json::Object{{"input_tokens", usage.inputTokens},
                      {"output_tokens", usage.outputTokens},
                      {"known", usage.known}};
}

bool fromJSON(const json::Value &value, ChatUsage &usage, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("input_tokens", usage.inputTokens) ||
      !map.map("output_tokens", usage.outputTokens) ||
      !map.map("known", usage.known))
    return false;
  for (auto [tokens, name] : {std::pair(usage.inputTokens, "input_tokens"),
                              {usage.outputTokens, "output_tokens"}})
    if (tokens < 0) {
      // It would give back what others have spent.
      path.field(name).report("expected a number from 0");
      return false;
    }
  return true;
}

json::Value toJSONValue(const ChatAnswer &answer) {
  json::Object object{{"text", textToJSON(answer.text)},
                      {"finish", stringifyFinish(answer.finish)},
                      {"usage", toJSONValue(answer.usage)},
                      {"model", textToJSON(answer.model)}};
  if (answer.attempts != 1)
    object["attempts"] = answer.attempts;
  json::Array notes;
  for (const std::string &note : answer.notes)
    notes.push_back(textToJSON(note));
  if (!notes.empty())
    object["notes"] = std::move(notes);
  return object;
}

bool fromJSON(const json::Value &value, ChatAnswer &answer, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string finish;
  answer.notes.clear();
  answer.attempts = 1;
  if (!map || !map.map("text", answer.text) || !map.map("finish", finish) ||
      !map.map("usage", answer.usage) || !map.map("model", answer.model) ||
      !map.mapOptional("attempts", answer.attempts) ||
      !map.mapOptional("notes", answer.notes))
    return false;
  if (answer.attempts < 1) {
    path.field("attempts").report("expected a number from 1");
    return false;
  }
  std::optional<ChatFinish> known = symbolizeFinish(finish);
  if (!known) {
    path.field("finish").report("expected complete, truncated or refused");
    return false;
  }
  answer.finish = *known;
  return true;
}

std::string canonicalJSON(const json::Value &value) {
  std::string text;
  raw_string_ostream(text) << value;
  return text;
}

std::string hashPrompt(const ChatRequest &request, StringRef provider,
                       StringRef model) {
  return sha256(canonicalJSON(json::Object{{"request", toJSONValue(request)},
                                           {"provider", textToJSON(provider)},
                                           {"model", textToJSON(model)}}));
}

int64_t inputTokenBound(const ChatRequest &request) {
  int64_t bound = kTokensPerRequest;
  for (const ChatMessage &message : request.messages)
    bound += int64_t(message.text.size()) + kTokensPerMessage;
  if (!request.schema.empty())
    // Once for the provider's grammar or prompt, once for ours.
    bound += 2 * int64_t(request.schema.size());
  return bound;
}

static bool isSchemaName(StringRef name) {
  return !name.empty() && name.size() <= 64 && all_of(name, [](char c) {
    return isAlnum(c) || c == '_' || c == '-';
  });
}

Error checkRequest(const ChatRequest &request) {
  auto fail = [](const Twine &what, const Twine &remedy) {
    return makeChatError(ChatErrorKind::Protocol,
                         "the request to the model " + what, remedy);
  };
  if (request.maxOutputTokens < 1)
    return fail("leaves the answer " + Twine(request.maxOutputTokens) +
                    " tokens",
                "ask for at least one");
  if (request.temperature &&
      !(*request.temperature >= 0 && *request.temperature <= 2))
    return fail("has temperature " + std::to_string(*request.temperature),
                "use one from 0 to 2");
  std::optional<ChatRole> previous;
  for (auto [index, message] : enumerate(request.messages)) {
    size_t offset = 0;
    if (message.text.empty())
      return fail("has an empty message " + Twine(index), "leave it out");
    if (!json::isUTF8(message.text, &offset))
      return fail("has bytes that are not UTF-8 in message " + Twine(index) +
                      " at offset " + Twine(offset),
                  "repair the text first");
    bool inTurn = message.role == ChatRole::System
                      ? !previous || *previous == ChatRole::System
                  : message.role == ChatRole::User
                      ? !previous || *previous != ChatRole::User
                      : previous == ChatRole::User;
    if (!inTurn)
      return fail("has message " + Twine(index) + " of the " +
                      stringifyRole(message.role) + " out of turn",
                  "put system messages first, then user and assistant in turn");
    previous = message.role;
  }
  if (previous != ChatRole::User)
    return fail("does not end with a message of the user", "add one");
  if (request.schema.empty())
    return Error::success();
  if (!isSchemaName(request.schemaName))
    return fail("names its schema '" + request.schemaName + "'",
                "use 1 to 64 letters, digits, '_' and '-'");
  if (Expected<JsonSchema> schema = JsonSchema::parse(request.schema); !schema)
    return fail("has a schema that is none: " + toString(schema.takeError()),
                "see JsonSchema.h for what a schema may have");
  return Error::success();
}

std::string schemaInstructions(const ChatRequest &request) {
  if (request.schema.empty())
    return "";
  return "Answer with one JSON value that this JSON Schema accepts, and "
         "nothing else: no explanation, no Markdown.\n\n" +
         request.schema + "\n";
}

std::string renderRequest(const ChatRequest &request) {
  std::string text;
  for (const ChatMessage &message : request.messages) {
    StringRef title = message.role == ChatRole::System ? "System"
                      : message.role == ChatRole::User ? "User"
                                                       : "Assistant";
    text += ("# " + title + "\n\n" + message.text).str();
    text += StringRef(message.text).ends_with("\n") ? "\n" : "\n\n";
  }
  if (!request.schema.empty())
    text += "# Form of the answer\n\n" + schemaInstructions(request);
  return text;
}

} // namespace egg
