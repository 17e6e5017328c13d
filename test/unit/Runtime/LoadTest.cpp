//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loading an artifact: which image is taken, sharing, limits of the device,
// and everything that refuses.
//
//===----------------------------------------------------------------------===//
#include "RuntimeTest.h"
#include "SHA256.h"
#include <filesystem>
#include <fstream>

namespace {

using LoadTest = RuntimeTest;

TEST_F(LoadTest, DescribesTheTensors) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK) << eggLastError();
  EXPECT_EQ(eggModuleNumArguments(module), 2u);
  EXPECT_EQ(eggModuleNumResults(module), 2u);
  EXPECT_EQ(eggModuleNumLaunches(module), 2u);
  EXPECT_EQ(eggModuleArenaBytes(module), 512u);
  EggTensor x;
  ASSERT_EQ(eggModuleArgument(module, 1, &x), EGG_OK);
  EXPECT_STREQ(x.name, "x");
  EXPECT_STREQ(x.kind, "input");
  EXPECT_STREQ(x.dtype, "f32");
  ASSERT_EQ(x.rank, 2u);
  EXPECT_EQ(x.shape[1], 32);
  EXPECT_EQ(x.bytes, 256u);
  EXPECT_ERROR(eggModuleResult(module, 2, &x), EGG_INVALID_ARGUMENT,
               "no tensor 2", "has 2");
}

TEST_F(LoadTest, PrefersTheCubin) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX, "CUBIN add_one_a add_one_b"),
            EGG_OK);
  EXPECT_EQ(eggModuleUsesCubin(module), 1);
  EXPECT_THAT(fakeLog(), ::testing::HasSubstr("load CUBIN"));
  EXPECT_THAT(fakeLog(), ::testing::Not(::testing::HasSubstr("load PTX")));
}

TEST_F(LoadTest, CompilesThePTXWhereTheCubinIsForAnotherChip) {
  fakeFail("cuModuleLoadDataEx", 209, 0);
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX, "CUBIN add_one_a add_one_b"),
            EGG_OK);
  EXPECT_EQ(eggModuleUsesCubin(module), 0);
}

TEST_F(LoadTest, CubinForAnotherChipAndNoPTX) {
  fakeFail("cuModuleLoadDataEx", 209, 0);
  EXPECT_ERROR(load(twoKernelPlan, "", "CUBIN add_one_a"),
               EGG_WRONG_ARCHITECTURE, "kernels.cubin", "NO_BINARY_FOR_GPU");
  EXPECT_EQ(module, nullptr);
}

TEST_F(LoadTest, SharesAnImageLoadedBefore) {
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK);
  EggModule *first = module;
  ASSERT_EQ(load(twoKernelPlan, twoKernelPTX), EGG_OK);
  std::string log = fakeLog();
  EXPECT_EQ(log.find("load PTX"), log.rfind("load PTX"));
  eggModuleUnload(first);
}

TEST_F(LoadTest, ReservesSharedMemoryAboveTheDefault) {
  ASSERT_EQ(load(oneKernelPlan("k", 64 * 1024), "PTX k"), EGG_OK);
  EXPECT_THAT(fakeLog(), ::testing::HasSubstr("attribute k 8 65536"));
}

TEST_F(LoadTest, CountsStaticSharedMemoryToo) {
  fakeSetKernelLimits(1024, 32 * 1024);
  ASSERT_EQ(load(oneKernelPlan("k", 20 * 1024), "PTX k"), EGG_OK);
  EXPECT_THAT(fakeLog(), ::testing::HasSubstr("attribute k 8 20480"));
}

TEST_F(LoadTest, LeavesSharedMemoryBelowTheDefaultAlone) {
  ASSERT_EQ(load(oneKernelPlan("k", 16 * 1024), "PTX k"), EGG_OK);
  EXPECT_THAT(fakeLog(), ::testing::Not(::testing::HasSubstr("attribute")));
}

TEST_F(LoadTest, TooMuchSharedMemory) {
  EXPECT_ERROR(load(oneKernelPlan("k", 300 * 1024), "PTX k"), EGG_OUT_OF_MEMORY,
               "kernel 'k' needs 307200 bytes of shared memory", "232448",
               "smaller tiles");
}

TEST_F(LoadTest, TooManyThreadsForItsRegisters) {
  fakeSetKernelLimits(128, 0);
  EXPECT_ERROR(load(oneKernelPlan("k"), "PTX k"), EGG_OUT_OF_MEMORY,
               "kernel 'k' is launched with 256 threads", "allow 128");
}

TEST_F(LoadTest, TooLittleMemoryForTheArena) {
  fakeSetFreeMemory(100);
  EXPECT_ERROR(load(twoKernelPlan, twoKernelPTX), EGG_OUT_OF_MEMORY,
               "allocating 1 MiB for the temporaries", "OUT_OF_MEMORY",
               "smaller batch");
}

TEST_F(LoadTest, KernelsForAnotherChip) {
  fakeSetCapability(8, 0);
  EXPECT_ERROR(load(twoKernelPlan, twoKernelPTX), EGG_WRONG_ARCHITECTURE,
               "for sm_90a", "is sm_80", "--chip sm_80");
}

TEST_F(LoadTest, ArchitectureSpecificKernelsDoNotRunOnALaterChip) {
  fakeSetCapability(10, 0);
  EXPECT_ERROR(load(twoKernelPlan, twoKernelPTX), EGG_WRONG_ARCHITECTURE,
               "--chip sm_100a");
}

TEST_F(LoadTest, PortableKernelsRunOnALaterChip) {
  std::string plan = oneKernelPlan("k");
  plan.replace(plan.find("sm_90a"), 6, "sm_80");
  EXPECT_EQ(load(plan, "PTX k"), EGG_OK) << eggLastError();
}

TEST_F(LoadTest, KernelMissingFromTheImage) {
  EXPECT_ERROR(load(twoKernelPlan, "PTX add_one_a"), EGG_BAD_ARTIFACT,
               "kernel 'add_one_b'", "NOT_FOUND");
}

TEST_F(LoadTest, BrokenPTXGivesTheCompilersMessage) {
  EXPECT_ERROR(load(oneKernelPlan("k"), "BROKEN"), EGG_BAD_ARTIFACT,
               "kernels.ptx", "INVALID_PTX", "syntax error");
}

TEST_F(LoadTest, NoImage) {
  EXPECT_ERROR(load(oneKernelPlan("k"), ""), EGG_BAD_ARTIFACT,
               "neither kernels.cubin nor kernels.ptx");
}

TEST_F(LoadTest, NullPlan) {
  EXPECT_ERROR(eggModuleLoad(driver, 0, nullptr, 0, nullptr, 0, nullptr, 0,
                             EGG_ARENA_OWN, &module),
               EGG_INVALID_ARGUMENT, "plan is null");
}

TEST_F(LoadTest, FromADirectory) {
  std::filesystem::path directory =
      std::filesystem::path(testing::TempDir()) / "artifact";
  std::filesystem::create_directory(directory);
  EXPECT_ERROR(eggModuleLoadDirectory(driver, 0, directory.c_str(),
                                      EGG_ARENA_OWN, &module),
               EGG_BAD_ARTIFACT, "plan.json", "No such file");
  std::ofstream(directory / "plan.json") << twoKernelPlan;
  std::ofstream(directory / "kernels.ptx") << twoKernelPTX;
  EXPECT_EQ(eggModuleLoadDirectory(driver, 0, directory.c_str(), EGG_ARENA_OWN,
                                   &module),
            EGG_OK)
      << eggLastError();
  std::filesystem::remove_all(directory);
}

TEST_F(LoadTest, FilesOfADirectoryAreTheRecorded) {
  // SHA-256 of "abc" and of no bytes, and of texts beside a block's length.
  EXPECT_EQ(egg::runtime::sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(egg::runtime::sha256(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(egg::runtime::sha256(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(egg::runtime::sha256(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(egg::runtime::sha256(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  EXPECT_EQ(egg::runtime::sha256(std::string(119, 'a')),
            "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
  std::filesystem::path directory =
      std::filesystem::path(testing::TempDir()) / "recorded";
  std::filesystem::create_directory(directory);
  auto write = [&](const char *name, const std::string &text) {
    std::ofstream(directory / name) << text;
  };
  auto load = [&] {
    return eggModuleLoadDirectory(driver, 0, directory.c_str(), EGG_ARENA_OWN,
                                  &module);
  };
  std::string hash = egg::runtime::sha256(twoKernelPTX);
  std::string plan = "{\"plan_sha256\": \"" +
                     egg::runtime::sha256(twoKernelPlan) +
                     "\", \"ptx_sha256\": \"" + hash + "\"";
  write("plan.json", twoKernelPlan);
  write("kernels.ptx", twoKernelPTX);
  write("kernels.cubin", twoKernelPTX);
  write("report.json", plan + ", \"cubin_sha256\": \"" + hash + "\"}");
  EXPECT_EQ(load(), EGG_OK) << eggLastError();
  eggModuleUnload(module);
  module = nullptr;

  write("kernels.cubin", std::string(twoKernelPTX) + " ");
  EXPECT_ERROR(load(), EGG_BAD_ARTIFACT,
               "kernels.cubin is not the file that report.json records",
               "compile the module again");
  write("report.json", plan + ", \"cubin_sha256\": null}");
  EXPECT_ERROR(load(), EGG_BAD_ARTIFACT,
               "kernels.cubin is no part of the artifact");
  std::filesystem::remove(directory / "kernels.cubin");
  write("plan.json", std::string(twoKernelPlan) + " ");
  EXPECT_ERROR(load(), EGG_BAD_ARTIFACT, "plan.json is not the file");
  write("report.json", "[]");
  EXPECT_ERROR(load(), EGG_BAD_ARTIFACT, "report.json is not a JSON object");
  std::filesystem::remove_all(directory);
}

TEST_F(LoadTest, MissingDirectory) {
  EXPECT_ERROR(eggModuleLoadDirectory(driver, 0, "/nonexistent/artifact",
                                      EGG_ARENA_OWN, &module),
               EGG_BAD_ARTIFACT, "/nonexistent/artifact is not a directory");
}

} // namespace
