//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The plan that the compiler prints is the program that the runtime reads.
//
//===----------------------------------------------------------------------===//
#include "egg/Core/Plan.h"
#include "egg/Runtime/Program.h"
#include "gtest/gtest.h"

using namespace egg;

namespace {

TEST(PlanFormatTest, RuntimeReadsWhatTheCompilerPrints) {
  Plan plan;
  plan.chip = "sm_90a";
  plan.arguments = {{"w", "parameter", {2, 3}, "f32"},
                    {"n", "buffer", {}, "i64"},
                    {"x", "input", {8}, "i1"}};
  plan.results = {{"y", "output", {4}, "bf16"},
                  {"n", "buffer_update", {}, "i64"}};
  plan.buffers = {{PlanBuffer::Kind::Argument, 0, 0, 24},
                  {PlanBuffer::Kind::Argument, 1, 0, 8},
                  {PlanBuffer::Kind::Argument, 2, 0, 8},
                  {PlanBuffer::Kind::Arena, 0, 256, 100},
                  {PlanBuffer::Kind::Result, 0, 0, 8},
                  {PlanBuffer::Kind::Result, 1, 0, 8}};
  plan.steps = {
      {PlanStep::Kind::Launch, "k", {7, 2, 1}, {64, 2, 1}, 512, {0, 2, 3, 4}},
      {PlanStep::Kind::Copy, "", {1, 1, 1}, {1, 1, 1}, 0, {1, 5}}};
  plan.arenaBytes = 512;

  auto read = runtime::readProgram(toJSON(plan));
  ASSERT_TRUE(read.ok()) << read.status().message;
  const runtime::Program &program = read.value();
  EXPECT_EQ(program.chip, plan.chip);
  EXPECT_EQ(program.arenaBytes, plan.arenaBytes);
  ASSERT_EQ(program.arguments.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(program.arguments[i].name, plan.arguments[i].name);
    EXPECT_EQ(program.arguments[i].kind, plan.arguments[i].kind);
    EXPECT_EQ(program.arguments[i].shape, plan.arguments[i].shape);
    EXPECT_EQ(program.arguments[i].dtype, plan.arguments[i].dtype);
    EXPECT_EQ(program.arguments[i].bytes, plan.arguments[i].sizeInBytes());
  }
  ASSERT_EQ(program.results.size(), 2u);
  EXPECT_EQ(program.results[0].bytes, 8);
  ASSERT_EQ(program.buffers.size(), plan.buffers.size());
  for (size_t i = 0; i < plan.buffers.size(); ++i) {
    EXPECT_EQ(int(program.buffers[i].kind), int(plan.buffers[i].kind));
    EXPECT_EQ(program.buffers[i].index, plan.buffers[i].index);
    EXPECT_EQ(program.buffers[i].offset, plan.buffers[i].offset);
    EXPECT_EQ(program.buffers[i].bytes, plan.buffers[i].bytes);
  }
  ASSERT_EQ(program.steps.size(), 2u);
  EXPECT_EQ(program.steps[0].kernel, "k");
  EXPECT_EQ(program.steps[0].grid, plan.steps[0].grid);
  EXPECT_EQ(program.steps[0].block, plan.steps[0].block);
  EXPECT_EQ(program.steps[0].dynamicSharedMemory, 512);
  EXPECT_EQ(program.steps[0].arguments, plan.steps[0].arguments);
  EXPECT_EQ(program.steps[1].kind, runtime::Step::Kind::Copy);
  EXPECT_EQ(program.steps[1].arguments, plan.steps[1].arguments);
}

// Each of these is refused by both.
TEST(PlanFormatTest, CompilerAndRuntimeRefuseAlike) {
  Plan plan;
  plan.chip = "sm_90a";
  plan.buffers = {{PlanBuffer::Kind::Arena, 0, 256, 100}};
  plan.arenaBytes = 300; // The range ends at 356.
  EXPECT_FALSE(runtime::readProgram(toJSON(plan)).ok());
  llvm::Expected<Plan> parsed = parsePlan(toJSON(plan));
  EXPECT_FALSE(bool(parsed));
  llvm::consumeError(parsed.takeError());
}

} // namespace
