//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/Provider.h"
#include "ProvidersData.h"
#include "egg/LLM/JsonText.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace egg {

bool ProviderConfig::isNameOf(StringRef model, StringRef answeredBy) const {
  StringRef rest = answeredBy;
  return rest.consume_front(model) &&
         (rest.empty() || (!modelSuffix.empty() &&
                           Regex("^(" + modelSuffix + ")$").match(rest)));
}

static bool fromJSON(const json::Value &value, AnswerPointers &pointers,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("text", pointers.text) &&
         map.mapOptional("refusal", pointers.refusal) &&
         map.map("finish", pointers.finish) &&
         map.map("model", pointers.model) &&
         map.map("input_tokens", pointers.inputTokens) &&
         map.map("output_tokens", pointers.outputTokens) &&
         map.map("error_message", pointers.errorMessage) &&
         map.map("error_kind", pointers.errorKind);
}

static bool objectFromJSON(const json::Object &parent, StringRef field,
                           json::Object &object, json::Path path) {
  const json::Object *found = parent.getObject(field);
  if (!found) {
    path.field(field).report("expected object");
    return false;
  }
  object = *found;
  return true;
}

static bool fromJSON(const json::Value &value, StructuredMode &mode,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", mode.name) &&
         objectFromJSON(*value.getAsObject(), "body", mode.body, path) &&
         map.mapOptional("show_schema", mode.showSchema);
}

static bool fromJSON(const json::Value &value, ProviderConfig &provider,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  std::map<std::string, std::string> finish;
  if (!map || !map.map("name", provider.name) ||
      !map.mapOptional("base_url", provider.baseUrl) ||
      !map.map("path", provider.path) ||
      !map.map("key_variable", provider.keyVariable) ||
      !map.map("key_header", provider.keyHeader) ||
      !map.mapOptional("key_prefix", provider.keyPrefix) ||
      !map.mapOptional("key_required", provider.keyRequired) ||
      !map.mapOptional("headers", provider.headers) ||
      !map.mapOptional("system_field", provider.systemField) ||
      !map.map("max_tokens_field", provider.maxTokensField) ||
      !map.mapOptional("temperature_field", provider.temperatureField) ||
      !map.mapOptional("seed_field", provider.seedField) ||
      !map.map("structured", provider.structured) ||
      !objectFromJSON(*value.getAsObject(), "stream_body", provider.streamBody,
                      path) ||
      !map.map("answer", provider.answer) ||
      !map.map("event", provider.event) ||
      !map.mapOptional("end_data", provider.endData) ||
      !map.mapOptional("end_type", provider.endType) ||
      !map.map("finish", finish) ||
      !map.map("fatal_errors", provider.fatalErrors) ||
      !map.mapOptional("model_suffix", provider.modelSuffix) ||
      !map.mapOptional("model_must_match", provider.modelMustMatch))
    return false;
  for (const auto &[reason, meaning] : finish) {
    std::optional<ChatFinish> known = symbolizeFinish(meaning);
    if (!known) {
      path.field("finish").field(reason).report(
          "expected complete, truncated or refused");
      return false;
    }
    provider.finish[reason] = *known;
  }
  return true;
}

Expected<std::vector<ProviderConfig>> parseProviders(StringRef text) {
  auto fail = [](const Twine &what) {
    return createStringError(inconvertibleErrorCode(),
                             "cannot read the providers: " + what);
  };
  Expected<json::Value> document = parseUntrustedJson(text);
  if (!document)
    return fail(toString(document.takeError()));
  const json::Value *list = valueAt(*document, "/providers");
  if (!list || !list->getAsArray())
    return fail("there is no array 'providers'");
  std::vector<ProviderConfig> providers;
  for (const json::Value &entry : *list->getAsArray()) {
    const json::Object *own = entry.getAsObject();
    std::string protocol =
        own ? own->getString("protocol").value_or("").str() : "";
    const json::Value *shared = valueAt(*document, "/protocols/" + protocol);
    if (protocol.empty() || !shared || !shared->getAsObject())
      return fail("a provider is of the unknown protocol '" + protocol + "'");
    json::Object merged = *shared->getAsObject();
    for (const auto &[name, value] : *own)
      merged[name] = value;
    json::Path::Root root("provider");
    ProviderConfig provider;
    if (!fromJSON(json::Value(std::move(merged)), provider, root))
      return fail(toString(root.getError()));
    providers.push_back(std::move(provider));
  }
  return providers;
}

const std::vector<ProviderConfig> &builtinProviders() {
  static const std::vector<ProviderConfig> providers =
      cantFail(parseProviders(kProvidersData));
  return providers;
}

Expected<ProviderConfig> findProvider(StringRef name) {
  std::string known;
  for (const ProviderConfig &provider : builtinProviders()) {
    if (provider.name == name)
      return provider;
    known += (known.empty() ? "" : ", ") + provider.name;
  }
  return createStringError(inconvertibleErrorCode(),
                           "there is no provider '" + name +
                               "'; the providers are " + known);
}

} // namespace egg
