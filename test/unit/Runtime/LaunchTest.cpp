//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Launching: order and extents of the steps, the arena, what a launch may not
// do, bad addresses, faults.
//
//===----------------------------------------------------------------------===//
#include "RuntimeTest.h"
#include <array>

namespace {

class LaunchTest : public RuntimeTest {
protected:
  EggStatus launch(EggLaunchMode mode = EGG_LAUNCH_ASYNC) {
    return eggModuleLaunch(module, arguments.data(), arguments.size(),
                           results.data(), results.size(), stream, mode);
  }

  alignas(256) int64_t n = 7;
  alignas(256) int64_t newN = 0;
  alignas(256) std::array<float, 128> x = {};
  alignas(256) std::array<float, 64> y = {};
  alignas(256) std::array<char, 512> arena = {};
  std::array<uint64_t, 2> arguments = {address(&n), address(&x)};
  std::array<uint64_t, 2> results = {address(&y), address(&newN)};
  void *stream = reinterpret_cast<void *>(0x5);

  static uint64_t address(const void *pointer) {
    return reinterpret_cast<uint64_t>(pointer);
  }
};

TEST_F(LaunchTest, RunsTheStepsInOrder) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK);
  x[63] = 40;
  ASSERT_EQ(launch(), EGG_OK) << eggLastError();
  EXPECT_EQ(y[63], 42);
  EXPECT_EQ(y[0], 2);
  EXPECT_EQ(newN, 7);
  EXPECT_EQ(eggModuleSynchronize(module, stream), EGG_OK);
}

// A CUDA graph can capture exactly this: launches and copies on one stream.
TEST_F(LaunchTest, OnlyLaunchesAndCopies) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK);
  std::string before = fakeLog();
  ASSERT_EQ(launch(), EGG_OK);
  EXPECT_EQ(std::string(fakeLog()).substr(before.size()),
            "launch add_one_a grid 2x1x1 block 32x1x1 shared 0 stream 0x5\n"
            "launch add_one_b grid 2x1x1 block 32x1x1 shared 0 stream 0x5\n"
            "copy 8\n");
}

TEST_F(LaunchTest, UsesTheCallersArena) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX, "", EGG_ARENA_CALLER), EGG_OK);
  EXPECT_THAT(fakeLog(), ::testing::Not(::testing::HasSubstr("allocate")));
  ASSERT_EQ(eggModuleSetArena(module, address(&arena), arena.size()), EGG_OK);
  ASSERT_EQ(launch(), EGG_OK);
  EXPECT_EQ(y[0], 2);
  EXPECT_EQ(*reinterpret_cast<float *>(arena.data() + 256), 1);
}

TEST_F(LaunchTest, LaunchWithoutTheCallersArena) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX, "", EGG_ARENA_CALLER), EGG_OK);
  EXPECT_ERROR(launch(), EGG_INVALID_ARGUMENT, "no arena");
}

TEST_F(LaunchTest, ArenaTooSmallOrMisaligned) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX, "", EGG_ARENA_CALLER), EGG_OK);
  EXPECT_ERROR(eggModuleSetArena(module, address(&arena), 511),
               EGG_INVALID_ARGUMENT, "511", "needs 512");
  EXPECT_ERROR(eggModuleSetArena(module, address(&arena) + 16, 512),
               EGG_INVALID_ARGUMENT, "not aligned to 256");
}

TEST_F(LaunchTest, ArenaOfItsOwnIsKept) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK);
  EXPECT_ERROR(eggModuleSetArena(module, address(&arena), 512),
               EGG_INVALID_ARGUMENT, "its own arena");
}

TEST_F(LaunchTest, WrongCounts) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK);
  EXPECT_ERROR(eggModuleLaunch(module, arguments.data(), 1, results.data(), 2,
                               stream, EGG_LAUNCH_ASYNC),
               EGG_INVALID_ARGUMENT, "takes 2 arguments, got 1");
  EXPECT_ERROR(eggModuleLaunch(module, arguments.data(), 2, results.data(), 0,
                               stream, EGG_LAUNCH_ASYNC),
               EGG_INVALID_ARGUMENT, "takes 2 results, got 0");
  EXPECT_ERROR(eggModuleLaunch(module, nullptr, 2, results.data(), 2, stream,
                               EGG_LAUNCH_ASYNC),
               EGG_INVALID_ARGUMENT, "an address list is null");
}

TEST_F(LaunchTest, MisalignedArgument) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK);
  arguments[1] += 4;
  EXPECT_ERROR(launch(), EGG_INVALID_ARGUMENT,
               "argument 1 'x' is not aligned to 16 bytes", "copy it");
}

TEST_F(LaunchTest, NullResult) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK);
  results[0] = 0;
  EXPECT_ERROR(launch(), EGG_INVALID_ARGUMENT, "result 0 'y' is null");
}

TEST_F(LaunchTest, ResultOverlapsAnArgument) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK);
  results[0] = arguments[1] + 128;
  EXPECT_ERROR(launch(), EGG_INVALID_ARGUMENT,
               "result 0 'y' overlaps argument 1 'x'");
}

TEST_F(LaunchTest, RefusedLaunchNamesItsKernel) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK);
  fakeFail("cuLaunchKernel", 701, 0);
  EXPECT_ERROR(launch(), EGG_DRIVER_ERROR, "launching kernel 'add_one_a'",
               "CUDA error 701");
}

TEST_F(LaunchTest, FaultIsStickyAndSaysSo) {
  ASSERT_EQ(load(oneKernelPlan("fault_here"), "PTX fault_here"), EGG_OK);
  arguments = {};
  EXPECT_EQ(
      eggModuleLaunch(module, nullptr, 0, nullptr, 0, stream, EGG_LAUNCH_ASYNC),
      EGG_OK);
  EXPECT_ERROR(eggModuleSynchronize(module, stream), EGG_KERNEL_FAULT,
               "CUDA_ERROR_ILLEGAL_ADDRESS", "illegal memory access",
               "start a new process");
  EXPECT_EQ(
      eggModuleLaunch(module, nullptr, 0, nullptr, 0, stream, EGG_LAUNCH_ASYNC),
      EGG_KERNEL_FAULT);
}

TEST_F(LaunchTest, StepByStepNamesTheFaultingKernel) {
  std::string plan = twoKernelPlan;
  plan.replace(plan.find("add_one_b"), 9, "fault_two");
  ASSERT_EQ(load(plan, "PTX add_one_a fault_two"), EGG_OK);
  EXPECT_ERROR(launch(EGG_LAUNCH_STEP_BY_STEP), EGG_KERNEL_FAULT,
               "running step 1, kernel 'fault_two'");
}

} // namespace
