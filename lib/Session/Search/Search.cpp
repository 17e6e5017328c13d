//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Session/Search.h"
#include "AnswerFault.h"
#include "Population.h"
#include "Records.h"
#include "StageSummary.h"
#include "egg/Session/Measure.h"
#include "egg/Support/Hash.h"
#include "egg/Target/TargetInfo.h"
#include "llvm/Support/FormatVariadic.h"
#include <deque>

using namespace llvm;

namespace egg {
namespace {

class SearchRun {
public:
  SearchRun(const ProposalRequest &request, const SearchServices &services,
            const SearchOptions &options)
      : request(request), services(services), options(options) {}

  Expected<SearchResult> run();

private:
  Error begin();
  Error runStage(const Stage &stage);
  /// Why no more was proposed.
  Expected<std::string> propose(const Stage &stage, const Judgement &judgement);
  /// Why the stage may end: it has come near its roofline.
  std::optional<std::string> isCloseEnough(const Stage &stage) const;
  Error repair(const Stage &stage);
  Expected<bool> tryOut(const Stage &stage, Proposal proposal, StringRef mode,
                        std::optional<int64_t> parent);
  Expected<Evaluation> evaluate(const Stage &stage, Proposal &proposal);
  std::optional<Outcome> findRepetition(const Stage &stage, StringRef script);

  StageView view(const Stage &stage, std::optional<int64_t> base);
  Expected<bool> declines(const Proposal &proposal, const Stage &stage,
                          StringRef task);
  Error noteBadAnswer(Error error, const Stage &stage, StringRef task);
  Error record(StringRef type, json::Object record) {
    record["type"] = type;
    return services.trajectory->add(std::move(record));
  }
  const Attempt &best() const { return attempts[bestId]; }
  bool stopped() const { return !stopReason.empty(); }
  bool mayGoOn();

  const ProposalRequest &request;
  const SearchServices &services;
  const SearchOptions &options;
  TargetInfo target;
  /// A deque: views point into it.
  std::deque<Attempt> attempts;
  int64_t bestId = 0;
  std::vector<HandOver> handOvers;
  std::string stopReason;
  double gpuSeconds = 0;
  /// Of the stage at work: where its attempts begin, the accepted ones, and the
  /// copies that its views show.
  size_t stageBegin = 0;
  Population population{SearchStrategy::Greedy, 1};
  std::vector<Attempt> shown;
};

} // namespace

Error SearchRun::noteBadAnswer(Error error, const Stage &stage,
                               StringRef task) {
  Expected<AnswerFault> fault = sortFault(std::move(error));
  if (!fault)
    return fault.takeError();
  if (fault->isSpent) {
    stopReason = fault->message;
    return Error::success();
  }
  return record("agent_error",
                json::Object{{"stage", toJSONValue(stage)},
                             {"task", task},
                             {"error", json::fixUTF8(fault->message)}});
}

/// Whether the agent has nothing to propose, which is recorded.
Expected<bool> SearchRun::declines(const Proposal &proposal, const Stage &stage,
                                   StringRef task) {
  if (!proposal.script.empty())
    return false;
  if (Error error =
          record("declined", json::Object{{"stage", toJSONValue(stage)},
                                          {"task", task},
                                          {"rationale", proposal.rationale}}))
    return std::move(error);
  return true;
}

StageView SearchRun::view(const Stage &stage, std::optional<int64_t> base) {
  StageView view;
  view.payload = request.payload;
  view.target = target;
  view.stage = stage;
  view.payloadHash = request.payloadHash;
  view.best = base ? &attempts[*base] : nullptr;
  shown.assign(attempts.begin() + stageBegin, attempts.end());
  view.attempts = shown;
  if (options.handOver)
    view.handOvers = handOvers;
  return view;
}

std::optional<Outcome> SearchRun::findRepetition(const Stage &stage,
                                                 StringRef script) {
  for (const Attempt &attempt : attempts)
    if (attempt.script == script)
      return Rejection{
          "propose",
          stage.str(),
          formatv("the script is that of attempt {0} again", attempt.id),
          "change something",
          {}};
  return std::nullopt;
}

/// Whether there is something left of the GPU's time; else that is the reason
/// to stop. What is on record was asked already.
bool SearchRun::mayGoOn() {
  if (!stopped() && !services.trajectory->repeats() && options.gpuSeconds &&
      gpuSeconds >= *options.gpuSeconds)
    stopReason = formatv("{0:f1} GPU seconds are spent, and the ceiling is "
                         "{1:f1}",
                         gpuSeconds, *options.gpuSeconds);
  return !stopped();
}

Expected<Evaluation> SearchRun::evaluate(const Stage &stage,
                                         Proposal &proposal) {
  const Trajectory &records = *services.trajectory;
  bool replays = records.mode() == RecordMode::Replay;
  // One that could not be completed is on record as it was proposed. With
  // another run's time it might be, and the session would take another course.
  const Attempt *known = records.recall(proposal.script, stage);
  if (services.complete && stage.kind == StageKind::Algorithm &&
      (!known || replays)) {
    Expected<std::string> whole =
        services.complete(request.payload, proposal.script);
    if (!whole)
      return Evaluation{toRejection(whole.takeError(), "apply")};
    proposal.script = std::move(*whole);
    known = records.recall(proposal.script, stage);
  }
  if (known && !replays)
    return Evaluation{known->outcome, known->gpuSeconds};
  if (std::optional<Outcome> repetition =
          findRepetition(stage, proposal.script))
    return Evaluation{*repetition};
  Expected<Evaluation> evaluation =
      services.evaluate(request.payload, proposal);
  // What a GPU showed cannot be repeated.
  if (evaluation && known) {
    evaluation->gpuSeconds = known->gpuSeconds;
    takeMeasured(known->outcome, evaluation->outcome);
  }
  return evaluation;
}

/// Evaluates and records a proposal; whether it was accepted.
Expected<bool> SearchRun::tryOut(const Stage &stage, Proposal proposal,
                                 StringRef mode,
                                 std::optional<int64_t> parent) {
  Attempt attempt;
  attempt.id = attempts.size();
  attempt.parent = parent;
  attempt.stage = stage;
  attempt.author = proposal.author;
  attempt.mode = mode.str();
  attempt.rationale = proposal.rationale;
  Expected<Evaluation> evaluation = evaluate(stage, proposal);
  if (!evaluation)
    return evaluation.takeError();
  attempt.outcome = std::move(evaluation->outcome);
  attempt.gpuSeconds = evaluation->gpuSeconds;
  gpuSeconds += attempt.gpuSeconds;
  attempt.script = std::move(proposal.script);
  json::Value value = toJSONValue(attempt);
  if (Error error = record("attempt", std::move(*value.getAsObject())))
    return std::move(error);
  attempts.push_back(std::move(attempt));
  const Attempt &made = attempts.back();
  if (!made.accepted())
    return false;
  population.add(made.id, made.assessment().seconds());
  if (!best().accepted() ||
      made.assessment().seconds() < best().assessment().seconds())
    bestId = made.id;
  return true;
}

Error SearchRun::begin() {
  if (Error error = record("session", makeHeader(request, services, options)))
    return error;
  Expected<Proposal> start = services.start(request);
  if (!start)
    return start.takeError();
  Expected<bool> accepted =
      tryOut(Stage(), std::move(*start), "start", std::nullopt);
  if (!accepted)
    return accepted.takeError();
  if (!*accepted)
    return make_error<RejectionError>(attempts.front().rejection());
  return Error::success();
}

/// Mends the last attempt as long as it is refused. One that could not be
/// checked within the limits may be right: there is nothing to mend.
Error SearchRun::repair(const Stage &stage) {
  for (int64_t n = 0; n < options.repairs && !attempts.back().accepted(); ++n) {
    const Attempt &refused = attempts.back();
    if (refused.undecided() || !mayGoOn())
      return Error::success();
    // A repair's parent is what it mends; what it changes is further up.
    std::optional<int64_t> base = refused.parent;
    while (base && !attempts[*base].accepted())
      base = attempts[*base].parent;
    StageView shownView = view(stage, base);
    Expected<Diagnosis> diagnosis =
        services.agent->diagnose(shownView, refused);
    if (!diagnosis)
      return noteBadAnswer(diagnosis.takeError(), stage, "diagnose");
    if (Error error = record("diagnosis", makeRecord(refused, *diagnosis)))
      return error;
    Expected<Proposal> mended =
        services.agent->repair(shownView, refused, *diagnosis);
    if (!mended)
      return noteBadAnswer(mended.takeError(), stage, "repair");
    Expected<bool> declined = declines(*mended, stage, "repair");
    if (!declined || *declined)
      return declined.takeError();
    Expected<bool> accepted =
        tryOut(stage, std::move(*mended), "repair", refused.id);
    if (!accepted)
      return accepted.takeError();
  }
  return Error::success();
}

std::optional<std::string> SearchRun::isCloseEnough(const Stage &stage) const {
  double distance = distanceToRoofline(best().assessment(), stage);
  // Written so that NaN is not close.
  if (!(distance <= options.closeEnough))
    return std::nullopt;
  return formatv("{0:f2} times the roofline is close enough", distance);
}

Expected<std::string> SearchRun::propose(const Stage &stage,
                                         const Judgement &judgement) {
  for (int64_t n = 0; n < options.proposals && mayGoOn(); ++n) {
    std::optional<int64_t> base;
    if (!population.empty())
      base = population.pick(n);
    StageView shownView = view(stage, base);
    Expected<Proposal> proposal =
        base ? services.agent->optimise(shownView, judgement)
             : services.agent->seed(shownView, judgement);
    if (!proposal) {
      if (Error error = noteBadAnswer(proposal.takeError(), stage,
                                      base ? "optimise" : "seed"))
        return std::move(error);
      continue;
    }
    Expected<bool> declined =
        declines(*proposal, stage, base ? "optimise" : "seed");
    if (!declined)
      return declined.takeError();
    if (*declined)
      return "the coder sees nothing to gain";
    Expected<bool> accepted =
        tryOut(stage, std::move(*proposal), base ? "optimise" : "seed", base);
    if (!accepted)
      return accepted.takeError();
    if (!*accepted)
      if (Error error = repair(stage))
        return std::move(error);
    if (std::optional<std::string> close = isCloseEnough(stage))
      return *close;
  }
  return "all proposals were made";
}

Error SearchRun::runStage(const Stage &stage) {
  if (Error error =
          record("stage", json::Object{{"stage", toJSONValue(stage)}}))
    return error;
  int64_t before = bestId;
  stageBegin = attempts.size();
  population = Population(options.strategy, options.width);
  bool fromScratch = options.fromScratch && stage.kind == StageKind::Algorithm;
  if (!fromScratch)
    population.add(bestId, best().assessment().seconds());

  std::string reason;
  if (std::optional<std::string> close = isCloseEnough(stage)) {
    reason = *close;
  } else if (std::string structure = structureOf(best().assessment(), stage);
             stage.kind == StageKind::MemoryOptimization &&
             structure != "contraction") {
    reason = "a " + structure + " kernel leaves nothing to decide";
  } else if (mayGoOn()) {
    Expected<Judgement> judgement = services.agent->judge(
        view(stage, fromScratch ? std::nullopt : std::optional(bestId)));
    if (!judgement) {
      if (Error error = noteBadAnswer(judgement.takeError(), stage, "judge"))
        return error;
      reason = "there is no judgement";
    } else {
      if (Error error = record("judgement", makeRecord(stage, *judgement)))
        return error;
      reason = "the analyst sees nothing to gain";
      if (judgement->worthOptimizing) {
        Expected<std::string> end = propose(stage, *judgement);
        if (!end)
          return end.takeError();
        reason = *end;
      }
    }
  }
  if (stopped())
    return Error::success();
  if (Error error =
          record("stage_end", json::Object{{"stage", toJSONValue(stage)},
                                           {"reason", reason},
                                           {"best", bestId}}))
    return error;
  std::vector<const Attempt *> made;
  for (size_t id = stageBegin; id < attempts.size(); ++id)
    made.push_back(&attempts[id]);
  handOvers.push_back(summarizeStage(stage, attempts[before], best(), made));
  json::Value handOver = toJSONValue(handOvers.back());
  return record("hand_over", std::move(*handOver.getAsObject()));
}

Expected<SearchResult> SearchRun::run() {
  Expected<TargetInfo> found = lookupTarget(request.chip);
  if (!found)
    return found.takeError();
  target = *found;
  if (Error error = begin())
    return std::move(error);
  auto works = [&](StageKind kind) {
    return is_contained(options.stages, kind);
  };
  if (works(StageKind::Algorithm))
    if (Error error = runStage(Stage()))
      return std::move(error);
  std::vector<std::string> kernels = rankKernels(best().assessment());
  if (static_cast<int64_t>(kernels.size()) > options.kernels)
    kernels.resize(options.kernels);
  for (const std::string &kernel : kernels)
    for (StageKind kind : {StageKind::ParallelMapping, StageKind::TensorTiling,
                           StageKind::MemoryOptimization})
      if (works(kind) && !stopped())
        if (Error error = runStage({kind, kernel}))
          return std::move(error);
  if (stopped())
    if (Error error = record("stopped", json::Object{{"reason", stopReason}}))
      return std::move(error);
  if (Error error = record(
          "result", json::Object{{"best", bestId},
                                 {"script_sha256", sha256(best().script)},
                                 {"ptx_sha256", best().assessment().ptxHash}}))
    return std::move(error);
  SearchResult result;
  result.attempts.assign(attempts.begin(), attempts.end());
  result.best = bestId;
  result.handOvers = std::move(handOvers);
  result.stopped = std::move(stopReason);
  return result;
}

Expected<SearchResult> runSearch(const ProposalRequest &request,
                                 const SearchServices &services,
                                 const SearchOptions &options) {
  return SearchRun(request, services, options).run();
}

} // namespace egg
