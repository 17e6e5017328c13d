//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The client that the options of egg-chat name.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TOOLS_EGG_CHAT_CLIENTS_H
#define EGG_TOOLS_EGG_CHAT_CLIENTS_H

#include "Options.h"

namespace egg {

/// The client, with its cassette if there is one, which holds the budget and
/// books in it. The transport is made where one is needed, and must outlive the
/// client.
llvm::Expected<std::unique_ptr<ChatClient>>
createClient(const ChatOptions &options, Budget &budget,
             std::unique_ptr<HttpTransport> &transport);

} // namespace egg

#endif // EGG_TOOLS_EGG_CHAT_CLIENTS_H
