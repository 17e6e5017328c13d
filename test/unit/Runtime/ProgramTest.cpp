//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reading plan.json: the good plan, and one refusal for each check, each with
// the place in the document.
//
//===----------------------------------------------------------------------===//
#include "egg/Runtime/Program.h"
#include "RuntimeTest.h"

using namespace egg::runtime;

namespace {

TEST(ProgramTest, ReadsEverything) {
  Result<Program> read = readProgram(twoKernelPlan);
  ASSERT_TRUE(read.ok()) << read.status().message;
  const Program &program = read.value();
  EXPECT_EQ(program.chip, "sm_90a");
  EXPECT_EQ(program.arenaBytes, 512);
  ASSERT_EQ(program.buffers.size(), 5u);
  EXPECT_EQ(program.buffers[1].kind, Buffer::Kind::Arena);
  EXPECT_EQ(program.buffers[1].offset, 256);
  EXPECT_EQ(program.buffers[2].kind, Buffer::Kind::Result);
  ASSERT_EQ(program.steps.size(), 3u);
  EXPECT_EQ(program.steps[0].kernel, "add_one_a");
  EXPECT_EQ(program.steps[0].grid[0], 2);
  EXPECT_EQ(program.steps[2].kind, Step::Kind::Copy);
}

struct Refusal {
  const char *name, *what, *by, *message;
};

class RefusedProgramTest : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedProgramTest, NamesThePlace) {
  const Refusal &refusal = GetParam();
  std::string text = twoKernelPlan;
  size_t position = text.find(refusal.what);
  ASSERT_NE(position, std::string::npos);
  text.replace(position, strlen(refusal.what), refusal.by);
  Result<Program> read = readProgram(text);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.status().code, EGG_BAD_ARTIFACT);
  EXPECT_THAT(
      read.status().message,
      ::testing::HasSubstr(std::string("plan.json: ") + refusal.message));
}

INSTANTIATE_TEST_SUITE_P(
    Each, RefusedProgramTest,
    ::testing::Values(
        Refusal{"Truncated", "\"arenaBytes\": 512\n}", "", "is not JSON"},
        Refusal{"Version", "\"version\": 1", "\"version\": 2",
                "version: is 2, this runtime reads 1"},
        Refusal{"MissingChip", "\"chip\"", "\"chop\"", "chip: is missing"},
        Refusal{"ArgumentKind", "\"input\"", "\"output\"",
                "arguments[1].kind: unknown kind 'output'"},
        Refusal{"Dtype", "\"f32\"", "\"f8\"",
                "arguments[1].dtype: unknown type 'f8'"},
        Refusal{"NegativeExtent", "[2, 32]", "[2, -1]",
                "arguments[1].shape[1]: is -1"},
        Refusal{"HugeShape", "[2, 32]", "[4611686018427387904, 32]",
                "arguments[1].shape: has more bytes"},
        Refusal{"SizeDisagrees", "\"index\": 1, \"bytes\": 256",
                "\"index\": 1, \"bytes\": 512",
                "buffers[0].bytes: is 512, but the tensor has only 256"},
        Refusal{"ArgumentIndex", "\"index\": 1, \"bytes\": 256",
                "\"index\": 2, \"bytes\": 256", "buffers[0].index: is 2"},
        Refusal{"ArenaOverrun", "\"arenaBytes\": 512", "\"arenaBytes\": 511",
                "buffers[1]: reaches past the arena's 511 bytes"},
        Refusal{"ArenaOffset", "\"offset\": 256", "\"offset\": 8",
                "buffers[1].offset: is not a multiple of 256"},
        Refusal{"BufferNumber", "\"arguments\": [1, 2]",
                "\"arguments\": [1, 5]", "steps[1].arguments[1]: is 5"},
        Refusal{"FractionalNumber", "\"arguments\": [1, 2]",
                "\"arguments\": [1, 1.5]",
                "steps[1].arguments[1]: expected an integer"},
        Refusal{"ZeroGrid", "\"grid\": [2, 1, 1]", "\"grid\": [0, 1, 1]",
                "steps[0].grid[0]: is 0"},
        Refusal{"TwoExtents", "\"grid\": [2, 1, 1]", "\"grid\": [2, 1]",
                "steps[0].grid: expected three extents"},
        Refusal{"LargeGridY", "\"grid\": [2, 1, 1]", "\"grid\": [2, 65536, 1]",
                "steps[0].grid[1]: is 65536"},
        Refusal{"LargeBlock", "\"block\": [32, 1, 1]", "\"block\": [512, 4, 1]",
                "steps[0].block: has more than 1024 threads"},
        Refusal{"StepKind", "\"kind\": \"copy\"", "\"kind\": \"move\"",
                "steps[2].kind: unknown kind 'move'"},
        Refusal{"CopySizes", "\"arguments\": [3, 4]", "\"arguments\": [3, 2]",
                "steps[2]: copies between buffers of different sizes"}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
