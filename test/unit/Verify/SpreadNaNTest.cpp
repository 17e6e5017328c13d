//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where a schedule substitutes, a NaN of the input may reach more elements than
// in the payload. It must not vanish, and nothing may hide behind it.
//
//===----------------------------------------------------------------------===//
#include "KernelCheckTest.h"
#include "Special/WithoutNaN.h"
#include <cmath>

using namespace mlir;
using namespace egg;

namespace {

/// Adds and subtracts the neighbour, as a fast convolution does with the other
/// inputs of a tile.
constexpr const char *kNeighbour =
    "%c1 = arith.constant 1 : index %near = arith.xori %t, %c1 : index "
    "%n = memref.load %x0[%near] : memref<64xf32> "
    "%nothing = arith.subf %n, %n : f32 ";

/// The same with all elements of the input.
constexpr const char *kAll =
    "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index "
    "%c64 = arith.constant 64 : index %zero = arith.constant 0.0 : f32 "
    "%nothing = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %zero) "
    "-> (f32) { %n = memref.load %x0[%i] : memref<64xf32> "
    "%d = arith.subf %n, %n : f32 %next = arith.addf %sum, %d : f32 "
    "scf.yield %next : f32 } ";

constexpr const char *kStore = " memref.store %r, %y[%t] : memref<64xf32>";

class SpreadNaNTest : public KernelCheckTest {
protected:
  std::optional<Rejection> judge(const Module &reference,
                                 const std::string &body,
                                 bool substitutes = true) {
    options.otherAlgebra = substitutes;
    summary = {};
    return check(reference, kernels(body + kStore), summary, options);
  }

  /// 2 x + 1 by the neighbour; `before` may change it to %r.
  static std::string spread(llvm::StringRef last = "%r = arith.addf %b, "
                                                   "%nothing : f32") {
    return (kNeighbour +
            llvm::StringRef("%a = arith.mulf %v, %two : f32 "
                            "%b = arith.addf %a, %one : f32 ") +
            last)
        .str();
  }

  /// A clamp at a constant that only `special` goes beyond.
  Module clamp() {
    return parse(getMap(64, "f32", "f32",
                        "%most = arith.constant 1.0e+06 : f32 "
                        "%r = arith.minimumf %a, %most : f32"));
  }

  /// The first input of special values has NaN, so that it comes twice.
  void findSeedWithNaN(const Module &reference) {
    while (!holdsNaN(llvm::cantFail(makeInputs(
        *reference, Distribution::Special, options.seed, {false, false}))))
      ++options.seed;
  }

  VerifyOptions options;
  NumericSummary summary;
};

TEST_F(SpreadNaNTest, IsAcceptedAndSaidWhereAScheduleSubstitutes) {
  std::optional<Rejection> rejection = judge(payload(), spread());
  ASSERT_FALSE(rejection) << rejection->str();
  ASSERT_EQ(summary.spreadNaNs.size(), 1u);
  EXPECT_GT(summary.spreadNaNs[0].spread, 0);
  EXPECT_GT(summary.spreadNaNs[0].elements, summary.spreadNaNs[0].spread);
  EXPECT_EQ(summary.spreadNaNs[0].elements % 64, 0);

  Verdict verdict;
  conclude(options, summary, ExactSummary(), /*complete=*/true, verdict);
  EXPECT_EQ(verdict.grade, Grade::Bounded);
  std::string expected = llvm::formatv(
      "; a NaN in the input reaches more elements than in the "
      "payload: {0} of {1} elements of result 0 on special "
      "(aligned extents); with numbers in its places all "
      "elements agree",
      summary.spreadNaNs[0].spread, summary.spreadNaNs[0].elements);
  ASSERT_EQ(verdict.evidence.back().step, "numeric");
  EXPECT_NE(verdict.evidence.back().statement.find(expected), std::string::npos)
      << verdict.evidence.back().statement;
}

TEST_F(SpreadNaNTest, IsRefusedElsewhere) {
  std::optional<Rejection> rejection =
      judge(payload(), spread(), /*substitutes=*/false);
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->step, "numeric");
  EXPECT_NE(rejection->reason.find("is nan, should be"), std::string::npos)
      << rejection->reason;
  EXPECT_TRUE(summary.spreadNaNs.empty());
}

TEST_F(SpreadNaNTest, NothingIsSaidWhereNoneSpreads) {
  std::optional<Rejection> rejection =
      judge(payload(), "%a = arith.mulf %v, %two : f32 "
                       "%r = arith.addf %a, %one : f32");
  EXPECT_FALSE(rejection) << rejection->str();
  EXPECT_TRUE(summary.spreadNaNs.empty());
}

TEST_F(SpreadNaNTest, NoNaNMayVanish) {
  const std::string dropped[] = {
      // Of those that spread, and without spreading.
      spread("%low = arith.constant -1.0e+30 : f32 "
             "%m = arith.maxnumf %b, %low : f32 "
             "%r = arith.addf %m, %nothing : f32"),
      spread("%none = arith.cmpf uno, %b, %b : f32 "
             "%s = arith.select %none, %one, %b : f32 "
             "%r = arith.addf %s, %nothing : f32"),
      spread("%low = arith.constant -1.0e+30 : f32 "
             "%r = arith.maxnumf %b, %low : f32")};
  for (const std::string &body : dropped) {
    std::optional<Rejection> rejection = judge(payload(), body);
    ASSERT_TRUE(rejection) << body;
    EXPECT_EQ(rejection->step, "numeric");
    EXPECT_NE(rejection->reason.find("should be nan"), std::string::npos)
        << rejection->reason;
    EXPECT_TRUE(
        StringRef(rejection->notes.front()).starts_with("inputs: special"));
  }
}

/// The clamp is left out: that shows beyond the constant alone, and wherever
/// there is a NaN, all elements are NaN.
TEST_F(SpreadNaNTest, NothingHidesBehindIt) {
  findSeedWithNaN(clamp());
  std::string clamped = std::string(kAll) +
                        "%most = arith.constant 1.0e+06 : f32 "
                        "%m = arith.minimumf %v, %most : f32 "
                        "%r = arith.addf %m, %nothing : f32";
  std::optional<Rejection> rejection = judge(clamp(), clamped);
  ASSERT_FALSE(rejection) << rejection->str();
  ASSERT_EQ(summary.spreadNaNs.size(), 1u);

  std::string unclamped =
      std::string(kAll) + "%r = arith.addf %v, %nothing : f32";
  rejection = judge(clamp(), unclamped);
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->step, "numeric");
  EXPECT_NE(rejection->notes.front().find("numbers in place of NaN"),
            std::string::npos)
      << rejection->notes.front();
}

/// Only NaN of the input may spread: one that the kernel makes of a number
/// shows where there is none.
TEST_F(SpreadNaNTest, NaNForANumberIsRefused) {
  findSeedWithNaN(clamp());
  std::optional<Rejection> rejection = judge(
      clamp(), std::string(kAll) + "%most = arith.constant 1.0e+06 : f32 "
                                   "%m = arith.minimumf %v, %most : f32 "
                                   "%c = arith.cmpf ogt, %v, %most : f32 "
                                   "%bad = arith.constant 0x7FC00000 : f32 "
                                   "%s = arith.select %c, %bad, %m : f32 "
                                   "%r = arith.addf %s, %nothing : f32");
  ASSERT_TRUE(rejection);
  EXPECT_NE(rejection->reason.find("is nan, should be 1000000"),
            std::string::npos)
      << rejection->reason;
  EXPECT_NE(rejection->notes.front().find("numbers in place of NaN"),
            std::string::npos)
      << rejection->notes.front();
}

TEST_F(SpreadNaNTest, NumbersTakeTheSamePlaces) {
  HostTensor special = HostTensor::zeros({8}, "f32"), ordinary = special;
  for (int64_t i = 0; i < 8; ++i) {
    special.setFloat(i, i % 4 == 3 ? double(i) : NAN);
    ordinary.setFloat(i, 10 + double(i));
  }
  HostTensor integers = HostTensor::zeros({2}, "i32");
  std::vector<HostTensor> inputs = {integers, special};
  EXPECT_TRUE(holdsNaN(inputs));
  auto replaced = replaceNaN(inputs, {integers, ordinary}, {5.0});
  EXPECT_FALSE(holdsNaN(replaced));
  const double expected[] = {10, 0.0, 12, 3, -0.0, 15, 5, 7};
  for (int64_t i = 0; i < 8; ++i)
    EXPECT_EQ(replaced[1].getFloat(i), expected[i]) << i;
  EXPECT_TRUE(std::signbit(replaced[1].getFloat(4)));
}

TEST_F(SpreadNaNTest, HiddenElementsAreNotCountedAsCompared) {
  HostTensor reference = HostTensor::zeros({4}, "f64"),
             native = HostTensor::zeros({4}, "f32"), got = native,
             sensitivity = reference;
  reference.setFloat(3, NAN);
  native.setFloat(3, NAN);
  got.setFloat(2, NAN);
  got.setFloat(3, NAN);
  Rounding rounding;
  rounding.add("f32");
  OwnError own;
  auto compare = [&](NaNs nans) {
    return compareResult(reference, native, got, sensitivity, 1, rounding, own,
                         nans);
  };
  Comparison comparison = compare(NaNs::MaySpread);
  EXPECT_TRUE(comparison.matches());
  EXPECT_EQ(comparison.spread, 1);
  EXPECT_EQ(comparison.finite, 2);
  EXPECT_EQ(compare(NaNs::Stay).mismatches, 1);
  // The one of the payload is gone.
  got.setFloat(3, 0);
  EXPECT_EQ(compare(NaNs::MaySpread).mismatches, 1);
}

} // namespace
