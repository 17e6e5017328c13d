//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Answers from somebody who reads files: a person with any chat window, or any
// program. Requests appear in a directory as
//   NNNN-<hash>.request.md     what to give to the model, all of it
//   NNNN-<hash>.request.json   the same for programs (toJSONValue)
// and the answer is awaited as one of
//   NNNN-<hash>.answer.txt, NNNN-<hash>.answer.json    the answer's text, as is
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_MAILBOXCLIENT_H
#define EGG_LLM_MAILBOXCLIENT_H

#include "egg/LLM/ChatClient.h"
#include "egg/LLM/Clock.h"

namespace egg {

struct MailboxOptions {
  /// Created if missing.
  std::string directory;
  /// Who answers, for records: "person", a model's name.
  std::string model = "unknown";
  double timeoutSeconds = 24 * 3600;
  double pollSeconds = 0.5;
  /// An answer of which nothing tells that it is whole (no schema, or no JSON
  /// where one is wanted) is taken when it has not changed for so long.
  double settleSeconds = 10;
};

/// Files are written whole or not at all. An answer counts once two polls saw
/// the same bytes, so it need not be. A request that the directory has already
/// (of an earlier, interrupted run), answered or not, is used again. Usage is
/// unknown. TimedOut says where an answer was awaited.
std::unique_ptr<ChatClient> createMailboxClient(MailboxOptions options,
                                                Clock &clock = Clock::system());

} // namespace egg

#endif // EGG_LLM_MAILBOXCLIENT_H
