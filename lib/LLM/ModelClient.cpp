//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/ModelClient.h"
#include "egg/LLM/ExecClient.h"
#include "egg/LLM/MailboxClient.h"

using namespace llvm;

namespace egg {

Expected<Secret> takeKey(const ModelConfig &config,
                         const ProviderConfig &provider) {
  Expected<Secret> key = takeKeyFromEnvironment(provider.keyVariable);
  if (!key || config.keyFile.empty())
    return key;
  return readKeyFile(config.keyFile);
}

Expected<std::unique_ptr<ChatClient>>
createModelClient(const ModelConfig &config, const Budget *budget,
                  std::unique_ptr<HttpTransport> &transport) {
  int ways =
      !config.mailbox.empty() + !config.exec.empty() + !config.provider.empty();
  if (ways != 1)
    return createStringError("name who answers by one of provider, mailbox and "
                             "exec; or replay a cassette");
  std::string model = config.http.model.empty() ? "unknown" : config.http.model;
  if (!config.mailbox.empty()) {
    MailboxOptions mailbox;
    mailbox.directory = config.mailbox;
    mailbox.model = model;
    mailbox.timeoutSeconds = config.http.totalSeconds;
    return createMailboxClient(mailbox);
  }
  if (!config.exec.empty()) {
    ExecOptions exec;
    exec.command = config.exec;
    exec.model = model;
    exec.timeoutSeconds = config.http.totalSeconds;
    exec.variables = config.execVariables;
    return createExecClient(exec);
  }
  Expected<ProviderConfig> provider = findProvider(config.provider);
  if (!provider)
    return provider.takeError();
  Expected<Secret> key = takeKey(config, *provider);
  if (!key)
    return key.takeError();
  auto created = createCurlTransport();
  if (!created)
    return created.takeError();
  transport = std::move(*created);
  HttpClientOptions http = config.http;
  http.budget = budget;
  return createHttpClient(std::move(*provider), std::move(http),
                          std::move(*key), *transport);
}

} // namespace egg
