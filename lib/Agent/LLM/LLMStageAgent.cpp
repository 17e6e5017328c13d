//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/LLMStageAgent.h"
#include "Answers.h"
#include "egg/Agent/SafeText.h"
#include "egg/Agent/ScriptParts.h"
#include "egg/Core/ScheduleFormat.h"
#include "egg/LLM/ChatError.h"

using namespace mlir;

namespace egg {
namespace {

/// Of an answer that goes back to its author.
constexpr size_t kMaxQuoted = 16 << 10;

llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// A schedule of nothing, to put the first part into.
std::string emptySchedule(const StageView &view) {
  return ("module attributes {transform.with_named_sequence, " +
          kScheduleAttrName + " = " + Twine(kScheduleVersion) +
          " : i64,\n    " + kTargetAttrName + " = \"" + view.target.chip +
          "\",\n    " + kPayloadAttrName + " = \"" + view.payloadHash +
          "\"} {\n  transform.named_sequence @" + kAlgorithmName +
          "(%f: !transform.any_op) {\n    transform.yield\n  }\n}\n")
      .str();
}

class LLMStageAgent : public StageAgent {
public:
  LLMStageAgent(ChatClient &client, PromptLibrary prompts,
                ContextOptions options)
      : client(client), prompts(std::move(prompts)), options(options),
        name(("llm: " + client.model()).str()) {}

  StringRef getName() const override { return name; }

private:
  /// Asks until `read` can use the answer, at most as often as the options say.
  template <typename Value>
  llvm::Expected<Value>
  ask(const PromptRequest &request,
      llvm::function_ref<llvm::Expected<Value>(StringRef)> read);

  llvm::Expected<Proposal> propose(const PromptRequest &request,
                                   const std::string &base);

  llvm::Expected<Judgement> judgeImpl(const StageView &view) override {
    return ask<Judgement>({PromptTask::Judge, view}, parseJudgement);
  }

  llvm::Expected<Proposal> seedImpl(const StageView &view,
                                    const Judgement &judgement) override {
    return propose({PromptTask::Seed, view, &judgement}, baseOf(view));
  }

  llvm::Expected<Proposal> optimiseImpl(const StageView &view,
                                        const Judgement &judgement) override {
    return propose({PromptTask::Optimise, view, &judgement}, baseOf(view));
  }

  llvm::Expected<Diagnosis> diagnoseImpl(const StageView &view,
                                         const Attempt &refused) override {
    return ask<Diagnosis>({PromptTask::Diagnose, view, nullptr, &refused},
                          parseDiagnosis);
  }

  llvm::Expected<Proposal> repairImpl(const StageView &view,
                                      const Attempt &refused,
                                      const Diagnosis &diagnosis) override {
    // The rest of the refused script is that of the best.
    return propose({PromptTask::Repair, view, nullptr, &refused, &diagnosis},
                   baseOf(view));
  }

  static std::string baseOf(const StageView &view) {
    return view.best ? view.best->script : emptySchedule(view);
  }

  ChatClient &client;
  PromptLibrary prompts;
  ContextOptions options;
  std::string name;
};

template <typename Value>
llvm::Expected<Value>
LLMStageAgent::ask(const PromptRequest &asked,
                   llvm::function_ref<llvm::Expected<Value>(StringRef)> read) {
  llvm::Expected<Prompt> prompt = renderPrompt(prompts, asked, options);
  if (!prompt)
    return prompt.takeError();
  ChatRequest request = toChatRequest(*prompt, options);
  for (int64_t turn = 0;; ++turn) {
    std::string wrong, said;
    llvm::Expected<ChatAnswer> answer = client.complete(request);
    if (!answer) {
      ChatError::Facts facts = takeFacts(answer.takeError());
      if (facts.kind != ChatErrorKind::BadAnswer || turn >= options.repairTurns)
        return makeChatError(std::move(facts));
      wrong = facts.message;
      said = facts.answerText;
    } else if (answer->finish == ChatFinish::Refused) {
      return requireComplete(*answer).takeError();
    } else if (answer->finish == ChatFinish::Truncated) {
      if (turn >= options.repairTurns)
        return requireComplete(*answer).takeError();
      wrong = "the answer was cut off at " +
              std::to_string(options.maxOutputTokens) +
              " tokens; answer shorter";
      said = answer->text;
    } else {
      llvm::Expected<Value> value = read(answer->text);
      if (value)
        return value;
      wrong = llvm::toString(value.takeError());
      said = answer->text;
      if (turn >= options.repairTurns) {
        ChatError::Facts facts;
        facts.kind = ChatErrorKind::BadAnswer;
        facts.message = "the model's answer cannot be used: " + wrong;
        facts.remedy = "ask again, or another model";
        return makeChatError(std::move(facts));
      }
    }
    said = safeText(said, kMaxQuoted);
    request.messages.push_back(
        {ChatRole::Assistant, said.empty() ? "(nothing)" : said});
    request.messages.push_back(
        {ChatRole::User,
         "That answer cannot be used: " + safeLine(wrong, 1000) +
             ".\nAnswer the same question again with one JSON object of the "
             "schema and nothing else."});
  }
}

llvm::Expected<Proposal> LLMStageAgent::propose(const PromptRequest &request,
                                                const std::string &base) {
  const StageView &view = request.view;
  if (!view.best && view.stage.kind != StageKind::Algorithm)
    return makeError("a start from scratch is one of the algorithm stage; "
                     "give the best script of the stages before");
  if (!view.best && view.payloadHash.empty())
    return makeError("a start from scratch needs the payload's hash");
  OpNames names(view.payload);
  MLIRContext *context = ModuleOp(view.payload).getContext();
  return ask<Proposal>(
      request, [&](StringRef text) -> llvm::Expected<Proposal> {
        llvm::Expected<ScriptAnswer> answer = parseScriptAnswer(text);
        if (!answer)
          return answer.takeError();
        Proposal proposal;
        proposal.rationale = std::move(answer->rationale);
        if (StringRef(answer->script).trim().empty()) {
          if (request.task == PromptTask::Seed)
            return makeError("'script' is empty, and there is no other yet");
          return proposal;
        }
        llvm::Expected<std::string> script = spliceAnswer(
            base, view.stage, names.restore(answer->script), context);
        if (!script)
          return script.takeError();
        proposal.script = std::move(*script);
        return proposal;
      });
}
} // namespace

ChatRequest toChatRequest(const Prompt &prompt, const ContextOptions &options) {
  ChatRequest request;
  request.messages = {{ChatRole::System, prompt.system},
                      {ChatRole::User, prompt.user}};
  request.schemaName = prompt.schemaName;
  request.schema = prompt.schema;
  request.maxOutputTokens = options.maxOutputTokens;
  return request;
}

std::unique_ptr<StageAgent> createLLMStageAgent(ChatClient &client,
                                                PromptLibrary prompts,
                                                ContextOptions options) {
  return std::make_unique<LLMStageAgent>(client, std::move(prompts), options);
}

} // namespace egg
