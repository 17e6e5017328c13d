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
  verdict.evidence = {{"apply", "applied"},
                      {"numeric", "5 shapes", 1e-7, 0.1 + 0.2},
                      {"numeric", "overflow",
                       std::numeric_limits<double>::infinity(), std::nullopt}};
  Evidence &full = verdict.addEvidence("exact", "everything");
  full.extents = {{"odd", {{"x", "input", {3, 5}, "f32"}, {"", "", {}, "i1"}}}};
  full.seeds = {0, ~uint64_t(0)};
  full.distributions = {"uniform", "ties"};
  full.runs = 7;
  full.errors = {{1, "y", "odd", "ties", 1e-9,
                  std::numeric_limits<double>::infinity(), 3e-9, 6e-9}};
  full.bound = {{65267, 32633}, 1e300, 0.25, std::nullopt};
  verdict.skipped = {"launch: no GPU"};
  verdict.versions = {{"egg", "0.1.0"}, {"llvm", "22"}};
  auto parsed = parseVerdict(toJSON(verdict));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(*parsed, verdict);
}

/// As reports were before evidence had figures.
TEST(VerdictTest, EarlierFormIsRead) {
  auto parsed = parseVerdict(
      "{\"grade\":\"exact\",\"skipped\":[\"launch\"],\"evidence\":[{\"step\":"
      "\"numeric\",\"statement\":\"5 shapes\",\"maxAbsoluteError\":\"inf\"}]}");
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(parsed->grade, Grade::Exact);
  EXPECT_EQ(parsed->evidence.front().maxAbsoluteError,
            std::numeric_limits<double>::infinity());
  EXPECT_TRUE(parsed->evidence.front().errors.empty());
}

TEST(VerdictTest, DamagedEvidenceNamesItsPlace) {
  auto refused = [](const std::string &fields, const char *part) {
    expectRefusal(
        parseVerdict("{\"grade\":\"exact\",\"skipped\":[],\"evidence\":[{"
                     "\"step\":\"s\",\"statement\":\"t\"," +
                     fields + "}]}"),
        part);
  };
  refused("\"runs\":\"many\"", "verdict.evidence[0].runs");
  refused("\"seeds\":[-1]", "verdict.evidence[0].seeds[0]");
  refused("\"errors\":[{\"result\":0,\"name\":\"\",\"variant\":\"odd\","
          "\"inputs\":\"ties\",\"maxAbsolute\":0}]",
          "verdict.evidence[0].errors[0].maxRelative");
  refused("\"extents\":[{\"variant\":\"odd\",\"arguments\":[{\"name\":\"\","
          "\"kind\":\"\",\"shape\":[-1],\"dtype\":\"f32\"}]}]",
          "verdict.evidence[0].extents[0].arguments[0].shape[0]");
}

TEST(VerdictTest, LowerGradesAreRefused) {
  Verdict verdict;
  verdict.skipped = {"exact: why"};
  for (Grade grade : {Grade::Unverified, Grade::Tested, Grade::Bounded,
                      Grade::Exact, Grade::Proved})
    for (Grade least : {Grade::Unverified, Grade::Tested, Grade::Bounded,
                        Grade::Exact, Grade::Proved}) {
      verdict.grade = grade;
      std::optional<Rejection> rejection =
          refuseBelow(verdict, least, "require");
      ASSERT_EQ(rejection.has_value(), grade < least);
      if (!rejection)
        continue;
      EXPECT_NE(rejection->reason.find("'" + stringifyGrade(least).str() +
                                       "' is required"),
                std::string::npos);
      EXPECT_NE(rejection->remedy.find("with require"), std::string::npos);
      EXPECT_EQ(rejection->notes,
                std::vector<std::string>{"skipped: exact: why"});
    }
  expectRefusal(parseRequiredGrade("certain"),
                "unverified, tested, bounded, exact or proved");
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

TEST(MeasurementTest, Reads) {
  auto read = parseMeasuredOutcome(
      R"({"gpu_seconds": 2.5, "measured": {"seconds": 3e-6, "kernels": {
          "a": {"seconds": 2e-6, "counters": {"x": 5, "y": "nan"}},
          "b": {}}}})");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->gpuSeconds, 2.5);
  const auto &measurement = std::get<Measurement>(read->outcome);
  EXPECT_EQ(measurement.seconds, 3e-6);
  EXPECT_EQ(measurement.kernels.at("a").seconds, 2e-6);
  EXPECT_EQ(measurement.kernels.at("a").counters.at("x"), 5);
  EXPECT_FALSE(measurement.kernels.at("b").seconds);
  read = parseMeasuredOutcome(
      R"({"gpu_seconds": 0, "refused": {"step": "measure", "location": "",
          "reason": "a fault", "remedy": "", "notes": []}})");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(std::get<Rejection>(read->outcome).reason, "a fault");
}

TEST(MeasurementTest, NonsenseIsRefused) {
  for (auto [text, what] :
       {std::pair("3", "expected object"),
        {R"({"gpu_seconds": 1})", "either 'measured' or 'refused'"},
        {R"({"gpu_seconds": -1, "measured": {"seconds": 1, "kernels": {}}})",
         "measurement.gpu_seconds"},
        {R"({"gpu_seconds": 1, "measured": {"seconds": 0, "kernels": {}}})",
         "measurement.measured.seconds"},
        {R"({"gpu_seconds": 1, "measured": {"seconds": 1, "kernels":
             {"k": {"seconds": -1}}}})",
         "measurement.measured.kernels.k.seconds"},
        {R"({"gpu_seconds": 1, "measured": {"seconds": 1, "kernels":
             {"k": {"counters": {"x": "many"}}}}})",
         "measurement.measured.kernels.k.counters.x"}})
    expectRefusal(parseMeasuredOutcome(text), what);
}

} // namespace
