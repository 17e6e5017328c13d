//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the tests of the search share: an agent that says what the test wants. A
// script is a number, its time in seconds; others are refused.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TEST_UNIT_SESSION_SEARCHFAKES_H
#define EGG_TEST_UNIT_SESSION_SEARCHFAKES_H

#include "egg/LLM/ChatError.h"
#include "egg/Session/Search.h"
#include "egg/Support/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <deque>

namespace egg::test {

class FakeAgent : public StageAgent {
public:
  /// Answers in order: a script, or an error.
  std::deque<std::variant<std::string, ChatErrorKind>> scripts;
  bool worth = true;
  /// What was asked, in order, and the views' sizes.
  std::vector<std::string> asked;
  std::vector<size_t> attemptsShown, handOversShown;

  llvm::StringRef getName() const override { return "fake"; }

private:
  void note(const StageView &view, llvm::StringRef task) {
    std::string base =
        view.best ? " from " + std::to_string(view.best->id) : "";
    asked.push_back((task + base).str());
    attemptsShown.push_back(view.attempts.size());
    handOversShown.push_back(view.handOvers.size());
  }
  llvm::Expected<Proposal> answer() {
    if (scripts.empty())
      return llvm::createStringError("nothing to say");
    auto next = scripts.front();
    scripts.pop_front();
    if (auto *kind = std::get_if<ChatErrorKind>(&next)) {
      ChatError::Facts facts;
      facts.kind = *kind;
      facts.message = "fault";
      return llvm::make_error<ChatError>(facts);
    }
    Proposal proposal;
    proposal.script = std::get<std::string>(next);
    proposal.rationale = "because";
    return proposal;
  }
  llvm::Expected<Judgement> judgeImpl(const StageView &view) override {
    note(view, "judge");
    Judgement judgement;
    judgement.worthOptimizing = worth;
    return judgement;
  }
  llvm::Expected<Proposal> seedImpl(const StageView &view,
                                    const Judgement &) override {
    note(view, "seed");
    return answer();
  }
  llvm::Expected<Proposal> optimiseImpl(const StageView &view,
                                        const Judgement &) override {
    note(view, "optimise");
    return answer();
  }
  llvm::Expected<Diagnosis> diagnoseImpl(const StageView &view,
                                         const Attempt &) override {
    note(view, "diagnose");
    return Diagnosis{"issue", "why", "plan"};
  }
  llvm::Expected<Proposal> repairImpl(const StageView &view, const Attempt &,
                                      const Diagnosis &) override {
    note(view, "repair");
    return answer();
  }
};

inline llvm::Expected<Evaluation> evaluateNumber(mlir::ModuleOp,
                                                 const Proposal &proposal) {
  Assessment assessment;
  if (llvm::StringRef(proposal.script).starts_with("slow"))
    return Evaluation{
        Rejection{"exact", "", "more than 1 s", "raise it", {}, true}};
  if (llvm::StringRef(proposal.script).getAsDouble(assessment.predictedSeconds))
    return Evaluation{Rejection{"apply", "", "no number", "write one", {}}};
  assessment.rooflineSeconds = assessment.memoryFloorSeconds = 1;
  KernelAssessment kernel;
  kernel.name = "k";
  kernel.predictedSeconds = assessment.predictedSeconds;
  kernel.rooflineSeconds = 1;
  assessment.kernels = {kernel};
  // One second of a GPU for each attempt.
  return Evaluation{assessment, 1};
}

class SearchTest : public ::testing::Test {
protected:
  llvm::SmallString<128> path;
  FakeAgent agent;
  SearchOptions options;
  bool measures = false;
  decltype(SearchServices::complete) complete;
  decltype(SearchServices::evaluate) evaluate = evaluateNumber;

  SearchTest() { options.stages = {StageKind::Algorithm}; }
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("egg", "jsonl", path));
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  llvm::Expected<SearchResult> search(RecordMode mode = RecordMode::Record) {
    llvm::Expected<std::unique_ptr<Trajectory>> trajectory =
        Trajectory::open(path, mode);
    if (!trajectory)
      return trajectory.takeError();
    ProposalRequest request;
    request.payloadHash = "0";
    request.chip = "sm_90a";
    SearchServices services;
    services.start = [](const ProposalRequest &) -> llvm::Expected<Proposal> {
      return Proposal{"9", "the start", "expert"};
    };
    services.agent = &agent;
    services.measures = measures;
    services.complete = complete;
    services.evaluate = evaluate;
    services.trajectory = trajectory->get();
    return runSearch(request, services, options);
  }

  SearchResult mustSearch(RecordMode mode = RecordMode::Record) {
    llvm::Expected<SearchResult> result = search(mode);
    if (result)
      return std::move(*result);
    ADD_FAILURE() << llvm::toString(result.takeError());
    return SearchResult();
  }

  /// Types of the records.
  std::vector<std::string> types() {
    std::vector<std::string> types;
    for (const llvm::json::Object &record :
         llvm::cantFail(readTrajectory(path)))
      types.push_back(record.getString("type")->str());
    return types;
  }
};

using Texts = std::vector<std::string>;

} // namespace egg::test

#endif // EGG_TEST_UNIT_SESSION_SEARCHFAKES_H
