//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Answers from a command: the request's JSON (toJSONValue of ChatRequest, with
// "prompt" = renderRequest beside) on standard input, the answer's text on
// standard output.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_EXECCLIENT_H
#define EGG_LLM_EXECCLIENT_H

#include "egg/LLM/ChatClient.h"

namespace egg {

struct ExecOptions {
  /// For /bin/sh -c.
  std::string command;
  /// Who answers, for records.
  std::string model = "unknown";
  /// Names of variables the command gets beside kInheritedVariables. A
  /// provider's key is never passed on.
  std::vector<std::string> variables;
  double timeoutSeconds = 600;
};

/// The command runs once a request, as a child with limits and a bare
/// environment. A failed command is a ServerFault with the end of its standard
/// error. Usage is unknown.
llvm::Expected<std::unique_ptr<ChatClient>>
createExecClient(ExecOptions options);

} // namespace egg

#endif // EGG_LLM_EXECCLIENT_H
