//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Plans survive their JSON form, and every rule of parsePlan refuses what
// breaks it, naming the place.
//
//===----------------------------------------------------------------------===//
#include "egg/Core/Plan.h"
#include "gtest/gtest.h"

using namespace egg;

namespace {

Plan makePlan() {
  Plan plan;
  plan.chip = "sm_90a";
  plan.arguments = {{"fc.weight", "parameter", {64, 32}, "f32"},
                    {"x \"quoted\"", "input", {}, "i1"}};
  plan.results = {{"output_0", "output", {64}, "bf16"}};
  using Kind = PlanBuffer::Kind;
  plan.buffers = {{Kind::Argument, 0, 0, 8192},
                  {Kind::Argument, 1, 0, 1},
                  {Kind::Arena, 0, 256, 1000},
                  {Kind::Result, 0, 0, 128}};
  PlanStep launch;
  launch.kernel = "matmul_relu";
  launch.grid = {3, 2, 1};
  launch.block = {256, 1, 1};
  launch.dynamicSharedMemory = 1024;
  launch.arguments = {0, 1, 2};
  PlanStep copy;
  copy.kind = PlanStep::Kind::Copy;
  copy.arguments = {3, 3};
  plan.steps = {launch, copy};
  plan.arenaBytes = 1280;
  return plan;
}

TEST(PlanTest, RoundTrips) {
  Plan plan = makePlan();
  std::string text = toJSON(plan);
  llvm::Expected<Plan> parsed = parsePlan(text);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(*parsed, plan);
  EXPECT_EQ(toJSON(*parsed), text);
  EXPECT_EQ(text.back(), '\n');
}

TEST(PlanTest, EmptyPlanRoundTrips) {
  llvm::Expected<Plan> parsed = parsePlan(toJSON(Plan()));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(*parsed, Plan());
}

TEST(PlanTest, SizeOfTensors) {
  EXPECT_EQ((TensorSpec{"", "", {3, 5}, "f64"}.sizeInBytes()), 120);
  EXPECT_EQ((TensorSpec{"", "", {}, "bf16"}.sizeInBytes()), 2);
  EXPECT_EQ((TensorSpec{"", "", {7}, "i1"}.sizeInBytes()), 7);
  EXPECT_EQ((TensorSpec{"", "", {0, 4}, "f32"}.sizeInBytes()), 0);
}

/// A change to the plan and the words the error must have.
struct Breakage {
  const char *name;
  void (*change)(Plan &);
  const char *place;
  const char *reason;
};

class PlanBreakage : public ::testing::TestWithParam<Breakage> {};

TEST_P(PlanBreakage, IsRefused) {
  Plan plan = makePlan();
  GetParam().change(plan);
  llvm::Expected<Plan> parsed = parsePlan(toJSON(plan));
  ASSERT_FALSE(bool(parsed));
  std::string message = llvm::toString(parsed.takeError());
  EXPECT_NE(message.find(GetParam().place), std::string::npos) << message;
  EXPECT_NE(message.find(GetParam().reason), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    All, PlanBreakage,
    ::testing::Values(
        Breakage{"BufferNumber", [](Plan &p) { p.steps[0].arguments[1] = 4; },
                 "plan.steps[0].arguments[1]", "no such buffer"},
        Breakage{"NegativeBufferNumber",
                 [](Plan &p) { p.steps[1].arguments[0] = -1; },
                 "plan.steps[1].arguments[0]", "no such buffer"},
        Breakage{"ArenaRange", [](Plan &p) { p.buffers[2].bytes = 1025; },
                 "plan.buffers[2]", "beyond arenaBytes"},
        Breakage{"ArenaOverflow",
                 [](Plan &p) {
                   p.buffers[2].bytes = INT64_MAX;
                   p.buffers[2].offset = INT64_MAX / 256 * 256;
                 },
                 "plan.buffers[2]", "beyond arenaBytes"},
        Breakage{"ArenaAlignment", [](Plan &p) { p.buffers[2].offset = 128; },
                 "plan.buffers[2].offset", "multiple of 256"},
        Breakage{"ArgumentIndex", [](Plan &p) { p.buffers[1].index = 2; },
                 "plan.buffers[1].index", "no such argument"},
        Breakage{"BufferTooLarge", [](Plan &p) { p.buffers[3].bytes = 129; },
                 "plan.buffers[3].bytes", "larger"},
        Breakage{"NegativeBytes", [](Plan &p) { p.buffers[1].bytes = -1; },
                 "plan.buffers[1].bytes", "negative"},
        Breakage{"EmptyGrid", [](Plan &p) { p.steps[0].grid[1] = 0; },
                 "plan.steps[0].grid[1]", "positive"},
        Breakage{"EmptyBlock", [](Plan &p) { p.steps[0].block[2] = -4; },
                 "plan.steps[0].block[2]", "positive"},
        Breakage{"DynamicShared",
                 [](Plan &p) { p.steps[0].dynamicSharedMemory = -1; },
                 "plan.steps[0].dynamicSharedMemory", "negative"},
        Breakage{"NoKernel", [](Plan &p) { p.steps[0].kernel = ""; },
                 "plan.steps[0].kernel", "no name"},
        Breakage{"CopyOfTwoSizes", [](Plan &p) { p.steps[1].arguments[0] = 0; },
                 "plan.steps[1].arguments", "differ in size"},
        Breakage{"CopyOfOne", [](Plan &p) { p.steps[1].arguments = {3}; },
                 "plan.steps[1].arguments", "source and target"},
        Breakage{"Dtype", [](Plan &p) { p.results[0].dtype = "f8"; },
                 "plan.results[0].dtype", "expected f64"},
        Breakage{"NegativeExtent",
                 [](Plan &p) { p.arguments[0].shape[1] = -1; },
                 "plan.arguments[0].shape[1]", "negative"},
        Breakage{"HugeShape",
                 [](Plan &p) {
                   p.arguments[0].shape = {int64_t(1) << 40, int64_t(1) << 40};
                 },
                 "plan.arguments[0].shape[1]", "too large"}),
    [](const auto &info) { return std::string(info.param.name); });

void expectRefusal(std::string text, const char *part) {
  llvm::Expected<Plan> parsed = parsePlan(text);
  ASSERT_FALSE(bool(parsed));
  std::string message = llvm::toString(parsed.takeError());
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(PlanTest, OtherVersionIsRefused) {
  std::string text = toJSON(makePlan());
  std::string version = "\"version\": 1";
  ASSERT_NE(text.find(version), std::string::npos);
  text.replace(text.find(version), version.size(), "\"version\": 2");
  expectRefusal(text, "plan.version");
}

TEST(PlanTest, MalformedTextIsRefused) {
  expectRefusal("", "plan is not JSON");
  expectRefusal("{\"version\": 1", "plan is not JSON");
  expectRefusal("[]", "expected object");
  expectRefusal("{\"version\": 1}", "plan.chip");
  std::string text = toJSON(makePlan());
  expectRefusal(text.substr(0, text.size() / 2), "plan is not JSON");
}

} // namespace
