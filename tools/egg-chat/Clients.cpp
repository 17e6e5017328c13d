//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Clients.h"
#include "egg/LLM/Cassette.h"
#include "egg/LLM/ExecClient.h"
#include "egg/LLM/MailboxClient.h"

using namespace llvm;

namespace egg {

Expected<Secret> takeKey(const ChatOptions &options,
                         const ProviderConfig &provider) {
  // Also with a file: no child shall have it.
  Expected<Secret> key = takeKeyFromEnvironment(provider.keyVariable);
  if (!key || options.keyFile.empty())
    return key;
  return readKeyFile(options.keyFile);
}

HttpClientOptions httpOptions(const ChatOptions &options,
                              const Budget *budget) {
  HttpClientOptions http;
  http.model = options.model;
  http.baseUrl = options.baseUrl;
  http.stream = options.stream;
  http.connectSeconds = options.connectTimeout;
  http.totalSeconds = options.timeout;
  http.stallSeconds = options.stallTimeout;
  http.allowOtherModel = options.allowOtherModel;
  http.allowPlainHttpKey = options.allowPlainHttpKey;
  http.retry.maxAttempts = options.attempts;
  http.retry.initialSeconds = options.retryWait;
  http.retry.maxTotalSeconds = options.retryTotal;
  http.retry.seed = options.retrySeed;
  http.budget = budget;
  return http;
}

static Error wrongUsage(const Twine &what) {
  return createStringError(inconvertibleErrorCode(), what);
}

/// Whoever really answers.
static Expected<std::unique_ptr<ChatClient>>
createAnswerer(const ChatOptions &options, const Budget &budget,
               std::unique_ptr<HttpTransport> &transport) {
  int ways = !options.mailbox.empty() + !options.exec.empty() +
             !options.provider.empty();
  if (ways != 1)
    return wrongUsage("name who answers by one of --provider, --mailbox and "
                      "--exec; or --replay a cassette");
  std::string model = options.model.empty() ? "unknown" : options.model;
  if (!options.mailbox.empty()) {
    MailboxOptions mailbox;
    mailbox.directory = options.mailbox;
    mailbox.model = model;
    mailbox.timeoutSeconds = options.timeout;
    return createMailboxClient(mailbox);
  }
  if (!options.exec.empty()) {
    ExecOptions exec;
    exec.command = options.exec;
    exec.model = model;
    exec.timeoutSeconds = options.timeout;
    exec.variables = options.execVariables;
    return createExecClient(exec);
  }
  Expected<ProviderConfig> provider = findProvider(options.provider);
  if (!provider)
    return provider.takeError();
  Expected<Secret> key = takeKey(options, *provider);
  if (!key)
    return key.takeError();
  auto created = createCurlTransport();
  if (!created)
    return created.takeError();
  transport = std::move(*created);
  return createHttpClient(std::move(*provider), httpOptions(options, &budget),
                          std::move(*key), *transport);
}

Expected<std::unique_ptr<ChatClient>>
createClient(const ChatOptions &options, const Budget &budget,
             std::unique_ptr<HttpTransport> &transport) {
  int cassettes = !options.record.empty() + !options.replay.empty() +
                  !options.resume.empty();
  if (cassettes > 1)
    return wrongUsage("give one of --record, --replay and --resume");
  if (!options.replay.empty()) {
    auto cassette = Cassette::open(options.replay, CassetteMode::Replay);
    if (!cassette)
      return cassette.takeError();
    return createReplayClient(std::move(*cassette), options.provider,
                              options.model);
  }
  auto answerer = createAnswerer(options, budget, transport);
  if (!answerer || !cassettes)
    return answerer;
  bool resumes = !options.resume.empty();
  auto cassette =
      Cassette::open(resumes ? options.resume : options.record,
                     resumes ? CassetteMode::Resume : CassetteMode::Record);
  if (!cassette)
    return cassette.takeError();
  return createRecordingClient(std::move(*answerer), std::move(*cassette));
}

} // namespace egg
