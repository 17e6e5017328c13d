//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Search/StageSummary.h"
#include "gtest/gtest.h"

using namespace egg;

namespace {

KernelAssessment makeKernel(std::string name, double predicted,
                            double roofline) {
  KernelAssessment kernel;
  kernel.name = std::move(name);
  kernel.structure = "map";
  kernel.predictedSeconds = predicted;
  kernel.rooflineSeconds = roofline;
  kernel.bound = "memory";
  return kernel;
}

Attempt makeAttempt(int64_t id, std::vector<KernelAssessment> kernels) {
  Assessment assessment;
  for (const KernelAssessment &kernel : kernels) {
    assessment.predictedSeconds += kernel.predictedSeconds;
    assessment.rooflineSeconds += kernel.rooflineSeconds / 2;
    assessment.memoryFloorSeconds += kernel.rooflineSeconds / 4;
  }
  assessment.kernels = std::move(kernels);
  Attempt attempt;
  attempt.id = id;
  attempt.outcome = assessment;
  return attempt;
}

} // namespace

TEST(StageSummary, KernelsWithMostToGainComeFirst) {
  // b is slow because it has much to do; a is launched twice.
  Attempt attempt =
      makeAttempt(0, {makeKernel("a", 2, 1), makeKernel("b", 9, 8),
                      makeKernel("c", 1, 1), makeKernel("a", 2, 1)});
  EXPECT_EQ(rankKernels(attempt.assessment()),
            (std::vector<std::string>{"a", "b", "c"}));
}

TEST(StageSummary, DistanceIsThatOfTheStagesSubject) {
  Attempt attempt =
      makeAttempt(0, {makeKernel("a", 2, 1), makeKernel("b", 4, 4)});
  EXPECT_DOUBLE_EQ(
      distanceToRoofline(attempt.assessment(), {StageKind::TensorTiling, "b"}),
      1);
  EXPECT_DOUBLE_EQ(
      distanceToRoofline(attempt.assessment(), {StageKind::TensorTiling, "a"}),
      2);
  // Of an algorithm's time only the bytes are given.
  EXPECT_DOUBLE_EQ(distanceToRoofline(attempt.assessment(), Stage()), 6 / 1.25);
  EXPECT_TRUE(std::isinf(distanceToRoofline(
      attempt.assessment(), {StageKind::TensorTiling, "missing"})));
}

/// A prediction does not end a stage where a GPU says otherwise.
TEST(StageSummary, DistanceIsMeasuredWhereTheWholeIs) {
  Attempt attempt =
      makeAttempt(0, {makeKernel("a", 2, 1), makeKernel("b", 4, 4)});
  auto &assessment = std::get<Assessment>(attempt.outcome);
  Stage ofA{StageKind::TensorTiling, "a"}, ofB{StageKind::TensorTiling, "b"};
  assessment.measuredSeconds = 12;
  EXPECT_DOUBLE_EQ(distanceToRoofline(assessment, ofB), 2);
  assessment.kernels[0].measuredSeconds = 3;
  EXPECT_DOUBLE_EQ(distanceToRoofline(assessment, ofA), 3);
  EXPECT_DOUBLE_EQ(distanceToRoofline(assessment, ofB), 2);
}

TEST(StageSummary, SaysWhatWasDecided) {
  Attempt before = makeAttempt(0, {makeKernel("a", 4, 1)});
  Attempt after =
      makeAttempt(2, {makeKernel("a", 2, 1), makeKernel("b", 1, 1)});
  after.rationale = std::string(1000, 'x');
  Attempt refused;
  refused.id = 1;
  refused.outcome = Rejection{};
  HandOver handOver =
      summarizeStage(Stage(), before, after, {&refused, &after});
  EXPECT_EQ(handOver.secondsBefore, 4);
  EXPECT_EQ(handOver.secondsAfter, 3);
  EXPECT_EQ(handOver.attempts, 2);
  EXPECT_EQ(handOver.accepted, 1);
  ASSERT_EQ(handOver.decisions.size(), 1u);
  EXPECT_EQ(handOver.decisions.front().size(), 400u);
  EXPECT_EQ(handOver.invariants.front(),
            "the kernels, in order: @a (map), @b (map)");
  EXPECT_EQ(handOver.bottlenecks.front(),
            "@a takes 66.7 % of the time, 2.0 times its roofline, bound by "
            "memory");
}

TEST(StageSummary, SaysThatNothingWasDecided) {
  Attempt before = makeAttempt(0, {makeKernel("a", 4, 1)});
  Stage stage{StageKind::MemoryOptimization, "a"};
  HandOver handOver = summarizeStage(stage, before, before, {});
  EXPECT_EQ(handOver.decisions.front(),
            "kept what it began with: nothing was tried");
  EXPECT_EQ(handOver.invariants.front(), "the memory_optimization of @a");
}
