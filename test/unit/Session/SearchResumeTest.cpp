//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SearchFakes.h"

using namespace egg;
using namespace egg::test;

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
    ASSERT_EQ(again, whole) << bytes;
  }
}

TEST_F(SearchTest, ResumingAFinishedOneChangesNothing) {
  for (bool stops : {false, true}) {
    llvm::cantFail(writeFileAtomically(path, ""));
    std::deque<std::variant<std::string, ChatErrorKind>> answers = {"5", "4",
                                                                    "3"};
    if (stops)
      answers[1] = ChatErrorKind::OverBudget;
    agent.scripts = answers;
    int64_t best = mustSearch().best;
    std::string whole = llvm::cantFail(readFile(path));
    for (int i = 0; i < 2; ++i) {
      agent.scripts = answers;
      EXPECT_EQ(mustSearch(RecordMode::Resume).best, best);
      EXPECT_EQ(llvm::cantFail(readFile(path)), whole);
    }
  }
}

/// A lower ceiling on the GPU's time holds from where the records end.
TEST_F(SearchTest, WhatIsOnRecordIsNotStopped) {
  agent.scripts = {"5", "4", "3"};
  mustSearch();
  std::string whole = llvm::cantFail(readFile(path));
  llvm::cantFail(
      writeFileAtomically(path, whole.substr(0, whole.find("{\"best\":3"))));
  agent.scripts = {"5", "4", "3"};
  options.gpuSeconds = 1;
  EXPECT_EQ(mustSearch(RecordMode::Resume).best, 3);
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

TEST_F(SearchTest, MeasuredAndPredictedTimesAreTwoSessions) {
  agent.scripts = {"5"};
  mustSearch();
  EXPECT_NE(llvm::cantFail(readFile(path)).find("\"measures\":false"),
            std::string::npos);
  measures = true;
  agent.scripts = {"5"};
  EXPECT_NE(llvm::toString(search(RecordMode::Resume).takeError())
                .find(":1: the session takes another course"),
            std::string::npos);
}

/// Older headers do not say whether the session measures, nor will they.
TEST_F(SearchTest, OlderHeadersStayAsTheyAre) {
  agent.scripts = {"5", "4", "3"};
  mustSearch();
  std::string whole = llvm::cantFail(readFile(path));
  std::string field = "\"measures\":false,";
  ASSERT_NE(whole.find(field), std::string::npos);
  whole.erase(whole.find(field), field.size());
  llvm::cantFail(writeFileAtomically(path, whole));
  for (RecordMode mode : {RecordMode::Replay, RecordMode::Resume}) {
    agent.scripts = {"5", "4", "3"};
    EXPECT_EQ(mustSearch(mode).best, 3);
    EXPECT_EQ(llvm::cantFail(readFile(path)), whole);
  }
}

/// Completing a script is not tried again where it ran out of time: it might
/// come to its end this time, and the session would take another course.
TEST_F(SearchTest, WhatCouldNotBeCompletedIsFoundAgain) {
  auto ranOut = [](bool does) {
    return [does](mlir::ModuleOp,
                  llvm::StringRef script) -> llvm::Expected<std::string> {
      if (!does || script != "5")
        return script.str();
      return llvm::make_error<RejectionError>(
          Rejection{"apply", "", "more than 60 s", "", {}, true});
    };
  };
  complete = ranOut(true);
  agent.scripts = {"5", "4", "3"};
  SearchResult result = mustSearch();
  EXPECT_TRUE(result.attempts[1].undecided());
  // There is nothing to mend.
  EXPECT_EQ(agent.asked, (Texts{"judge from 0", "optimise from 0",
                                "optimise from 0", "optimise from 2"}));
  std::string whole = llvm::cantFail(readFile(path));
  complete = ranOut(false);
  agent.scripts = {"5", "4", "3"};
  EXPECT_EQ(mustSearch(RecordMode::Resume).attempts, result.attempts);
  EXPECT_EQ(llvm::cantFail(readFile(path)), whole);
}

/// With a higher limit, say; other undecided scripts stay what they are, for
/// what follows in the records depends on them.
TEST_F(SearchTest, AnUndecidedStartIsTriedAgain) {
  std::string limit = "1";
  evaluate = [&](mlir::ModuleOp payload,
                 const Proposal &proposal) -> llvm::Expected<Evaluation> {
    if (proposal.script == "9" && !limit.empty())
      return Evaluation{
          Rejection{"exact", "", "more than " + limit + " s", "", {}, true}};
    return evaluateNumber(payload, proposal);
  };
  EXPECT_NE(llvm::toString(search().takeError()).find("more than 1 s"),
            std::string::npos);
  std::string first = llvm::cantFail(readFile(path));
  // The same limit adds nothing.
  EXPECT_NE(llvm::toString(search(RecordMode::Resume).takeError()).find("1 s"),
            std::string::npos);
  EXPECT_EQ(llvm::cantFail(readFile(path)), first);
  EXPECT_NE(llvm::toString(search(RecordMode::Replay).takeError()).find("1 s"),
            std::string::npos);
  limit = "2";
  EXPECT_NE(llvm::toString(search(RecordMode::Resume).takeError()).find("2 s"),
            std::string::npos);
  EXPECT_EQ(types(), (Texts{"session", "attempt", "attempt"}));
  limit.clear();
  for (RecordMode mode :
       {RecordMode::Resume, RecordMode::Resume, RecordMode::Replay}) {
    agent.scripts = {"slow", "4", "3"};
    EXPECT_EQ(mustSearch(mode).best, 3);
  }
  EXPECT_EQ(types().size(), 12u);
}
