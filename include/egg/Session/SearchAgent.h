//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The agent "llm": a search (Search.h) whose stage agent is a language model,
// with the session's records in a directory.
//
//   trajectory.jsonl   what was tried and what became of it (Trajectory.h)
//   cassette.jsonl     requests and answers (egg/LLM/Cassette.h)
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SESSION_SEARCHAGENT_H
#define EGG_SESSION_SEARCHAGENT_H

#include "egg/Agent/LLMStageAgent.h"
#include "egg/LLM/Budget.h"
#include "egg/LLM/ModelClient.h"
#include "egg/Session/Measure.h"
#include "egg/Session/Search.h"
#include "egg/Session/Session.h"

namespace egg {

/// "record", "resume", "replay".
std::optional<RecordMode> symbolizeRecordMode(llvm::StringRef name);

struct SearchAgentConfig {
  ModelConfig model;
  BudgetLimits budget;
  /// Empty: the prices that are built in.
  std::string pricesFile;
  /// Empty: the prompts that are built in.
  std::string promptsDirectory;
  ContextOptions context;
  SearchOptions options;
  /// How scripts are verified and compiled. The verifier must not be null.
  SessionOptions session;
  /// Null: nothing is measured, and candidates are ranked by their prediction.
  /// A replay takes what was recorded.
  Measurer measurer;
  /// Limit on the time that applying a new algorithm takes, before the expert
  /// completes it.
  double completeSeconds = 60;
  /// Of the records.
  std::string directory;
  /// Replay runs the session again from its records, without asking anybody,
  /// and checks that every record comes again; scripts are evaluated again.
  RecordMode mode = RecordMode::Record;
};

llvm::Expected<std::unique_ptr<Agent>>
createSearchAgent(SearchAgentConfig config);

} // namespace egg

#endif // EGG_SESSION_SEARCHAGENT_H
