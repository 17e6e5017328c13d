//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SearchFakes.h"

using namespace egg;
using namespace egg::test;

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

/// From which script a proposal starts, with every strategy; and whatever
/// comes, the best is the fastest, the first of equals.
TEST_F(SearchTest, EveryStrategyKeepsTheFastest) {
  struct {
    SearchStrategy strategy;
    Texts asked;
  } cases[] = {{SearchStrategy::Greedy,
                {"judge from 0", "optimise from 0", "optimise from 1",
                 "optimise from 1", "optimise from 1", "optimise from 4"}},
               {SearchStrategy::Beam,
                {"judge from 0", "optimise from 0", "optimise from 0",
                 "optimise from 1", "optimise from 3", "optimise from 4"}},
               {SearchStrategy::BestOfN,
                {"judge from 0", "optimise from 0", "optimise from 0",
                 "optimise from 0", "optimise from 0", "optimise from 0"}}};
  options.proposals = 5;
  options.width = 2;
  for (auto &[strategy, asked] : cases) {
    llvm::cantFail(writeFileAtomically(path, ""));
    options.strategy = strategy;
    agent.asked.clear();
    agent.scripts = {"5", "8", "5.0", "4", "nan"};
    SearchResult result = mustSearch();
    EXPECT_EQ(result.best, 4);
    EXPECT_EQ(agent.asked, asked);
  }
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

TEST_F(SearchTest, WhatIsNoNumberIsNotClose) {
  evaluate = [](mlir::ModuleOp payload, const Proposal &proposal) {
    auto evaluation = evaluateNumber(payload, proposal);
    if (auto *known = std::get_if<Assessment>(&evaluation->outcome))
      known->predictedSeconds = std::nan("");
    return evaluation;
  };
  agent.scripts = {"5", "4", "3"};
  mustSearch();
  EXPECT_EQ(agent.asked.size(), 4u);
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
