//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From the command line to a client.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TOOLS_EGG_CHAT_CLIENTS_H
#define EGG_TOOLS_EGG_CHAT_CLIENTS_H

#include "Options.h"
#include "egg/LLM/HttpClient.h"

namespace egg {

/// The key from --key-file, else from the provider's variable, which is empty
/// from then on.
llvm::Expected<Secret> takeKey(const ChatOptions &options,
                               const ProviderConfig &provider);

HttpClientOptions httpOptions(const ChatOptions &options, const Budget *budget);

/// The client that the options name, without a budget around it. The transport
/// is made where one is needed, and must outlive the client.
llvm::Expected<std::unique_ptr<ChatClient>>
createClient(const ChatOptions &options, const Budget &budget,
             std::unique_ptr<HttpTransport> &transport);

} // namespace egg

#endif // EGG_TOOLS_EGG_CHAT_CLIENTS_H
