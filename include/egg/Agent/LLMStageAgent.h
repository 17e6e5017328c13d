//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// LLMStageAgent: a language model in the roles of analyst, coder and debugger.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_LLMSTAGEAGENT_H
#define EGG_AGENT_LLMSTAGEAGENT_H

#include "egg/Agent/Prompt.h"
#include "egg/LLM/ChatClient.h"

namespace egg {

/// The request that a prompt is sent as.
ChatRequest toChatRequest(const Prompt &prompt, const ContextOptions &options);

/// The agent asks `client`, which outlives it. An answer that is not what was
/// asked for (no JSON of the schema, cut off, a script that cannot be put in
/// place) gets `options.repairTurns` further turns, which say what was wrong;
/// then it is an error. So are refusals and the client's own errors
/// (ChatError).
std::unique_ptr<StageAgent> createLLMStageAgent(ChatClient &client,
                                                PromptLibrary prompts,
                                                ContextOptions options = {});

} // namespace egg

#endif // EGG_AGENT_LLMSTAGEAGENT_H
