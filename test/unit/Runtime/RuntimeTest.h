//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fixture: the runtime's C API over the simulated driver.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TEST_RUNTIMETEST_H
#define EGG_TEST_RUNTIMETEST_H

#include "FakeCuda.h"
#include "egg-c/Runtime.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <string>

/// A plan of two kernels: tmp = add_one_a(x); y = add_one_b(tmp), and the
/// updated buffer "n", a copy of argument "n". 64 elements of f32.
inline const char *twoKernelPlan = R"({
  "version": 1, "chip": "sm_90a",
  "arguments": [
    {"name": "n", "kind": "buffer", "shape": [], "dtype": "i64"},
    {"name": "x", "kind": "input", "shape": [2, 32], "dtype": "f32"}],
  "results": [
    {"name": "y", "kind": "output", "shape": [64], "dtype": "f32"},
    {"name": "n", "kind": "buffer_update", "shape": [], "dtype": "i64"}],
  "buffers": [
    {"kind": "argument", "index": 1, "bytes": 256},
    {"kind": "arena", "offset": 256, "bytes": 256},
    {"kind": "result", "index": 0, "bytes": 256},
    {"kind": "argument", "index": 0, "bytes": 8},
    {"kind": "result", "index": 1, "bytes": 8}],
  "steps": [
    {"kind": "launch", "kernel": "add_one_a", "grid": [2, 1, 1],
     "block": [32, 1, 1], "dynamicSharedMemory": 0, "arguments": [0, 1]},
    {"kind": "launch", "kernel": "add_one_b", "grid": [2, 1, 1],
     "block": [32, 1, 1], "dynamicSharedMemory": 0, "arguments": [1, 2]},
    {"kind": "copy", "arguments": [3, 4]}],
  "arenaBytes": 512
})";
inline const char *twoKernelPTX = "PTX add_one_a add_one_b";

/// A plan that launches one kernel without arguments.
inline std::string oneKernelPlan(const std::string &kernel,
                                 int dynamicSharedMemory = 0) {
  return R"({"version": 1, "chip": "sm_90a", "arguments": [], "results": [],
    "buffers": [], "arenaBytes": 0, "steps": [{"kind": "launch", "kernel": ")" +
         kernel + R"(", "grid": [4, 1, 1], "block": [256, 1, 1],
    "dynamicSharedMemory": )" +
         std::to_string(dynamicSharedMemory) + R"(, "arguments": []}]})";
}

class RuntimeTest : public ::testing::Test {
protected:
  void SetUp() override {
    fakeReset();
    ASSERT_EQ(eggDriverOpen(EGG_FAKE_CUDA, &driver), EGG_OK) << eggLastError();
  }
  void TearDown() override {
    eggModuleUnload(module);
    eggDriverClose(driver);
    EXPECT_EQ(fakeOutstanding(), 0);
  }

  EggStatus load(const std::string &plan, const std::string &ptx,
                 const std::string &cubin = "",
                 EggArena arena = EGG_ARENA_OWN) {
    return eggModuleLoad(driver, 0, plan.data(), plan.size(),
                         cubin.empty() ? nullptr : cubin.data(), cubin.size(),
                         ptx.empty() ? nullptr : ptx.data(), ptx.size(), arena,
                         &module);
  }

  EggDriver *driver = nullptr;
  EggModule *module = nullptr;
};

/// The status, and that the message contains all of the pieces.
#define EXPECT_ERROR(call, code, ...)                                          \
  do {                                                                         \
    EXPECT_EQ(call, code);                                                     \
    for (const char *piece : {__VA_ARGS__})                                    \
      EXPECT_THAT(std::string(eggLastError()), ::testing::HasSubstr(piece));   \
  } while (false)

#endif // EGG_TEST_RUNTIMETEST_H
