//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// egg-chat: one request to a language model, by any of EGG's clients, and its
// answer: to try a connection, and what the agents' client makes of it.
//
//===----------------------------------------------------------------------===//
#include "Clients.h"
#include "egg/Support/Files.h"
#include "egg/Support/Text.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <csignal>

using namespace llvm;
using namespace egg;

static Expected<std::string> readInput(StringRef name) {
  if (name != "-")
    return readFile(name);
  auto buffer = MemoryBuffer::getSTDIN();
  if (!buffer)
    return createStringError(buffer.getError(), "cannot read standard input");
  return (*buffer)->getBuffer().str();
}

static Expected<ChatRequest> makeRequest(const ChatOptions &options) {
  ChatRequest request;
  auto add = [&](ChatRole role, StringRef file) -> Error {
    Expected<std::string> text = readInput(file);
    if (!text)
      return text.takeError();
    request.messages.push_back({role, std::move(*text)});
    return Error::success();
  };
  if (!options.system.empty())
    if (Error error = add(ChatRole::System, options.system))
      return std::move(error);
  if (Error error = add(ChatRole::User, options.input))
    return std::move(error);
  if (!options.schema.empty()) {
    Expected<std::string> schema = readInput(options.schema);
    if (!schema)
      return schema.takeError();
    request.schema = std::move(*schema);
    request.schemaName = options.schemaName;
  }
  request.maxOutputTokens = options.maxTokens;
  request.temperature = options.temperature;
  request.seed = options.seed;
  return request;
}

/// On a terminal a model's words are to be read, and nothing else; a file or
/// another program gets them as they are.
static std::string shown(StringRef text) {
  return outs().is_displayed() ? escapeUnseen(text) : text.str();
}

static Error printAnswer(const ChatOptions &options, const ChatAnswer &answer) {
  if (options.json) {
    outs() << escapeUnseen(formatv("{0:2}", toJSONValue(answer)).str(),
                           /*isJson=*/true)
           << "\n";
    return requireComplete(answer).takeError();
  }
  Expected<std::string> text = requireComplete(answer);
  if (!text) {
    // What there is may help; the exit code tells.
    if (answer.finish == ChatFinish::Truncated)
      outs() << shown(answer.text) << "\n";
    return text.takeError();
  }
  outs() << shown(*text) << (StringRef(*text).ends_with("\n") ? "" : "\n");
  return Error::success();
}

static Error probeAndPrint(const ChatOptions &options, Budget &budget) {
  Expected<ProviderConfig> provider = findProvider(options.model.provider);
  if (!provider)
    return provider.takeError();
  Expected<Secret> key = takeKey(options.model, *provider);
  if (!key)
    return key.takeError();
  auto transport = createCurlTransport();
  if (!transport)
    return transport.takeError();
  HttpClientOptions http = options.model.http;
  http.budget = &budget;
  bool any = false;
  for (const ProbeResult &result : probeEndpoint(
           *provider, http, [&] { return Secret(key->reveal()); }, **transport,
           Clock::system(), &budget)) {
    outs() << formatv("{0,-22}{1,-5}{2}\n", result.feature,
                      result.supported ? "yes" : "no",
                      escapeUnseen(result.detail));
    any |= result.supported;
  }
  return any ? Error::success()
             : createStringError(inconvertibleErrorCode(),
                                 "the endpoint answers in no way");
}

/// Seconds and dollars: NaN would be no ceiling at all.
static Error checkAmounts(const ChatOptions &options) {
  const HttpClientOptions &http = options.model.http;
  for (auto [amount, option] :
       {std::pair(options.budget.dollars, "budget-dollars"),
        {options.budget.seconds, "budget-seconds"},
        {std::optional(http.connectSeconds), "connect-timeout"},
        {std::optional(http.totalSeconds), "timeout"},
        {std::optional(http.stallSeconds), "stall-timeout"},
        {std::optional(http.retry.initialSeconds), "retry-wait"},
        {std::optional(http.retry.maxTotalSeconds), "retry-total"}})
    if (amount && !(*amount >= 0 && std::isfinite(*amount)))
      return createStringError(inconvertibleErrorCode(),
                               "--" + Twine(option) +
                                   " must be a finite number from 0");
  if (http.retry.maxAttempts < 1)
    return createStringError(inconvertibleErrorCode(),
                             "--attempts must be at least 1");
  return Error::success();
}

static Error run(const ChatOptions &options) {
  if (Error error = checkAmounts(options))
    return error;
  Expected<PriceTable> prices = PriceTable::read(options.prices);
  if (!prices)
    return prices.takeError();
  Budget budget(options.budget, *prices);
  if (options.probe)
    return probeAndPrint(options, budget);
  std::unique_ptr<HttpTransport> transport;
  auto client = createClient(options, budget, transport);
  if (!client)
    return client.takeError();
  Expected<ChatRequest> request = makeRequest(options);
  if (!request)
    return request.takeError();
  Expected<ChatAnswer> answer = (*client)->complete(*request);
  if (options.verbose) {
    if (answer)
      for (const std::string &note : answer->notes)
        errs() << "egg-chat: note: " << escapeUnseen(note) << "\n";
    errs() << "egg-chat: " << budget.describe() << "\n";
  }
  if (!answer)
    return answer.takeError();
  return printAnswer(options, *answer);
}

int main(int argc, char **argv) {
  // A closed pipe is an error of the write.
  ::signal(SIGPIPE, SIG_IGN);
  ChatOptions options = parseOptions(argc, argv);
  int status = 0;
  if (Error error = run(options)) {
    errs() << "egg-chat: " << escapeUnseen(toString(std::move(error))) << "\n";
    status = 1;
  }
  outs().flush();
  if (outs().has_error()) {
    errs() << "egg-chat: cannot write standard output: "
           << outs().error().message() << "\n";
    outs().clear_error();
    status = 1;
  }
  return status;
}
