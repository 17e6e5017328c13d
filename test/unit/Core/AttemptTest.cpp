//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Attempt.h"
#include "egg/Core/HandOver.h"
#include "gtest/gtest.h"
#include <limits>

using namespace egg;
namespace json = llvm::json;

template <typename T> static T roundTrip(const T &value) {
  std::string text;
  llvm::raw_string_ostream(text) << toJSONValue(value);
  json::Value parsed = llvm::cantFail(json::parse(text));
  json::Path::Root root("value");
  T result;
  EXPECT_TRUE(fromJSON(parsed, result, root))
      << llvm::toString(root.getError());
  return result;
}

template <typename T> static std::string refusal(llvm::StringRef text) {
  json::Value parsed = llvm::cantFail(json::parse(text));
  json::Path::Root root("value");
  T result;
  EXPECT_FALSE(fromJSON(parsed, result, root));
  return llvm::toString(root.getError());
}

static Attempt makeAttempt() {
  Attempt attempt;
  attempt.id = 7;
  attempt.parent = 3;
  attempt.stage = {StageKind::TensorTiling, "softmax_rows"};
  attempt.author = "llm: m";
  attempt.mode = "repair";
  attempt.script = "module {}\n";
  attempt.rationale = "wider \xff loads";
  return attempt;
}

TEST(Attempt, AcceptedRoundTrips) {
  Attempt attempt = makeAttempt();
  attempt.rationale = "wider loads";
  Assessment assessment;
  assessment.grade = Grade::Exact;
  assessment.predictedSeconds = 1e-3;
  assessment.measuredSeconds = 2e-3;
  KernelAssessment kernel;
  kernel.name = "softmax_rows";
  kernel.grid = {512, 1, 1};
  kernel.registers = 40;
  kernel.counters = {{"sm__cycles", 12.0},
                     {"bad", std::numeric_limits<double>::infinity()}};
  assessment.kernels = {kernel};
  attempt.outcome = assessment;
  EXPECT_EQ(roundTrip(attempt), attempt);
  EXPECT_EQ(assessment.seconds(), 2e-3);
}

TEST(Attempt, RefusedRoundTrips) {
  Attempt attempt = makeAttempt();
  attempt.rationale.clear();
  attempt.parent.reset();
  attempt.outcome = Rejection{"apply", "s.mlir:1:2", "no", "do", {"note"}};
  EXPECT_EQ(roundTrip(attempt), attempt);
  attempt.outcome = Rejection{"exact", "", "slow", "raise it", {}, true};
  EXPECT_EQ(roundTrip(attempt), attempt);
}

TEST(Attempt, BytesThatAreNoTextDoNotBreakTheRecord) {
  Attempt attempt = makeAttempt();
  attempt.outcome = Rejection{};
  EXPECT_EQ(roundTrip(attempt).script, attempt.script);
}

TEST(Attempt, NeitherAcceptedNorRefusedIsAnError) {
  EXPECT_NE(refusal<Attempt>(R"({"id": 0, "stage": {"kind": "algorithm"},
      "author": "", "mode": "", "script": "", "rationale": ""})")
                .find("either 'accepted' or 'refused'"),
            std::string::npos);
}

TEST(Attempt, ExtentsAreThree) {
  EXPECT_NE(
      refusal<KernelAssessment>(R"({"name": "", "structure": "", "grid": [1]})")
          .find("three integers"),
      std::string::npos);
}

TEST(Stage, RoundTripsAndNames) {
  Stage stage{StageKind::MemoryOptimization, "k"};
  EXPECT_EQ(roundTrip(stage), stage);
  EXPECT_EQ(stage.str(), "memory_optimization of @k");
  EXPECT_EQ(Stage().str(), "algorithm");
  EXPECT_EQ(roundTrip(Stage()), Stage());
  EXPECT_NE(refusal<Stage>(R"({"kind": "baking"})").find("unknown stage"),
            std::string::npos);
}

TEST(HandOver, RoundTrips) {
  HandOver handOver;
  handOver.stage.kernel = "k";
  handOver.decisions = {"one kernel"};
  handOver.invariants = {"keep", "it"};
  handOver.bottlenecks = {"memory"};
  handOver.secondsBefore = 2;
  handOver.secondsAfter = 1;
  handOver.attempts = 4;
  handOver.accepted = 3;
  EXPECT_EQ(roundTrip(handOver), handOver);
}
