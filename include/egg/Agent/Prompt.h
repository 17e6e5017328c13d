//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a language model is asked, whole: the messages of one request.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_PROMPT_H
#define EGG_AGENT_PROMPT_H

#include "egg/Agent/Context.h"
#include "egg/Agent/PromptLibrary.h"
#include "egg/Agent/StageAgent.h"

namespace egg {

enum class PromptTask { Judge, Seed, Optimise, Diagnose, Repair };

/// "judge", "seed", ...; the role whose task it is: "analyst", ...
llvm::StringRef stringifyTask(PromptTask task);
std::optional<PromptTask> symbolizeTask(llvm::StringRef name);
llvm::StringRef roleOf(PromptTask task);

/// What is asked; pointers are null where the task has no such thing.
struct PromptRequest {
  PromptTask task = PromptTask::Judge;
  const StageView &view;
  const Judgement *judgement = nullptr;
  const Attempt *refused = nullptr;
  const Diagnosis *diagnosis = nullptr;
};

struct Prompt {
  std::string system, user;
  /// Of the answer: "judgement", "script" or "diagnosis", and the JSON schema.
  std::string schemaName, schema;
  bool operator==(const Prompt &) const = default;
};

/// Renders a request. Everything of the user's and of earlier answers in it is
/// made safe. Runs the best script's algorithm on a clone of the payload, so
/// that script must be an accepted one. The error says what is missing.
llvm::Expected<Prompt> renderPrompt(const PromptLibrary &library,
                                    const PromptRequest &request,
                                    const ContextOptions &options);

/// Nsight Compute's names of the counters that prompts show.
std::vector<std::string> getCounterNames();

} // namespace egg

#endif // EGG_AGENT_PROMPT_H
