//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SessionDialects.h"
#include "egg/Agent/LLMStageAgent.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Session/Passes.h"
#include "egg/Session/Session.h"
#include "egg/Support/Files.h"

namespace egg {

#define GEN_PASS_DEF_PROMPTPASS
#include "egg/Session/Passes.h.inc"

} // namespace egg

using namespace mlir;

namespace {

/// The records of a file of JSON lines.
template <typename Value>
llvm::Expected<std::vector<Value>> readRecords(StringRef path, StringRef what) {
  std::vector<Value> records;
  if (path.empty())
    return records;
  llvm::Expected<std::string> text = egg::readFile(path);
  if (!text)
    return text.takeError();
  int64_t number = 0;
  for (StringRef line : llvm::split(*text, '\n')) {
    ++number;
    if (line.trim().empty())
      continue;
    auto refuse = [&](const Twine &why) {
      return llvm::createStringError(path + ":" + Twine(number) + ": no " +
                                     what + ": " + why +
                                     "; give a file that a session wrote");
    };
    llvm::Expected<llvm::json::Value> json = llvm::json::parse(line);
    if (!json)
      return refuse(llvm::toString(json.takeError()));
    llvm::json::Path::Root root(what);
    Value record;
    if (!fromJSON(*json, record, root))
      return refuse(llvm::toString(root.getError()));
    records.push_back(std::move(record));
  }
  return records;
}

class PromptPass : public egg::impl::PromptPassBase<PromptPass> {
public:
  using PromptPassBase::PromptPassBase;

  void runOnOperation() override {
    if (failed(egg::checkPrintable(getOperation())))
      return signalPassFailure();
    if (llvm::Error error = print()) {
      getOperation().emitError()
          << "[prompt] " << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }

private:
  llvm::Expected<egg::PromptTask> readTask();
  llvm::Expected<egg::Attempt> readCurrent();
  void assessCurrent(egg::Attempt &current);
  llvm::Error print();
};

llvm::Expected<egg::PromptTask> PromptPass::readTask() {
  if (role == "analyst" || role == "debugger") {
    if (!mode.empty())
      return llvm::createStringError("mode '" + mode +
                                     "' is the coder's; leave it out");
    return role == "analyst" ? egg::PromptTask::Judge
                             : egg::PromptTask::Diagnose;
  }
  if (role != "coder")
    return llvm::createStringError("there is no role '" + role +
                                   "'; write role=analyst, coder or debugger");
  std::optional<egg::PromptTask> task =
      egg::symbolizeTask(mode.empty() ? "optimise" : StringRef(mode));
  if (!task || egg::roleOf(*task) != "coder")
    return llvm::createStringError("there is no mode '" + mode +
                                   "'; write mode=seed, optimise or repair");
  return *task;
}

/// The schedule that was given, or the expert's, as an attempt of which nothing
/// is known.
llvm::Expected<egg::Attempt> PromptPass::readCurrent() {
  egg::Attempt current;
  current.mode = "start";
  if (!schedule.empty()) {
    current.author = author;
    llvm::Expected<std::string> text = egg::readFile(schedule);
    if (!text)
      return text.takeError();
    current.script = std::move(*text);
    return current;
  }
  egg::ProposalRequest request{getOperation(), egg::hashPayload(getOperation()),
                               chip, /*seed=*/0};
  llvm::Expected<egg::Proposal> proposal =
      egg::createExpertAgent()->propose(request);
  if (!proposal)
    return proposal.takeError();
  current.author = proposal->author;
  current.script = std::move(proposal->script);
  return current;
}

/// Compiles the script to see its predicted times. It is not verified: this is
/// no search, and the question is the same.
void PromptPass::assessCurrent(egg::Attempt &current) {
  egg::SessionOptions options;
  options.chip = chip;
  llvm::Expected<egg::Artifact> artifact =
      egg::compileProposal(getOperation(), {current.script, "", ""}, options);
  if (artifact)
    current.outcome = egg::assess(*artifact);
  else
    getOperation().emitWarning() << "[prompt] the current script is not "
                                    "assessed: "
                                 << llvm::toString(artifact.takeError());
}

llvm::Error PromptPass::print() {
  llvm::Expected<egg::PromptTask> task = readTask();
  if (!task)
    return task.takeError();
  std::optional<egg::StageKind> kind = egg::symbolizeStageKind(stage);
  if (!kind)
    return llvm::createStringError(
        "there is no stage '" + stage +
        "'; write stage=algorithm, parallel_mapping, "
        "tensor_tiling or memory_optimization");
  if ((*kind == egg::StageKind::Algorithm) != kernel.empty())
    return llvm::createStringError(
        kernel.empty() ? "a hardware stage is of one kernel; write kernel=NAME"
                       : "the algorithm stage is of no kernel; leave kernel "
                         "out");
  if (format != "markdown" && format != "json")
    return llvm::createStringError("there is no format '" + format +
                                   "'; write format=markdown or json");
  llvm::Expected<egg::TargetInfo> target = egg::lookupTarget(chip);
  if (!target)
    return target.takeError();
  llvm::Expected<egg::PromptLibrary> library =
      egg::PromptLibrary::open(promptsDir);
  if (!library)
    return library.takeError();
  auto tried = readRecords<egg::Attempt>(attempts, "attempt");
  if (!tried)
    return tried.takeError();
  auto left = readRecords<egg::HandOver>(handOvers, "hand-over");
  if (!left)
    return left.takeError();

  egg::StageView view;
  view.payload = getOperation();
  view.target = *target;
  view.stage = {*kind, kernel};
  view.payloadHash = egg::hashPayload(getOperation());
  view.attempts = *tried;
  view.handOvers = *left;
  const egg::Attempt *refused = nullptr;
  for (const egg::Attempt &attempt : *tried) {
    if (!attempt.accepted())
      refused = &attempt;
    else if (!view.best ||
             attempt.assessment().seconds() < view.best->assessment().seconds())
      view.best = &attempt;
  }
  egg::Attempt current;
  if (!view.best || !schedule.empty()) {
    llvm::Expected<egg::Attempt> read = readCurrent();
    if (!read)
      return read.takeError();
    current = std::move(*read);
    assessCurrent(current);
    view.best = &current;
  }
  bool needsRefused =
      *task == egg::PromptTask::Diagnose || *task == egg::PromptTask::Repair;
  if (needsRefused && !refused)
    return llvm::createStringError(
        "a debugger and a repair are about a refused attempt, and "
        "there is none; give attempts=FILE with one");
  if (*task == egg::PromptTask::Seed && *kind == egg::StageKind::Algorithm)
    view.best = nullptr;

  egg::ContextOptions options;
  options.history = history;
  options.handOver = handOver;
  options.historyTokens = historyTokens;
  options.payloadTokens = payloadTokens;
  egg::PromptRequest request{*task, view, nullptr,
                             needsRefused ? refused : nullptr, nullptr};
  llvm::Expected<egg::Prompt> prompt =
      egg::renderPrompt(*library, request, options);
  if (!prompt)
    return prompt.takeError();
  egg::ChatRequest chat = egg::toChatRequest(*prompt, options);
  llvm::outs() << (format == "json"
                       ? egg::canonicalJSON(egg::toJSONValue(chat)) + "\n"
                       : egg::renderRequest(chat));
  return llvm::Error::success();
}
} // namespace
