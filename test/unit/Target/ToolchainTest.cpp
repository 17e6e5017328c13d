//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finding the toolkit's files, reading ptxas's report, and ptxas itself where
// it is installed.
//
//===----------------------------------------------------------------------===//
#include "egg/Target/Toolchain.h"
#include "egg/Support/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace egg;
namespace fs = llvm::sys::fs;

namespace {

TEST(ToolchainTest, PtxasTellsItsVersion) {
  llvm::SmallString<128> root;
  fs::createUniqueDirectory("egg-toolkit", root);
  auto ptxasThat = [&](const std::string &does) {
    std::string path = (root + "/ptxas").str();
    llvm::cantFail(writeFileAtomically(path, "#!/bin/sh\n" + does + "\n"));
    fs::setPermissions(path, fs::all_all);
    return getPtxasVersion(path);
  };
  EXPECT_EQ(ptxasThat("echo 'Cuda compilation tools, release 13.0, V13.0.88'"),
            "13.0.88");
  EXPECT_EQ(ptxasThat("echo nothing known"), "");
  EXPECT_EQ(ptxasThat("kill -SEGV $$"), "");
  EXPECT_EQ(getPtxasVersion((root + "/absent").str()), "");
  fs::remove_directories(root);
}

TEST(ToolchainTest, GivenToolkitIsUsed) {
  llvm::SmallString<128> root;
  fs::createUniqueDirectory("egg-toolkit", root);
  std::string base = root.str().str();
  fs::create_directories(base + "/bin");
  fs::create_directories(base + "/nvvm/libdevice");
  ASSERT_FALSE(bool(writeFileAtomically(base + "/bin/ptxas", "#!/bin/sh\n")));
  ASSERT_FALSE(bool(
      writeFileAtomically(base + "/nvvm/libdevice/libdevice.10.bc", "BC")));
  ToolchainOptions options;
  options.cudaPath = base;
  EXPECT_EQ(llvm::cantFail(findLibdevice(options)),
            base + "/nvvm/libdevice/libdevice.10.bc");
  // Not executable: refused, and never replaced by another one.
  llvm::Expected<std::string> ptxas = findPtxas(options);
  ASSERT_FALSE(bool(ptxas));
  std::string message = llvm::toString(ptxas.takeError());
  EXPECT_NE(message.find(base + "/bin/ptxas"), std::string::npos) << message;
  fs::setPermissions(base + "/bin/ptxas", fs::all_all);
  EXPECT_EQ(llvm::cantFail(findPtxas(options)), base + "/bin/ptxas");
  fs::remove_directories(root);
}

TEST(ToolchainTest, WrongPathIsAnError) {
  ToolchainOptions options;
  options.libdevice = "/nonexistent/libdevice.bc";
  llvm::Expected<std::string> found = findLibdevice(options);
  ASSERT_FALSE(bool(found));
  std::string message = llvm::toString(found.takeError());
  EXPECT_NE(message.find("/nonexistent/libdevice.bc"), std::string::npos);
  EXPECT_NE(message.find("correct the path"), std::string::npos);
}

TEST(PtxasReportTest, ResourcesAndWarnings) {
  AssembledPTX report = parsePtxasReport(R"(ptxas info    : 16 bytes gmem
ptxas info    : Compiling entry function 'rows' for 'sm_90a'
ptxas info    : Function properties for rows
    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 8 bytes cumulative stack size, 1152 bytes smem
ptxas info    : Compile time = 12.3 ms
ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored
ptxas info    : Compiling entry function 'map' for 'sm_90a'
ptxas info    : Function properties for map
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 16 registers, used 0 barriers
ptxas warning : something odd
)");
  ASSERT_EQ(report.resources.size(), 2u);
  EXPECT_EQ(report.resources[0],
            (KernelResources{"rows", 40, 1152, 8, 12, 16}));
  EXPECT_EQ(report.resources[1], (KernelResources{"map", 16, 0, 0, 0, 0}));
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_NE(report.warnings[0].find("C7508"), std::string::npos);
}

class PtxasTest : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::Expected<std::string> found = findPtxas();
    if (!found) {
      llvm::consumeError(found.takeError());
      GTEST_SKIP() << "ptxas is not installed";
    }
    ptxas = *found;
  }
  std::string ptxas;
};

TEST_F(PtxasTest, AssemblesInTheOrderOfThePTX) {
  const char *ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry second() { .shared .align 4 .b8 s[256]; .reg .b64 %p; mov.u64 %p, s; st.shared.u64 [%p], %p; ret; }
.visible .entry first() { ret; }
)";
  auto result = assemblePTX(ptx, "sm_80", ptxas);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  ASSERT_EQ(result->resources.size(), 2u);
  EXPECT_EQ(result->resources[0].kernel, "second");
  EXPECT_EQ(result->resources[0].sharedMemory, 256);
  EXPECT_EQ(result->resources[1].kernel, "first");
  EXPECT_EQ(result->cubin.substr(0, 4), "\x7f"
                                        "ELF");
  auto again = assemblePTX(ptx, "sm_80", ptxas);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->cubin, result->cubin);
}

TEST_F(PtxasTest, ComplaintIsInTheError) {
  auto result =
      assemblePTX(".version 8.0\n.target sm_80\nnonsense\n", "sm_80", ptxas);
  ASSERT_FALSE(bool(result));
  std::string message = llvm::toString(result.takeError());
  EXPECT_NE(message.find("line 3"), std::string::npos) << message;
}

} // namespace
