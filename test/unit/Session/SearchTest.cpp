//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The search with an agent that says what the test wants. A script is a number,
// its time in seconds; others are refused.
//
//===----------------------------------------------------------------------===//
#include "egg/Session/Search.h"
#include "egg/LLM/ChatError.h"
#include "egg/Support/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <deque>

using namespace egg;
using llvm::Expected;

namespace {

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
  Expected<Proposal> answer() {
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
  Expected<Judgement> judgeImpl(const StageView &view) override {
    note(view, "judge");
    Judgement judgement;
    judgement.worthOptimizing = worth;
    return judgement;
  }
  Expected<Proposal> seedImpl(const StageView &view,
                              const Judgement &) override {
    note(view, "seed");
    return answer();
  }
  Expected<Proposal> optimiseImpl(const StageView &view,
                                  const Judgement &) override {
    note(view, "optimise");
    return answer();
  }
  Expected<Diagnosis> diagnoseImpl(const StageView &view,
                                   const Attempt &) override {
    note(view, "diagnose");
    return Diagnosis{"issue", "why", "plan"};
  }
  Expected<Proposal> repairImpl(const StageView &view, const Attempt &,
                                const Diagnosis &) override {
    note(view, "repair");
    return answer();
  }
};

Expected<Evaluation> evaluateNumber(mlir::ModuleOp, const Proposal &proposal) {
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

  SearchTest() { options.stages = {StageKind::Algorithm}; }
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("egg", "jsonl", path));
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  Expected<SearchResult> search(RecordMode mode = RecordMode::Record) {
    Expected<std::unique_ptr<Trajectory>> trajectory =
        Trajectory::open(path, mode);
    if (!trajectory)
      return trajectory.takeError();
    ProposalRequest request;
    request.payloadHash = "0";
    request.chip = "sm_90a";
    SearchServices services;
    services.start = [](const ProposalRequest &) -> Expected<Proposal> {
      return Proposal{"9", "the start", "expert"};
    };
    services.agent = &agent;
    services.evaluate = evaluateNumber;
    services.trajectory = trajectory->get();
    return runSearch(request, services, options);
  }

  SearchResult mustSearch(RecordMode mode = RecordMode::Record) {
    Expected<SearchResult> result = search(mode);
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

} // namespace

TEST_F(SearchTest, KeepsTheBest) {
  agent.scripts = {"5", "7", "4"};
  SearchResult result = mustSearch();
  EXPECT_EQ(result.attempts.size(), 4u);
  EXPECT_EQ(result.best, 3);
  EXPECT_EQ(agent.asked, (Texts{"judge from 0", "optimise from 0",
                                "optimise from 1", "optimise from 1"}));
  EXPECT_EQ(types(),
            (Texts{"session", "attempt", "stage", "judgement", "attempt",
                   "attempt", "attempt", "stage_end", "hand_over", "result"}));
}

TEST_F(SearchTest, AWorseScriptNeverWins) {
  agent.scripts = {"12", "9", "10"};
  EXPECT_EQ(mustSearch().best, 0);
}

TEST_F(SearchTest, TheAnalystsNoEndsTheStage) {
  agent.worth = false;
  options.stages.push_back(StageKind::TensorTiling);
  SearchResult result = mustSearch();
  EXPECT_EQ(agent.asked, (Texts{"judge from 0", "judge from 0"}));
  EXPECT_EQ(result.attempts.size(), 1u);
}

TEST_F(SearchTest, RefusedScriptsAreRepaired) {
  agent.scripts = {"bad", "worse", "3"};
  options.proposals = 1;
  SearchResult result = mustSearch();
  EXPECT_EQ(agent.asked,
            (Texts{"judge from 0", "optimise from 0", "diagnose from 0",
                   "repair from 0", "diagnose from 0", "repair from 0"}));
  EXPECT_EQ(result.best, 3);
  EXPECT_EQ(result.attempts[3].parent, 2);
  EXPECT_EQ(result.attempts[3].mode, "repair");
}

TEST_F(SearchTest, WhatCouldNotBeCheckedIsNotRepaired) {
  agent.scripts = {"slow", "bad", "slower", "3"};
  options.proposals = 3;
  SearchResult result = mustSearch();
  EXPECT_EQ(agent.asked,
            (Texts{"judge from 0", "optimise from 0", "optimise from 0",
                   "diagnose from 0", "repair from 0", "optimise from 0"}));
  EXPECT_TRUE(result.attempts[1].rejection().undecided);
  EXPECT_EQ(result.best, 4);
  agent.scripts = {"slow", "bad", "slower", "3"};
  EXPECT_EQ(mustSearch(RecordMode::Replay).attempts, result.attempts);
}

TEST_F(SearchTest, RepairsAreCounted) {
  agent.scripts = {"bad", "worse", "worst", "2"};
  options.proposals = 1;
  EXPECT_EQ(mustSearch().attempts.size(), 4u);
}

TEST_F(SearchTest, TheSameScriptAgainIsRefused) {
  agent.scripts = {"5", "5"};
  options.proposals = 2;
  options.repairs = 0;
  SearchResult result = mustSearch();
  ASSERT_FALSE(result.attempts[2].accepted());
  EXPECT_EQ(result.attempts[2].rejection().reason,
            "the script is that of attempt 1 again");
}

TEST_F(SearchTest, ACeilingOnTheGpusTime) {
  agent.scripts = {"5", "4", "3"};
  options.proposals = 5;
  options.gpuSeconds = 3;
  SearchResult result = mustSearch();
  EXPECT_EQ(result.best, 2);
  EXPECT_EQ(result.stopped,
            "3.0 GPU seconds are spent, and the ceiling is 3.0");
  EXPECT_EQ(types().back(), "result");
  // With more to spend it goes on: what was spent counts.
  agent.scripts = {"5", "4", "3", "2"};
  options.gpuSeconds = 4;
  EXPECT_EQ(mustSearch(RecordMode::Resume).best, 3);
}

TEST_F(SearchTest, BadAnswersAreRecorded) {
  agent.scripts = {ChatErrorKind::BadAnswer, ChatErrorKind::Truncated,
                   ChatErrorKind::Refused};
  SearchResult result = mustSearch();
  EXPECT_EQ(result.best, 0);
  Texts records = types();
  EXPECT_EQ(llvm::count(records, "agent_error"), 3);
  EXPECT_EQ(records.back(), "result");
}

TEST_F(SearchTest, ACoderMaySeeNothingToGain) {
  agent.scripts = {"5", "", "1"};
  options.proposals = 5;
  SearchResult result = mustSearch();
  EXPECT_EQ(result.best, 1);
  EXPECT_EQ(result.attempts.size(), 2u);
  Texts records = types();
  EXPECT_EQ(llvm::count(records, "declined"), 1);
  EXPECT_EQ(llvm::count(records, "agent_error"), 0);
  EXPECT_EQ(records.back(), "result");
}

TEST_F(SearchTest, ACoderMaySeeNoWayToMend) {
  agent.scripts = {"wrong", "", "5"};
  options.proposals = 2;
  options.repairs = 2;
  SearchResult result = mustSearch();
  EXPECT_EQ(result.best, 2);
  EXPECT_EQ(agent.asked,
            (std::vector<std::string>{"judge from 0", "optimise from 0",
                                      "diagnose from 0", "repair from 0",
                                      "optimise from 0"}));
}

TEST_F(SearchTest, ASpentBudgetKeepsTheBest) {
  agent.scripts = {"5", ChatErrorKind::OverBudget, "1"};
  options.stages.push_back(StageKind::TensorTiling);
  SearchResult result = mustSearch();
  EXPECT_EQ(result.best, 1);
  EXPECT_EQ(result.stopped, "fault");
  Texts records = types();
  EXPECT_EQ(records[records.size() - 2], "stopped");
  EXPECT_EQ(records.back(), "result");
}

TEST_F(SearchTest, ALostConnectionIsAnErrorAndLosesNothing) {
  agent.scripts = {"5", ChatErrorKind::Unreachable};
  EXPECT_NE(llvm::toString(search().takeError()).find("fault"),
            std::string::npos);
  EXPECT_EQ(types().back(), "attempt");
  agent.asked.clear();
  agent.scripts = {"5", "4", "3"};
  EXPECT_EQ(mustSearch(RecordMode::Resume).best, 3);
}

TEST_F(SearchTest, ASpentBudgetGoesOnWithALargerOne) {
  agent.scripts = {"5", ChatErrorKind::OverBudget};
  mustSearch();
  agent.scripts = {"5", "4", "3"};
  EXPECT_EQ(mustSearch(RecordMode::Resume).best, 3);
}

/// Killed at any moment, a session comes to the same end.
TEST_F(SearchTest, ResumesWhereverItWasKilled) {
  const std::deque<std::variant<std::string, ChatErrorKind>> answers = {
      "5", "bad", ChatErrorKind::BadAnswer, "4", "3", "bad", "2", "8", "7"};
  options.stages.push_back(StageKind::TensorTiling);
  agent.scripts = answers;
  mustSearch();
  std::string whole = llvm::cantFail(readFile(path));
  // Twenty places, in the middle of records and at their ends.
  for (size_t bytes = 0; bytes < whole.size(); bytes += whole.size() / 20) {
    llvm::cantFail(writeFileAtomically(path, whole.substr(0, bytes)));
    agent.scripts = answers;
    mustSearch(RecordMode::Resume);
    std::string again = llvm::cantFail(readFile(path));
    // A finished one gets another result.
    ASSERT_EQ(again.substr(0, whole.size()), whole) << bytes;
  }
}

TEST_F(SearchTest, AnotherSessionIsNotResumed) {
  agent.scripts = {"5"};
  mustSearch();
  options.repairs = 7;
  agent.scripts = {"5"};
  EXPECT_NE(llvm::toString(search(RecordMode::Resume).takeError())
                .find(":1: the session takes another course"),
            std::string::npos);
}

TEST_F(SearchTest, HistoryAndHandOverCanBeSwitchedOff) {
  options.stages.push_back(StageKind::TensorTiling);
  for (bool on : {true, false}) {
    options.history = options.handOver = on;
    agent.scripts = {"5", "4", "3", "2", "6", "7"};
    agent.attemptsShown.clear();
    agent.handOversShown.clear();
    mustSearch();
    llvm::cantFail(writeFileAtomically(path, ""));
    // What is told of them is the agent's matter.
    EXPECT_EQ(agent.attemptsShown,
              (std::vector<size_t>{0, 0, 1, 2, 0, 0, 1, 2}));
    EXPECT_EQ(agent.handOversShown,
              on ? (std::vector<size_t>{0, 0, 0, 0, 1, 1, 1, 1})
                 : std::vector<size_t>(8, 0));
  }
}

TEST_F(SearchTest, CloseToTheRooflineIsEnough) {
  agent.scripts = {"1.05", "1"};
  options.stages.push_back(StageKind::TensorTiling);
  SearchResult result = mustSearch();
  EXPECT_EQ(result.attempts.size(), 2u);
  EXPECT_EQ(agent.asked, (Texts{"judge from 0", "optimise from 0"}));
}

TEST_F(SearchTest, FromScratchTheStartIsNotShown) {
  options.fromScratch = true;
  agent.scripts = {"12", "11"};
  options.proposals = 2;
  SearchResult result = mustSearch();
  EXPECT_EQ(agent.asked, (Texts{"judge", "seed", "optimise from 1"}));
  // Nothing better came: the start stays.
  EXPECT_EQ(result.best, 0);
}
