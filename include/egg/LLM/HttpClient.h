//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A client of a language model's server, whose peculiarities are data
// (ProviderConfig): chat completions as OpenAI, vLLM, llama.cpp and Ollama have
// them, and Anthropic's messages.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_HTTPCLIENT_H
#define EGG_LLM_HTTPCLIENT_H

#include "egg/LLM/Budget.h"
#include "egg/LLM/HttpTransport.h"
#include "egg/LLM/Provider.h"

namespace egg {

/// Waits between attempts: initialSeconds, twice as long each time up to
/// maxSeconds, each times a random factor in [0.5, 1); or what Retry-After
/// asks, if that is more.
struct RetryPolicy {
  int64_t maxAttempts = 4;
  double initialSeconds = 1, maxSeconds = 30;
  /// Of all waits of one call; a Retry-After beyond it ends the call.
  double maxTotalSeconds = 120;
  /// Of the random factors.
  uint64_t seed = 0;
};

struct HttpClientOptions {
  std::string model;
  /// Instead of the provider's; no final slash needed.
  std::string baseUrl;
  bool stream = false;
  RetryPolicy retry;
  double connectSeconds = 10, totalSeconds = 600, stallSeconds = 120;
  /// Whether an answer by another model is used, with a note.
  bool allowOtherModel = false;
  /// Whether the key may go over plain HTTP to another machine.
  bool allowPlainHttpKey = false;
  /// Ceilings that also hold for each attempt after the first; what the failed
  /// ones may have cost counts. Booking is createBudgetedClient's.
  const Budget *budget = nullptr;
};

/// A client of the provider. Lost connections, time-outs, 429 and 5xx are tried
/// again; other statuses are not. With a schema, the provider's strongest way
/// to hold the answer to it is tried first; a server that refuses it (400, 415,
/// 422, 501) gets the next weaker one, and the client remembers. Nothing that a
/// server sends back can carry the key out: errors, notes and answers have
/// "(secret)" in its place. An error for a base URL that is none, for a
/// missing key, or one that would go over plain HTTP.
llvm::Expected<std::unique_ptr<ChatClient>>
createHttpClient(ProviderConfig provider, HttpClientOptions options, Secret key,
                 HttpTransport &transport, Clock &clock = Clock::system());

/// What an endpoint can do, as asking it showed.
struct ProbeResult {
  /// "text", "stream", or a structured mode's name.
  std::string feature;
  bool supported = false;
  /// What was answered, or why it is not supported.
  std::string detail;
};

/// Asks for a few tokens in each way, once and without retries. With
/// structured modes, supported means that the answer held to the schema. A
/// budget that is not null holds for all of it.
std::vector<ProbeResult> probeEndpoint(const ProviderConfig &provider,
                                       HttpClientOptions options,
                                       llvm::function_ref<Secret()> key,
                                       HttpTransport &transport, Clock &clock,
                                       Budget *budget = nullptr);

} // namespace egg

#endif // EGG_LLM_HTTPCLIENT_H
