//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The command line of egg-chat.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TOOLS_EGG_CHAT_OPTIONS_H
#define EGG_TOOLS_EGG_CHAT_OPTIONS_H

#include "egg/LLM/ModelClient.h"

namespace egg {

/// What the command line says; times in seconds.
struct ChatOptions {
  std::string input, system, schema, schemaName;
  int64_t maxTokens;
  std::optional<double> temperature;
  std::optional<int64_t> seed;

  ModelConfig model;
  std::string record, replay, resume;

  BudgetLimits budget;
  std::string prices;

  bool probe, json, verbose;
};

/// Parses; ends the process on --help and wrong options, as LLVM's tools do.
ChatOptions parseOptions(int argc, char **argv);

} // namespace egg

#endif // EGG_TOOLS_EGG_CHAT_OPTIONS_H
