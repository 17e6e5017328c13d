//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The embedded table is sound, and a table that is not is refused; the
// roofline model on cases done by hand.
//
//===----------------------------------------------------------------------===//
#include "egg/Target/TargetInfo.h"
#include "egg/Target/Roofline.h"
#include "gtest/gtest.h"

using namespace egg;

namespace {

TEST(TargetInfoTest, TableHasTheTargetsOfTheProject) {
  TargetInfo h100 = llvm::cantFail(lookupTarget("sm_90a"));
  EXPECT_EQ(h100.multiprocessors, 132);
  EXPECT_EQ(h100.sharedMemoryPerBlock, 227 * 1024);
  EXPECT_TRUE(h100.measured);
  TargetInfo a100 = llvm::cantFail(lookupTarget("sm_80"));
  EXPECT_EQ(a100.sharedMemoryPerBlock, 163 * 1024);
  EXPECT_FALSE(a100.measured);
  EXPECT_GE(allTargets().size(), 4u);
}

TEST(TargetInfoTest, UnknownChipListsTheKnown) {
  llvm::Expected<TargetInfo> target = lookupTarget("sm_91");
  ASSERT_FALSE(bool(target));
  std::string message = llvm::toString(target.takeError());
  EXPECT_NE(message.find("'sm_91'"), std::string::npos) << message;
  EXPECT_NE(message.find("sm_90a"), std::string::npos) << message;
}

TEST(TargetInfoTest, PeakFallsBackToOrdinaryInstructions) {
  TargetInfo t4 = llvm::cantFail(lookupTarget("sm_75"));
  EXPECT_EQ(t4.flopsPerSecond(Arithmetic::TF32), t4.f32FlopsPerSecond);
  EXPECT_EQ(t4.flopsPerSecond(Arithmetic::F16), t4.f16FlopsPerSecond);
}

/// A table of one good target, with one text replaced by another.
std::string table(const char *from = "", const char *to = "") {
  std::string text = R"({"targets": [{
    "chip": "sm_1", "product": "P", "ptxFeatures": "+ptx80",
    "multiprocessors": 1, "warpSize": 32, "maxThreadsPerBlock": 1024,
    "maxThreadsPerMultiprocessor": 2048, "maxBlocksPerMultiprocessor": 32,
    "registersPerMultiprocessor": 65536, "maxRegistersPerThread": 255,
    "staticSharedMemoryPerBlock": 49152, "sharedMemoryPerBlock": 50000,
    "sharedMemoryPerMultiprocessor": 60000, "l2Bytes": 1,
    "copyBytesPerSecond": 1, "f64FlopsPerSecond": 1, "f32FlopsPerSecond": 1,
    "tf32FlopsPerSecond": 0, "f16FlopsPerSecond": 0, "bf16FlopsPerSecond": 0,
    "launchSeconds": 1, "measured": false}]})";
  if (*from)
    text.replace(text.find(from), std::strlen(from), to);
  return text;
}

std::string refusal(const std::string &text) {
  auto targets = parseTargets(text);
  return targets ? "accepted" : llvm::toString(targets.takeError());
}

TEST(TargetInfoTest, BadTablesAreRefused) {
  EXPECT_EQ(refusal(table()), "accepted");
  EXPECT_NE(refusal("{").find("not JSON"), std::string::npos);
  EXPECT_NE(refusal("{}").find("targets"), std::string::npos);
  EXPECT_NE(
      refusal(table("\"warpSize\": 32", "\"warpSize\": 0")).find("warpSize"),
      std::string::npos);
  EXPECT_NE(refusal(table("+ptx80", "+sm_90")).find("ptxFeatures"),
            std::string::npos);
  EXPECT_NE(refusal(table("50000", "70000")).find("sharedMemoryPerBlock"),
            std::string::npos);
  EXPECT_NE(refusal(table("\"l2Bytes\": 1,", "")).find("l2Bytes"),
            std::string::npos);
}

TEST(RooflineTest, MemoryBound) {
  TargetInfo h100 = llvm::cantFail(lookupTarget("sm_90a"));
  // 2.99 GB through 2.99 TB/s.
  RooflineEstimate e = estimate(h100, {2.99e9, 1e9});
  EXPECT_EQ(e.bound, Bound::Memory);
  EXPECT_DOUBLE_EQ(e.seconds, 1e-3);
}

TEST(RooflineTest, ComputeBoundDependsOnArithmetic) {
  TargetInfo h100 = llvm::cantFail(lookupTarget("sm_90a"));
  double flops = 2.0 * 4096 * 4096 * 4096;
  RooflineEstimate f32 = estimate(h100, {2e8, flops, Arithmetic::F32});
  RooflineEstimate bf16 = estimate(h100, {1e8, flops, Arithmetic::BF16});
  EXPECT_EQ(f32.bound, Bound::Compute);
  EXPECT_DOUBLE_EQ(f32.seconds, flops / 51e12);
  EXPECT_DOUBLE_EQ(bf16.seconds, flops / 750e12);
}

TEST(RooflineTest, SmallKernelsCostALaunch) {
  TargetInfo h100 = llvm::cantFail(lookupTarget("sm_90a"));
  RooflineEstimate e = estimate(h100, {1000, 1000});
  EXPECT_EQ(e.bound, Bound::Launch);
  EXPECT_EQ(e.seconds, h100.launchSeconds);
}

} // namespace
