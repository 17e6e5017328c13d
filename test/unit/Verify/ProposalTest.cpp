//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Wrong schedules in the form that matters: a payload and kernels that compute
// something else. What a script cannot express, materialized modules can.
//
//===----------------------------------------------------------------------===//
#include "Proposal/Conclude.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Verify/Compare.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

namespace {

class ProposalTest : public ::testing::Test {
protected:
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  TargetInfo target;

  ProposalTest() {
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<EggDialect>();
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    target = llvm::cantFail(lookupTarget("sm_90a"));
  }

  /// 64 elements, x * 2 + 1.
  OwningOpRef<ModuleOp> payload() {
    return parseSourceString<ModuleOp>(R"(
      func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
        %two = arith.constant 2.0 : f32
        %one = arith.constant 1.0 : f32
        %e = tensor.empty() : tensor<64xf32>
        %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
            affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
            ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
        ^bb0(%in: f32, %out: f32):
          %1 = arith.mulf %in, %two : f32
          %2 = arith.addf %1, %one : f32
          linalg.yield %2 : f32
        } -> tensor<64xf32>
        return %0 : tensor<64xf32>
      })",
                                       context.get());
  }

  /// One thread an element, with the given computation of %r from %v and %t.
  OwningOpRef<ModuleOp> kernels(StringRef body) {
    std::string text = llvm::formatv(R"(
      module attributes {{gpu.container_module} {{
        func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {{
          %0 = call @k(%x) : (tensor<64xf32>) -> tensor<64xf32>
          return %0 : tensor<64xf32>
        }
        func.func private @k(tensor<64xf32>) -> tensor<64xf32>
          attributes {{egg.launch = {{kernel = @kernels::@k,
            grid = array<i64: 1, 1, 1>, block = array<i64: 64, 1, 1>,
            dynamic_shared_memory = 0 : i64} }
        gpu.module @kernels {{
          gpu.func @k(%x: memref<64xf32>, %y: memref<64xf32>) kernel
              attributes {{known_block_size = array<i32: 64, 1, 1>} {{
            %two = arith.constant 2.0 : f32
            %one = arith.constant 1.0 : f32
            %t = gpu.thread_id x
            %v = memref.load %x[%t] : memref<64xf32>
            {0}
            gpu.return
          }
        }
      })",
                                     body)
                           .str();
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, context.get());
    EXPECT_TRUE(module) << text;
    return module;
  }

  std::optional<Rejection> check(StringRef body) {
    NumericSummary summary;
    return check(body, summary);
  }

  std::optional<Rejection> check(StringRef body, NumericSummary &summary) {
    OwningOpRef<ModuleOp> reference = payload(), scheduled = kernels(body);
    DiagnosticCollector diagnostics(context.get());
    auto program = lowerProgram(*scheduled, target);
    if (!program)
      return explainFailure(program.takeError(), "emulate", "aligned: x[64]",
                            diagnostics);
    return checkNumerically(
        *reference, *program, ShrinkVariant::Aligned, VerifyOptions(),
        diagnostics, [](llvm::StringRef) {}, summary);
  }

  std::optional<Rejection> checkExact(StringRef body, ExactSummary &summary) {
    OwningOpRef<ModuleOp> reference = payload(), scheduled = kernels(body);
    DiagnosticCollector diagnostics(context.get());
    auto program = llvm::cantFail(lowerProgram(*scheduled, target));
    return checkExactly(*reference, program, "aligned: x[64]", VerifyOptions(),
                        diagnostics, summary);
  }

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

  void expectRefused(StringRef body, StringRef step, StringRef reason) {
    std::optional<Rejection> rejection = check(body);
    ASSERT_TRUE(rejection.has_value());
    EXPECT_EQ(rejection->step, step);
    EXPECT_NE(rejection->reason.find(reason.str()), std::string::npos)
        << rejection->reason;
    EXPECT_FALSE(rejection->remedy.empty());
    EXPECT_NE(rejection->notes.back().find("at the small extents aligned"),
              std::string::npos);
  }
};

constexpr const char *kRight =
    "%a = arith.mulf %v, %two : f32  %r = arith.addf %a, %one : f32 "
    "memref.store %r, %y[%t] : memref<64xf32>";

TEST_F(ProposalTest, TheSameComputationPasses) {
  std::optional<Rejection> rejection = check(kRight);
  EXPECT_FALSE(rejection) << rejection->str();
}

TEST_F(ProposalTest, OtherRoundingPasses) {
  EXPECT_FALSE(check("%r = math.fma %v, %two, %one : f32 "
                     "memref.store %r, %y[%t] : memref<64xf32>"));
}

TEST_F(ProposalTest, ErrorsLikeThePayloadsAreBounded) {
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
  EXPECT_EQ(numeric->runs, 10);
  ASSERT_TRUE(verdict.evidence.back().bound);
  EXPECT_EQ(verdict.evidence.back().bound->primes,
            (std::vector<int64_t>{65267, 32633}));
}

/// Measuring more carefully how far an element may move excuses no error
/// beyond.
TEST_F(ProposalTest, OneElementOffByUnitsIsRefused) {
  expectRefused("%c5 = arith.constant 5 : index "
                "%is = arith.cmpi eq, %t, %c5 : index "
                "%off = arith.constant 1.000002 : f32 "
                "%a = arith.mulf %v, %two : f32 %b = arith.addf %a, %one : f32 "
                "%c = arith.mulf %b, %off : f32 "
                "%r = arith.select %is, %c, %b : f32 "
                "memref.store %r, %y[%t] : memref<64xf32>",
                "numeric", "1 of 64 elements differ");
}

/// With the element, both values and the inputs it is computed from.
TEST_F(ProposalTest, RefusalNamesTheInputsOfTheWorstElement) {
  std::optional<Rejection> rejection = check(
      "%c5 = arith.constant 5 : index %is = arith.cmpi eq, %t, %c5 : index "
      "%a = arith.mulf %v, %two : f32 %b = arith.addf %a, %one : f32 "
      "%r = arith.select %is, %v, %b : f32 "
      "memref.store %r, %y[%t] : memref<64xf32>");
  ASSERT_TRUE(rejection);
  EXPECT_NE(rejection->reason.find("the worst at [5] is "), std::string::npos);
  ASSERT_EQ(rejection->notes.size(), 3u);
  EXPECT_EQ(rejection->notes[0], "inputs: uniform, seed 0");
  std::string value = rejection->reason.substr(
      rejection->reason.find("[5] is ") + 7, std::string::npos);
  value = value.substr(0, value.find(','));
  EXPECT_EQ(rejection->notes[1],
            "that element is computed from argument 0[5] = " + value);
}

/// Within what another order of operations may do, and more than twice as far
/// from the truth as the payload.
TEST_F(ProposalTest, LargerErrorsAreOnlyTested) {
  NumericSummary numeric;
  ExactSummary exact;
  ASSERT_FALSE(check(kRight, numeric));
  ASSERT_FALSE(checkExact(kRight, exact));
  for (size_t number = 0; number < numeric.errors.size(); ++number) {
    NumericSummary larger = numeric;
    ResultError &error = larger.errors[number];
    EXPECT_GE(error.allowed, 2 * error.own);
    error.maxAbsolute = error.allowed * 1.001;
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

TEST_F(ProposalTest, OtherRoundingIsExact) {
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

TEST_F(ProposalTest, AnErrorBelowTheToleranceIsNotExact) {
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

TEST_F(ProposalTest, ShufflesAndVectorsCarryResidues) {
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

TEST_F(ProposalTest, WhatHasNoExactFormIsNotRefused) {
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

TEST_F(ProposalTest, ZerosAreRefused) {
  expectRefused("%r = arith.constant 0.0 : f32 "
                "memref.store %r, %y[%t] : memref<64xf32>",
                "numeric", "64 of 64 elements differ");
}

TEST_F(ProposalTest, TheInputIsRefused) {
  expectRefused("memref.store %v, %y[%t] : memref<64xf32>", "numeric",
                "differ from the payload");
}

TEST_F(ProposalTest, OneWrongElementIsFound) {
  expectRefused(
      "%c17 = arith.constant 17 : index "
      "%a = arith.mulf %v, %two : f32  %r = arith.addf %a, %one : f32 "
      "%bad = arith.cmpi eq, %t, %c17 : index "
      "%s = arith.select %bad, %a, %r : f32 "
      "memref.store %s, %y[%t] : memref<64xf32>",
      "numeric", "1 of 64 elements differ from the payload; the worst at [17]");
}

TEST_F(ProposalTest, LowerPrecisionIsRefused) {
  expectRefused("%h = arith.truncf %v : f32 to bf16 "
                "%w = arith.extf %h : bf16 to f32 "
                "%a = arith.mulf %w, %two : f32 "
                "%r = arith.addf %a, %one : f32 "
                "memref.store %r, %y[%t] : memref<64xf32>",
                "numeric", "differ from the payload");
}

TEST_F(ProposalTest, ADroppedTailIsRefused) {
  expectRefused("%c60 = arith.constant 60 : index "
                "%a = arith.mulf %v, %two : f32 "
                "%r = arith.addf %a, %one : f32 "
                "%in = arith.cmpi ult, %t, %c60 : index "
                "scf.if %in { memref.store %r, %y[%t] : memref<64xf32> }",
                "emulate", "no thread writes element 60");
}

TEST_F(ProposalTest, OpsThatDoNotLowerAreRefused) {
  expectRefused(std::string(kRight) + " gpu.printf \"%f\", %v : f32", "emulate",
                "'gpu.printf' must not be in a kernel: kernels do not print");
}

TEST_F(ProposalTest, LongestReduction) {
  auto longest = [&](StringRef text) {
    return getLongestReduction(
        *parseSourceString<ModuleOp>(text, context.get()));
  };
  EXPECT_EQ(getLongestReduction(*payload()), 1);
  EXPECT_EQ(longest("func.func @main(%x: tensor<3x70xf32>) -> tensor<3x70xf32> "
                    "{ %0 = egg.scan <mul> %x dim = 1 : tensor<3x70xf32> "
                    "return %0 : tensor<3x70xf32> }"),
            70);
  EXPECT_EQ(longest("func.func @main(%x: tensor<3x70xf32>, %y: tensor<f32>) -> "
                    "tensor<f32> { %0 = linalg.reduce { arith.addf } ins(%x : "
                    "tensor<3x70xf32>) outs(%y : tensor<f32>) dimensions = [0, "
                    "1] return %0 : tensor<f32> }"),
            210);
}

TEST_F(ProposalTest, VerificationRoundTrip) {
  Verification accepted;
  accepted.verdict.grade = Grade::Tested;
  accepted.verdict.evidence.push_back({"numeric", "8 runs", 1e-6, 1e-7});
  auto parsed = parseVerification(toJSON(accepted));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_TRUE(parsed->accepted());
  EXPECT_EQ(parsed->verdict, accepted.verdict);

  Verification refused;
  refused.rejection = Rejection{"apply", "a.mlir:1:2", "why", "how", {"note"}};
  parsed = parseVerification(toJSON(refused));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(parsed->rejection, refused.rejection);

  for (const char *bad : {"", "[]", "{}", "{\"verdict\": 3}"}) {
    auto error = parseVerification(bad);
    EXPECT_FALSE(bool(error)) << bad;
    llvm::consumeError(error.takeError());
  }
}

TEST_F(ProposalTest, TextThatDoesNotParse) {
  auto verification =
      verifyProposal("not mlir", "module {}", registry, VerifyOptions());
  ASSERT_TRUE(bool(verification));
  ASSERT_FALSE(verification->accepted());
  EXPECT_EQ(verification->rejection->step, "accept");
  EXPECT_NE(verification->rejection->location.find("payload.mlir:1:1"),
            std::string::npos);
}

} // namespace
