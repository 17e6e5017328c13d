//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WireFormat.h"
#include "egg/LLM/HttpClient.h"

using namespace llvm;

namespace egg {

namespace {
/// What one request showed.
ProbeResult probe(StringRef feature, ProviderConfig provider,
                  HttpClientOptions options, const ChatRequest &request,
                  Secret key, HttpTransport &transport, Clock &clock,
                  Budget *budget) {
  ProbeResult result;
  result.feature = feature.str();
  auto client = createHttpClient(std::move(provider), std::move(options),
                                 std::move(key), transport, clock);
  if (!client) {
    result.detail = toString(client.takeError());
    return result;
  }
  if (budget)
    *client = createBudgetedClient(std::move(*client), *budget);
  Expected<ChatAnswer> answer = (*client)->complete(request);
  if (!answer) {
    result.detail = toString(answer.takeError());
    return result;
  }
  // Cut off is enough for text, but no JSON that holds to a schema.
  result.supported =
      answer->finish == ChatFinish::Complete ||
      (answer->finish == ChatFinish::Truncated && request.schema.empty());
  result.detail = (stringifyFinish(answer->finish) + ": '" +
                   showText(StringRef(answer->text).take_front(60)) + "'")
                      .str();
  for (const std::string &note : answer->notes)
    result.detail += "; " + note;
  return result;
}
} // namespace

std::vector<ProbeResult> probeEndpoint(const ProviderConfig &provider,
                                       HttpClientOptions options,
                                       function_ref<Secret()> key,
                                       HttpTransport &transport, Clock &clock,
                                       Budget *budget) {
  options.retry.maxAttempts = 1;
  ChatRequest request;
  request.messages = {{ChatRole::User, "Say yes."}};
  request.maxOutputTokens = 64;
  std::vector<ProbeResult> results;
  auto add = [&](StringRef feature, const ProviderConfig &config,
                 const HttpClientOptions &how) {
    results.push_back(
        probe(feature, config, how, request, key(), transport, clock, budget));
  };
  options.stream = false;
  add("text", provider, options);
  options.stream = true;
  add("stream", provider, options);
  options.stream = false;
  request.messages = {{ChatRole::User,
                       "Answer with JSON: is 7 a prime number? {\"prime\": "
                       "true} or {\"prime\": false}"}};
  request.schemaName = "prime";
  request.schema = R"({"type":"object","properties":{"prime":{"type":)"
                   R"("boolean"}},"required":["prime"],)"
                   R"("additionalProperties":false})";
  for (const StructuredMode &mode : provider.structured) {
    // With one mode alone a refusal shows as what it is: the client would go
    // on to the prompt alone, and says so in its notes.
    ProviderConfig only = provider;
    only.structured = {mode};
    add(mode.name, only, options);
    if (StringRef(results.back().detail).contains("the server refused"))
      results.back().supported = false;
  }
  ProviderConfig plain = provider;
  plain.structured.clear();
  add("schema in the prompt", plain, options);
  return results;
}

} // namespace egg
