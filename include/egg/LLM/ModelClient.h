//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ModelConfig: who answers, and a client of whoever that is.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_MODELCLIENT_H
#define EGG_LLM_MODELCLIENT_H

#include "egg/LLM/ApiKey.h"
#include "egg/LLM/HttpClient.h"

namespace egg {

struct ModelConfig {
  /// One of the three: a provider's name (providers.json), a mailbox's
  /// directory, a command.
  std::string provider, mailbox, exec;
  /// Empty: the key is in the provider's environment variable.
  std::string keyFile;
  /// Variables that the command gets besides the usual ones.
  std::vector<std::string> execVariables;
  /// http.model is the model's name and http.totalSeconds the time that an
  /// answer may take whoever answers; the rest is for providers.
  HttpClientOptions http;
};

/// The key from the file, else from the provider's variable, which is taken out
/// of the environment either way, so that no child has it.
llvm::Expected<Secret> takeKey(const ModelConfig &config,
                               const ProviderConfig &provider);

/// The client that the config names. The transport is made where one is needed
/// and must outlive the client, as must `budget`, whose ceilings also hold for
/// each attempt of a call; may be null.
llvm::Expected<std::unique_ptr<ChatClient>>
createModelClient(const ModelConfig &config, const Budget *budget,
                  std::unique_ptr<HttpTransport> &transport);

} // namespace egg

#endif // EGG_LLM_MODELCLIENT_H
