//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WireFormat.h"
#include "egg/LLM/JsonText.h"

using namespace llvm;

namespace egg {

/// A mode's template with the schema and its name put in.
static json::Value fillIn(const json::Value &value, const json::Value &schema,
                          StringRef name) {
  if (auto text = value.getAsString()) {
    if (*text == "$schema")
      return schema;
    if (*text == "$name")
      return name.str();
    return value;
  }
  if (const json::Array *array = value.getAsArray()) {
    json::Array filled;
    for (const json::Value &element : *array)
      filled.push_back(fillIn(element, schema, name));
    return filled;
  }
  const json::Object *object = value.getAsObject();
  if (!object)
    return value;
  json::Object filled;
  for (const auto &[key, field] : *object)
    filled[key] = fillIn(field, schema, name);
  return filled;
}

json::Value writeRequest(const ProviderConfig &provider, StringRef model,
                         const ChatRequest &request, const StructuredMode *mode,
                         bool stream) {
  json::Object body{{"model", json::fixUTF8(model)}};
  std::string system;
  json::Array messages;
  bool showSchema = !request.schema.empty() && (!mode || mode->showSchema);
  for (const ChatMessage &message : request.messages) {
    if (message.role == ChatRole::System && !provider.systemField.empty()) {
      system += (system.empty() ? "" : "\n\n") + message.text;
      continue;
    }
    std::string text = message.text;
    // The last message is the user's (checkRequest).
    if (showSchema && &message == &request.messages.back())
      text += "\n\n" + schemaInstructions(request);
    messages.push_back(json::Object{{"role", stringifyRole(message.role)},
                                    {"content", std::move(text)}});
  }
  body["messages"] = std::move(messages);
  if (!system.empty())
    body[provider.systemField] = std::move(system);
  body[provider.maxTokensField] = request.maxOutputTokens;
  if (request.temperature && !provider.temperatureField.empty())
    body[provider.temperatureField] = *request.temperature;
  if (request.seed && !provider.seedField.empty())
    body[provider.seedField] = *request.seed;
  if (mode) {
    // checkRequest has read it.
    json::Value schema = cantFail(json::parse(request.schema));
    for (const auto &[name, value] : mode->body)
      body[name] = fillIn(value, schema, request.schemaName);
  }
  if (stream)
    for (const auto &[name, value] : provider.streamBody)
      body[name] = value;
  return body;
}

std::string showText(StringRef text) {
  bool cut = text.size() > 300;
  std::string shown = json::fixUTF8(text.take_front(300));
  for (char &c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return cut ? shown + " ..." : shown;
}

static std::string textAt(const json::Value &document, StringRef pointer) {
  std::string text;
  if (!pointer.empty())
    for (const json::Value *value : valuesAt(document, pointer))
      text += value->getAsString().value_or("");
  return text;
}

std::string describeErrorBody(const ProviderConfig &provider, StringRef body) {
  StringRef shown = body.trim();
  if (shown.empty())
    return "nothing";
  Expected<json::Value> document = parseUntrustedJson(body);
  if (!document) {
    consumeError(document.takeError());
    return "'" + showText(shown) + "'";
  }
  std::string message = textAt(*document, provider.answer.errorMessage);
  return "'" + showText(message.empty() ? shown : message) + "'";
}

bool isFatalError(const ProviderConfig &provider, StringRef body) {
  Expected<json::Value> document = parseUntrustedJson(body);
  if (!document) {
    consumeError(document.takeError());
    return false;
  }
  return is_contained(provider.fatalErrors,
                      textAt(*document, provider.answer.errorKind));
}

} // namespace egg
