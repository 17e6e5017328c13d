//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// JSON round trips of the small values, with the awkward contents: infinities,
// bytes that are no text, absent figures.
//
//===----------------------------------------------------------------------===//
#include "egg/Core/KernelImage.h"
#include "egg/Core/Measurement.h"
#include "egg/Core/Rejection.h"
#include "egg/Core/Verdict.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace egg;

namespace {

template <typename T>
void expectRefusal(llvm::Expected<T> parsed, const char *part) {
  ASSERT_FALSE(bool(parsed));
  std::string message = llvm::toString(parsed.takeError());
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(KernelImageTest, RoundTrips) {
  KernelImage image;
  image.chip = "sm_90a";
  image.ptx = ".version 8.0\n";
  image.cubin = std::string("\x7f"
                            "ELF\0\xff\x80",
                            7);
  image.kernels = {"a", "b"};
  image.resources = {{"a", 32, 1024, 8, 4, 4}, {"b", 255, 0, 0, 0, 0}};
  image.warnings = {"C7508"};
  image.libdeviceHash = "12ab";
  auto parsed = parseKernelImage(toJSON(image));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(*parsed, image);
  EXPECT_TRUE(image.resources[0].spills());
  EXPECT_FALSE(image.resources[1].spills());
}

TEST(KernelImageTest, BrokenCubinIsRefused) {
  KernelImage image;
  image.cubin = "ELF!";
  std::string text = toJSON(image);
  size_t at = text.find("RUxGIQ==");
  ASSERT_NE(at, std::string::npos) << text;
  text[at] = '*';
  expectRefusal(parseKernelImage(text), "cubin");
}

TEST(RejectionTest, RoundTripsAndReads) {
  Rejection rejection{"apply",
                      "s.mlir:3:1",
                      "no op 'matmul_7'",
                      "use one of matmul_0, matmul_1",
                      {"in @algorithm"}};
  auto parsed = parseRejection(toJSON(rejection));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(*parsed, rejection);
  EXPECT_EQ(rejection.str(),
            "apply refused at s.mlir:3:1: no op 'matmul_7'; use one of "
            "matmul_0, matmul_1\n  note: in @algorithm");
}

TEST(RejectionTest, BytesThatAreNoTextAreKeptPrintable) {
  Rejection rejection;
  rejection.reason = "bad \xff byte";
  auto parsed = parseRejection(toJSON(rejection));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(parsed->reason, "bad \xef\xbf\xbd byte");
}

TEST(RejectionTest, TravelsAsError) {
  Rejection rejection{"numeric", "", "differs", "", {}};
  EXPECT_EQ(toRejection(llvm::make_error<RejectionError>(rejection), "x"),
            rejection);
  Rejection other = toRejection(
      llvm::createStringError(llvm::inconvertibleErrorCode(), "boom"), "lower");
  EXPECT_EQ(other.step, "lower");
  EXPECT_EQ(other.reason, "boom");
}

TEST(RejectionTest, MissingFieldIsNamed) {
  expectRefusal(parseRejection("{\"step\": \"x\"}"), "rejection.location");
}

TEST(VerdictTest, RoundTrips) {
  Verdict verdict;
  verdict.grade = Grade::Bounded;
  verdict.evidence = {{"apply", "applied", std::nullopt, std::nullopt},
                      {"numeric", "5 shapes", 1e-7, 0.1 + 0.2},
                      {"numeric", "overflow",
                       std::numeric_limits<double>::infinity(), std::nullopt}};
  verdict.skipped = {"launch: no GPU"};
  auto parsed = parseVerdict(toJSON(verdict));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(*parsed, verdict);
}

TEST(VerdictTest, GradesAreOrderedAndNamed) {
  EXPECT_LT(Grade::Tested, Grade::Bounded);
  EXPECT_LT(Grade::Exact, Grade::Proved);
  for (Grade grade : {Grade::Unverified, Grade::Tested, Grade::Bounded,
                      Grade::Exact, Grade::Proved})
    EXPECT_EQ(symbolizeGrade(stringifyGrade(grade)), grade);
  expectRefusal(
      parseVerdict("{\"grade\":\"sure\",\"evidence\":[],\"skipped\":[]}"),
      "verdict.grade");
}

TEST(MeasurementTest, RoundTrips) {
  Measurement measurement;
  measurement.device = "NVIDIA H100 80GB HBM3";
  measurement.samples = {1e-3, 1.0 / 3, 2e-3};
  measurement.clockNote = "not controlled";
  measurement.maxAbsoluteError = 3e-8;
  auto parsed = parseMeasurement(toJSON(measurement));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(*parsed, measurement);
}

TEST(MeasurementTest, MedianAndSpread) {
  Measurement measurement;
  measurement.samples = {5, 1, 2, 4, 3};
  EXPECT_DOUBLE_EQ(measurement.median(), 3);
  EXPECT_DOUBLE_EQ(measurement.relativeSpread(), (4.6 - 1.4) / 3);
  measurement.samples = {2, 1};
  EXPECT_DOUBLE_EQ(measurement.median(), 1.5);
}

TEST(MeasurementTest, NotANumberIsKept) {
  Measurement measurement;
  measurement.maxRelativeError = std::nan("");
  auto parsed = parseMeasurement(toJSON(measurement));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_TRUE(std::isnan(*parsed->maxRelativeError));
  expectRefusal(parseMeasurement("{\"device\":\"d\",\"samples\":[\"x\"],"
                                 "\"clockNote\":\"\"}"),
                "measurement.samples[0]");
}

} // namespace
