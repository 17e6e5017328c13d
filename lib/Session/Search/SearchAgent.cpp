//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Session/SearchAgent.h"
#include "SessionFolder.h"
#include "egg/Agent/CompleteWithExpert.h"
#include "egg/LLM/Cassette.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Support/Subprocess.h"
#include "egg/Support/Text.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace egg {

std::optional<RecordMode> symbolizeRecordMode(StringRef name) {
  if (name == "record")
    return RecordMode::Record;
  if (name == "resume")
    return RecordMode::Resume;
  if (name == "replay")
    return RecordMode::Replay;
  return std::nullopt;
}

/// Limit of the child that completes a script.
static constexpr uint64_t kCompleteBytes = uint64_t(4) << 30;

/// completeWithExpert in a child: it applies an untrusted script. The child
/// has the parent's memory, but not its threads, and so a context of its own.
static Expected<std::string> completeInChild(mlir::ModuleOp payload,
                                             StringRef script, double seconds) {
  std::string text;
  raw_string_ostream(text) << payload;
  ProcessLimits limits;
  limits.wallSeconds = seconds;
  limits.addressSpaceBytes = kCompleteBytes;
  Expected<ProcessResult> child = runInChild(
      [&](raw_ostream &os) {
        mlir::MLIRContext context(payload.getContext()->getDialectRegistry(),
                                  mlir::MLIRContext::Threading::DISABLED);
        auto copy = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
        assert(copy && "a printed payload parses");
        Expected<std::string> whole = completeWithExpert(*copy, script);
        if (whole) {
          os << *whole;
          return 0;
        }
        os << toJSON(toRejection(whole.takeError(), "apply"));
        return 1;
      },
      limits);
  if (!child)
    return child.takeError();
  if (child->succeeded())
    return child->standardOutput;
  if (child->end == ProcessResult::End::Exited) {
    if (Expected<Rejection> rejection = parseRejection(child->standardOutput))
      return make_error<RejectionError>(*rejection);
    else
      consumeError(rejection.takeError());
  }
  Rejection rejection;
  rejection.step = "apply";
  rejection.reason = "applying @algorithm " + child->describeEnd();
  // The limit and not what the clock says: the same session gives the same
  // records.
  if (child->ranOutOfTime())
    rejection.reason = formatv("applying @algorithm takes more than {0} s",
                               format("%.6g", seconds));
  rejection.undecided =
      child->ranOutOfTime() || child->end == ProcessResult::End::OutOfMemory;
  rejection.remedy = "write a smaller or simpler algorithm";
  if (child->ranOutOfTime() && seconds < SearchAgentConfig().completeSeconds)
    rejection.remedy += ", or raise verify-seconds";
  return make_error<RejectionError>(std::move(rejection));
}

namespace {

class SearchAgent : public Agent {
public:
  explicit SearchAgent(SearchAgentConfig config) : config(std::move(config)) {}
  StringRef getName() const override { return "llm"; }

private:
  Expected<Proposal> proposeImpl(const ProposalRequest &request) override;
  Expected<std::unique_ptr<ChatClient>>
  openClient(const Answerer &answerer, std::shared_ptr<Cassette> cassette,
             Budget &budget, std::unique_ptr<HttpTransport> &transport);
  Expected<Evaluation> evaluate(mlir::ModuleOp payload,
                                const Proposal &proposal);
  Error checkAgain(mlir::ModuleOp payload, const Attempt &attempt, size_t line);
  std::string file(StringRef name) const {
    SmallString<128> path(config.directory);
    sys::path::append(path, name);
    return path.str().str();
  }

  SearchAgentConfig config;
};

} // namespace

Expected<std::unique_ptr<ChatClient>>
SearchAgent::openClient(const Answerer &answerer,
                        std::shared_ptr<Cassette> cassette, Budget &budget,
                        std::unique_ptr<HttpTransport> &transport) {
  ModelConfig model = config.model;
  model.http.model = answerer.model;
  auto client = createModelClient(model, &budget, transport);
  if (!client)
    return client.takeError();
  if (Error error =
          budget.checkPrice((*client)->provider(), (*client)->model()))
    return std::move(error);
  // Ceilings are for what is asked now: answers on record are spent already.
  return createRecordingClient(createBudgetedClient(std::move(*client), budget),
                               std::move(cassette));
}

Expected<Evaluation> SearchAgent::evaluate(mlir::ModuleOp payload,
                                           const Proposal &proposal) {
  Expected<Artifact> artifact =
      compileProposal(payload, proposal, config.session);
  if (!artifact)
    return Evaluation{toRejection(artifact.takeError(), "compile")};
  Assessment assessment = assess(*artifact);
  if (!config.measurer || config.mode == RecordMode::Replay)
    return Evaluation{std::move(assessment)};
  Expected<MeasuredOutcome> measured = config.measurer(*artifact);
  if (!measured)
    return measured.takeError();
  if (auto *rejection = std::get_if<Rejection>(&measured->outcome))
    return Evaluation{std::move(*rejection), measured->gpuSeconds};
  addMeasurement(std::get<Measurement>(measured->outcome), assessment);
  return Evaluation{std::move(assessment), measured->gpuSeconds};
}

/// What is on record was believed, and anybody may have changed it.
Error SearchAgent::checkAgain(mlir::ModuleOp payload, const Attempt &attempt,
                              size_t line) {
  Proposal proposal{attempt.script, attempt.rationale, attempt.author};
  Expected<Artifact> artifact =
      compileProposal(payload, proposal, config.session);
  if (artifact)
    return Error::success();
  Rejection rejection = toRejection(artifact.takeError(), "compile");
  return createStringError(
      file("trajectory.jsonl") + ":" + Twine(line) +
      ": the script of attempt " + Twine(attempt.id) +
      " is accepted by the record, and checked again it is " +
      (rejection.undecided ? "not decided; resume the session with the limits "
                             "that it had"
                           : "refused; restore the file, or start another "
                             "session") +
      ": " + rejection.str());
}

Expected<Proposal> SearchAgent::proposeImpl(const ProposalRequest &request) {
  if (Error error = openSessionFolder(config.directory, config.mode))
    return std::move(error);
  Expected<PromptLibrary> prompts =
      PromptLibrary::open(config.promptsDirectory);
  if (!prompts)
    return prompts.takeError();
  auto trajectory = Trajectory::open(file("trajectory.jsonl"), config.mode);
  if (!trajectory)
    return trajectory.takeError();
  Expected<PriceTable> prices = PriceTable::read(config.pricesFile);
  if (!prices)
    return prices.takeError();
  // A replay asks nobody, and one that is finished has nothing left to ask.
  // Such a session ends where its records do, whatever the ceilings.
  bool asks = config.mode != RecordMode::Replay && !(*trajectory)->isFinished();
  bool measures = bool(config.measurer);
  if (!asks)
    measures = (*trajectory)->measures().value_or(false);
  if (Error error = checkMeasures(**trajectory, measures, config.directory))
    return std::move(error);
  auto cassette = Cassette::open(file("cassette.jsonl"),
                                 asks ? config.mode : RecordMode::Replay);
  if (!cassette)
    return cassette.takeError();
  Expected<Answerer> answerer = whoAnswers(
      config.model, whoAnswered(**trajectory, **cassette), config.directory);
  if (!answerer)
    return answerer.takeError();
  Budget budget(asks ? config.budget : BudgetLimits(), *prices);
  (*cassette)->book(budget);
  std::unique_ptr<HttpTransport> transport;
  auto client =
      asks ? openClient(*answerer, *cassette, budget, transport)
           : createReplayClient(*cassette, answerer->provider, answerer->model,
                                [&] { return (*trajectory)->recordedStop(); });
  if (!client)
    return client.takeError();
  std::unique_ptr<StageAgent> agent =
      createLLMStageAgent(**client, std::move(*prompts), config.context);
  std::unique_ptr<Agent> expert = createExpertAgent();

  // Messages shall not say where the payload's file is: the same session is to
  // give the same records everywhere.
  auto payload = mlir::parseSourceString<mlir::ModuleOp>(
      printPayload(request.payload),
      mlir::ModuleOp(request.payload).getContext(), "payload.mlir");
  assert(payload && "a printed payload parses");
  ProposalRequest placeless = request;
  placeless.payload = *payload;

  SearchServices services;
  services.start = [&](const ProposalRequest &r) { return expert->propose(r); };
  services.agent = agent.get();
  services.provider = (*client)->provider().str();
  services.measures = measures;
  services.complete = [&](mlir::ModuleOp module, StringRef script) {
    return completeInChild(module, script, config.completeSeconds);
  };
  services.evaluate = [&](mlir::ModuleOp module, const Proposal &proposal) {
    return evaluate(module, proposal);
  };
  services.trajectory = trajectory->get();
  SearchOptions options = config.options;
  if (!asks)
    options.gpuSeconds.reset();
  Expected<SearchResult> result = runSearch(placeless, services, options);
  if (!result)
    return result.takeError();
  if (Error error = (*trajectory)->finish())
    return std::move(error);
  const Attempt &best = result->attempts[result->best];
  if (config.mode == RecordMode::Resume)
    if (std::optional<size_t> line = (*trajectory)->findLine(best.id))
      if (Error error = checkAgain(*payload, best, *line))
        return std::move(error);
  if (config.mode == RecordMode::Resume && !asks)
    mlir::emitRemark(mlir::ModuleOp(request.payload).getLoc())
        << "the session in '" << config.directory
        << "' is finished; its result is given again";

  Proposal proposal;
  proposal.script = best.script;
  int64_t accepted = count_if(result->attempts, [](const Attempt &attempt) {
    return attempt.accepted();
  });
  proposal.rationale =
      (best.id == 0 ? "The expert's script: none of "
                    : "Attempt " + std::to_string(best.id) + " of ") +
      countOf(result->attempts.size() - 1, "proposal", "proposals") +
      (best.id == 0 ? " was faster."
                    : "; " + std::to_string(accepted - 1) + " were accepted.") +
      " The session spent " + budget.describe() + ".";
  if (!result->stopped.empty())
    proposal.rationale += " It ended early: " + result->stopped + ".";
  return proposal;
}

Expected<std::unique_ptr<Agent>> createSearchAgent(SearchAgentConfig config) {
  assert(config.session.verifier && "scripts of models are verified");
  return std::make_unique<SearchAgent>(std::move(config));
}

} // namespace egg
