//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Answers of a model as values. They are untrusted: the client has checked
// them against their schema, and here they are checked for what a schema does
// not say.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_LLM_ANSWERS_H
#define EGG_LIB_AGENT_LLM_ANSWERS_H

#include "egg/Agent/StageAgent.h"

namespace egg {

/// What a coder answers.
struct ScriptAnswer {
  std::string script, rationale;
};

/// From the answer's JSON. The errors say what is wrong, for the model.
llvm::Expected<Judgement> parseJudgement(llvm::StringRef text);
llvm::Expected<Diagnosis> parseDiagnosis(llvm::StringRef text);
llvm::Expected<ScriptAnswer> parseScriptAnswer(llvm::StringRef text);

} // namespace egg

#endif // EGG_LIB_AGENT_LLM_ANSWERS_H
