//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels in exact arithmetic, and the grades that they get.
//
//===----------------------------------------------------------------------===//
#include "KernelCheckTest.h"

using namespace mlir;
using namespace egg;

namespace {

class ExactKernelTest : public KernelCheckTest {
protected:
  /// Of kernels that no step refuses.
  Verdict getVerdict(StringRef body) {
    NumericSummary numeric;
    ExactSummary exact;
    std::optional<Rejection> rejection = check(body, numeric);
    EXPECT_FALSE(rejection) << rejection->str();
    rejection = checkExact(body, exact);
    EXPECT_FALSE(rejection) << rejection->str();
    Verdict verdict;
    conclude(VerifyOptions(), numeric, exact, /*complete=*/true, verdict);
    return verdict;
  }
};

TEST_F(ExactKernelTest, ErrorsLikeThePayloadsAreBounded) {
  Verdict verdict = getVerdict(kRight);
  EXPECT_EQ(verdict.grade, Grade::Exact);
  auto numeric = llvm::find_if(verdict.evidence,
                               [](auto &e) { return e.step == "numeric"; });
  ASSERT_NE(numeric, verdict.evidence.end());
  // One result, each distribution; the extents, seeds and bound beside them.
  EXPECT_EQ(numeric->errors.size(), std::size(kDistributions));
  for (const ResultError &error : numeric->errors) {
    EXPECT_EQ(error.maxAbsolute, error.own) << error.inputs;
    EXPECT_TRUE(error.isWithinPolicy());
  }
  EXPECT_EQ(numeric->seeds, (std::vector<uint64_t>{0, 1}));
  EXPECT_EQ(numeric->extents.front().arguments.front().shape,
            std::vector<int64_t>{64});
  EXPECT_EQ(numeric->runs, 11);
  ASSERT_TRUE(verdict.evidence.back().bound);
  EXPECT_EQ(verdict.evidence.back().bound->primes,
            (std::vector<int64_t>{65267, 32633}));
}

/// Within what another order of operations may do, and more than twice as far
/// from the truth as the payload.
TEST_F(ExactKernelTest, LargerErrorsAreOnlyTested) {
  NumericSummary numeric;
  ExactSummary exact;
  ASSERT_FALSE(check(kRight, numeric));
  ASSERT_FALSE(checkExact(kRight, exact));
  for (size_t number = 0; number < numeric.errors.size(); ++number) {
    NumericSummary larger = numeric;
    ResultError &error = larger.errors[number];
    EXPECT_GE(error.allowed, 2 * error.own);
    // On ties nothing rounds, and nothing is allowed.
    EXPECT_EQ(error.allowed == 0, error.inputs == "ties");
    error.maxAbsolute = error.allowed * 1.001 + 1e-30;
    Verdict verdict;
    conclude(VerifyOptions(), larger, exact, /*complete=*/true, verdict);
    EXPECT_EQ(verdict.grade, Grade::Tested);
    ASSERT_FALSE(verdict.skipped.empty());
    EXPECT_NE(verdict.skipped.front().find("on inputs " + error.inputs +
                                           " (aligned extents)"),
              std::string::npos)
        << verdict.skipped.front();
  }
}

/// The largest of few errors is luck, so what is beyond the policy is measured
/// on more inputs before it counts; an error that stays, stays.
TEST_F(ExactKernelTest, WhatIsBeyondThePolicyIsDrawnAgain) {
  auto reference = parse(R"(
    func.func @main(%x: tensor<8x64xf32>) -> tensor<8xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>)
          -> tensor<8xf32>
      %0 = linalg.reduce { arith.addf } ins(%x : tensor<8x64xf32>)
          outs(%f : tensor<8xf32>) dimensions = [1]
      return %0 : tensor<8xf32>
    })");
  auto getKernel = [&](StringRef factor) {
    return kernel({"8x64xf32"}, "8xf32", 8,
                  llvm::formatv(R"(
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %factor = arith.constant {0} : f32
      %first = arith.muli %t, %c64 : index
      %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %zero) -> f32 {{
        %at = arith.addi %first, %i : index
        %v = memref.load %x0[%at] : memref<512xf32>
        %n = arith.addf %s, %v : f32
        scf.yield %n : f32
      }
      %r = arith.mulf %sum, %factor : f32
      memref.store %r, %y[%t] : memref<8xf32>)",
                                factor)
                      .str());
  };
  VerifyOptions options;
  options.distributions = {Distribution::Uniform, Distribution::Normal};
  NumericSummary right, off;
  EXPECT_FALSE(check(reference, getKernel("1.0"), right, options));
  EXPECT_TRUE(right.drawnAgain.empty());
  // 20 roundoffs: a sum of 64 terms in another order may be as far off.
  EXPECT_FALSE(check(reference, getKernel("1.00000119"), off, options));
  EXPECT_TRUE(llvm::is_contained(off.drawnAgain, "uniform (aligned extents)"));
  EXPECT_EQ(off.runs,
            right.runs + kFurtherDraws * int64_t(off.drawnAgain.size()));
  Verdict verdict;
  conclude(options, off, ExactSummary(), /*complete=*/true, verdict);
  EXPECT_EQ(verdict.grade, Grade::Tested);
  auto numeric = llvm::find_if(verdict.evidence,
                               [](auto &e) { return e.step == "numeric"; });
  ASSERT_NE(numeric, verdict.evidence.end());
  EXPECT_TRUE(
      StringRef(numeric->statement)
          .contains(
              "8 more inputs where an error was beyond the policy at first: "));
}

TEST_F(ExactKernelTest, OtherRoundingIsExact) {
  ExactSummary summary;
  std::optional<Rejection> rejection =
      checkExact("%r = math.fma %v, %two, %one : f32 "
                 "memref.store %r, %y[%t] : memref<64xf32>",
                 summary);
  EXPECT_FALSE(rejection) << rejection->str();
  EXPECT_EQ(explainGaps(summary), std::nullopt);
  EXPECT_EQ(summary.runs, 2);
  EXPECT_EQ(summary.results.front().full, 128);
}

TEST_F(ExactKernelTest, AnErrorBelowTheToleranceIsNotExact) {
  constexpr const char *kNearly =
      "%tiny = arith.constant 1.0e-12 : f32 "
      "%a = arith.mulf %v, %two : f32  %b = arith.addf %a, %one : f32 "
      "%r = arith.addf %b, %tiny : f32 "
      "memref.store %r, %y[%t] : memref<64xf32>";
  EXPECT_FALSE(check(kNearly));
  ExactSummary summary;
  std::optional<Rejection> rejection = checkExact(kNearly, summary);
  ASSERT_TRUE(rejection.has_value());
  EXPECT_EQ(rejection->step, "exact");
  EXPECT_NE(rejection->reason.find("64 of 64 elements differ"),
            std::string::npos)
      << rejection->reason;
  EXPECT_NE(rejection->remedy.find("off by the same amount"),
            std::string::npos);
}

/// Both keep one part of the residue in as many bits.
TEST_F(ExactKernelTest, HalvesOfEitherTypeAreTold) {
  const std::pair<std::string, std::string> kTypes[] = {{"f16", "bf16"},
                                                        {"bf16", "f16"}};
  auto round = [](StringRef value, StringRef type) {
    return llvm::formatv("%n = arith.truncf {0} : f32 to {1} "
                         "%r = arith.extf %n : {1} to f32 ",
                         value, type)
        .str();
  };
  for (const auto &[type, other] : kTypes) {
    Module reference = parse(getMap(64, "f32", "f32", round("%a", type)));
    for (StringRef used : {type, other}) {
      ExactSummary summary;
      std::optional<Rejection> rejection =
          checkExact(reference,
                     kernels(round("%v", used) +
                             "memref.store %r, %y[%t] : memref<64xf32>"),
                     summary);
      EXPECT_EQ(rejection.has_value(), used != type)
          << type << " by " << used.str();
    }
  }
}

TEST_F(ExactKernelTest, ShufflesAndVectorsCarryResidues) {
  ExactSummary summary;
  std::optional<Rejection> rejection = checkExact(
      "%c32 = arith.constant 32 : i32  %c1 = arith.constant 1 : i32 "
      "%s0, %p0 = gpu.shuffle xor %v, %c1, %c32 : f32 "
      "%s1, %p1 = gpu.shuffle xor %s0, %c1, %c32 : f32 "
      "%w = vector.broadcast %s1 : f32 to vector<2xf32> "
      "%sum = vector.reduction <add>, %w, %one : vector<2xf32> into f32 "
      "memref.store %sum, %y[%t] : memref<64xf32>",
      summary);
  EXPECT_FALSE(rejection) << rejection->str();
  EXPECT_EQ(explainGaps(summary), std::nullopt);
}

TEST_F(ExactKernelTest, WhatHasNoExactFormIsNotRefused) {
  ExactSummary summary;
  EXPECT_FALSE(checkExact("%n = arith.constant 3 : i32 "
                          "%a = llvm.intr.ldexp(%v, %n) : (f32, i32) -> f32 "
                          "memref.store %a, %y[%t] : memref<64xf32>",
                          summary));
  ASSERT_TRUE(explainGaps(summary));
  EXPECT_NE(explainGaps(summary)->find("no rule of exact arithmetic"),
            std::string::npos)
      << *explainGaps(summary);
}

} // namespace
