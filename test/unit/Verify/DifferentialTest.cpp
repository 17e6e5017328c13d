//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels that differ from their payload on special values alone are refused.
//
//===----------------------------------------------------------------------===//
#include "KernelCheckTest.h"

using namespace mlir;
using namespace egg;

namespace {

/// A map of two inputs %a and %b of 96 elements to %r, or a reduction of rows
/// of 9 elements: with %a and the partial result %b.
struct Case {
  const char *name;
  bool reduces;
  /// What the payload computes; of a reduction, from which first value.
  const char *right, *init;
  /// A kernel's computation of %r that agrees everywhere, and one that does
  /// not, with its first value.
  const char *alsoRight, *wrong, *wrongInit;
};

void PrintTo(const Case &c, std::ostream *os) { *os << c.name; }

constexpr const char *kMaximum = "%r = arith.maximumf %a, %b : f32";
constexpr const char *kMinusInfinity = "0xFF800000";

const Case kCases[] = {
    {"MaximumKeepsNaN", false, kMaximum, "", "%r = arith.maximumf %b, %a : f32",
     "%r = arith.maxnumf %a, %b : f32", ""},
    {"MaximumTakesThePositiveZero", false, kMaximum, "",
     "%c = arith.cmpf ogt, %a, %b : f32 %m = arith.maximumf %a, %b : f32 "
     "%r = arith.select %c, %a, %m : f32",
     "%c = arith.cmpf ugt, %a, %b : f32 %s = arith.select %c, %a, %b : f32 "
     "%n = arith.cmpf uno, %b, %b : f32 %r = arith.select %n, %b, %s : f32",
     ""},
    {"MinimumKeepsNaN", false, "%r = arith.minimumf %a, %b : f32", "",
     "%r = arith.minimumf %b, %a : f32", "%r = arith.minnumf %a, %b : f32", ""},
    {"ReluKeepsNaN", false,
     "%z = arith.constant 0.0 : f32 %r = arith.maximumf %a, %z : f32", "",
     "%z = arith.constant 0.0 : f32 %c = arith.cmpf ole, %a, %z : f32 "
     "%r = arith.select %c, %z, %a : f32",
     "%z = arith.constant 0.0 : f32 %c = arith.cmpf ogt, %a, %z : f32 "
     "%r = arith.select %c, %a, %z : f32",
     ""},
    {"ReluHasNoNegativeZero", false,
     "%z = arith.constant 0.0 : f32 %r = arith.maximumf %a, %z : f32", "",
     "%z = arith.constant 0.0 : f32 %c = arith.cmpf ugt, %a, %z : f32 "
     "%r = arith.select %c, %a, %z : f32",
     "%z = arith.constant 0.0 : f32 %c = arith.cmpf olt, %a, %z : f32 "
     "%r = arith.select %c, %z, %a : f32",
     ""},
    {"NegationOfZero", false, "%r = arith.negf %a : f32", "",
     "%m = arith.constant -1.0 : f32 %r = arith.mulf %a, %m : f32",
     "%z = arith.constant 0.0 : f32 %r = arith.subf %z, %a : f32", ""},
    {"DivisionByZero", false, "%r = arith.divf %a, %b : f32", "",
     "%m = arith.constant -1.0 : f32 %n = arith.mulf %b, %m : f32 "
     "%o = arith.mulf %a, %m : f32 %r = arith.divf %o, %n : f32",
     "%b2 = math.absf %b : f32 %z = arith.constant 0.0 : f32 "
     "%c = arith.cmpf oeq, %b, %z : f32 %d = arith.select %c, %b2, %b : f32 "
     "%r = arith.divf %a, %d : f32",
     ""},
    {"DivisionByDenormals", false, "%r = arith.divf %a, %b : f32", "",
     "%r = arith.divf %a, %b : f32",
     "%one = arith.constant 1.0 : f32 %i = arith.divf %one, %b : f32 "
     "%r = arith.mulf %a, %i : f32",
     ""},
    {"SquareRootOfZero", false, "%r = math.sqrt %a : f32", "",
     "%r = math.sqrt %a : f32",
     "%c = arith.constant 0.5 : f32 %r = math.powf %a, %c : f32", ""},
    {"DifferenceOfInfinities", false, "%r = arith.subf %a, %b : f32", "",
     "%n = arith.negf %b : f32 %r = arith.addf %n, %a : f32",
     "%c = arith.cmpf oeq, %a, %b : f32 %z = arith.constant 0.0 : f32 "
     "%s = arith.subf %a, %b : f32 %r = arith.select %c, %z, %s : f32",
     ""},
    {"ProductOfZeroAndInfinity", false, "%r = arith.mulf %a, %b : f32", "",
     "%r = arith.mulf %b, %a : f32",
     "%z = arith.constant 0.0 : f32 %c = arith.cmpf oeq, %a, %z : f32 "
     "%p = arith.mulf %a, %b : f32 %s = math.copysign %z, %p : f32 "
     "%r = arith.select %c, %s, %p : f32",
     ""},
    {"Expm1OfDenormals", false, "%r = math.expm1 %a : f32", "",
     "%r = math.expm1 %a : f32",
     "%l = arith.constant 0x00800000 : f32 %m = math.absf %a : f32 "
     "%c = arith.cmpf olt, %m, %l : f32 %z = arith.constant 0.0 : f32 "
     "%e = math.expm1 %a : f32 %r = arith.select %c, %z, %e : f32",
     ""},
    {"CopiesKeepDenormals", false, "%r = arith.select %true, %a, %b : f32", "",
     "%r = arith.select %true, %a, %b : f32",
     "%l = arith.constant 0x00800000 : f32 %m = math.absf %a : f32 "
     "%c = arith.cmpf olt, %m, %l : f32 %z = arith.constant 0.0 : f32 "
     "%f = math.copysign %z, %a : f32 %r = arith.select %c, %f, %a : f32",
     ""},
    {"RowMaximumKeepsNaN", true, kMaximum, kMinusInfinity,
     "%r = arith.maximumf %b, %a : f32", "%r = arith.maxnumf %a, %b : f32",
     kMinusInfinity},
    {"RowMaximumOfNegativeValues", true, kMaximum, kMinusInfinity,
     "%r = arith.maximumf %b, %a : f32", kMaximum, "-100.0"},
    {"RowMaximumOfInfinities", true, kMaximum, kMinusInfinity,
     "%r = arith.maximumf %b, %a : f32", kMaximum, "-3.0e+38"},
    {"RowMinimumOfPositiveValues", true, "%r = arith.minimumf %a, %b : f32",
     "0x7F800000", "%r = arith.minimumf %b, %a : f32",
     "%r = arith.minimumf %a, %b : f32", "100.0"},
    {"RowMaximumOfZeros", true, kMaximum, kMinusInfinity,
     "%r = arith.maximumf %b, %a : f32",
     "%c = arith.cmpf oge, %a, %b : f32 %s = arith.select %c, %a, %b : f32 "
     "%n = arith.cmpf uno, %a, %b : f32 %m = arith.maximumf %a, %b : f32 "
     "%r = arith.select %n, %m, %s : f32",
     kMinusInfinity},
    {"RowSumKeepsNaN", true, "%r = arith.addf %a, %b : f32", "0.0",
     "%r = arith.addf %b, %a : f32",
     "%n = arith.cmpf uno, %a, %a : f32 %z = arith.constant 0.0 : f32 "
     "%c = arith.select %n, %z, %a : f32 %r = arith.addf %c, %b : f32",
     "0.0"},
};

class DifferentialTest : public KernelCheckTest,
                         public ::testing::WithParamInterface<Case> {
protected:
  static constexpr int64_t kRows = 12, kColumns = 9, kElements = 96;

  Module reference(const Case &c) {
    if (c.reduces)
      return parse(llvm::formatv(R"(
      func.func @main(%x: tensor<12x9xf32>) -> tensor<12xf32> {{
        %init = arith.constant {0} : f32
        %e = tensor.empty() : tensor<12xf32>
        %f = linalg.fill ins(%init : f32) outs(%e : tensor<12xf32>)
            -> tensor<12xf32>
        %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
            affine_map<(i, j) -> (i)>], iterator_types = ["parallel",
            "reduction"]} ins(%x : tensor<12x9xf32>) outs(%f : tensor<12xf32>) {{
        ^bb0(%a: f32, %b: f32):
          {1}
          linalg.yield %r : f32
        } -> tensor<12xf32>
        return %0 : tensor<12xf32>
      })",
                                 c.init, c.right)
                       .str());
    return parse(llvm::formatv(R"(
      func.func @main(%x: tensor<96xf32>, %y: tensor<96xf32>) -> tensor<96xf32> {{
        %e = tensor.empty() : tensor<96xf32>
        %0 = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>,
            affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
            iterator_types = ["parallel"]}
            ins(%x, %y : tensor<96xf32>, tensor<96xf32>)
            outs(%e : tensor<96xf32>) {{
        ^bb0(%a: f32, %b: f32, %out: f32):
          %true = arith.constant true
          {0}
          linalg.yield %r : f32
        } -> tensor<96xf32>
        return %0 : tensor<96xf32>
      })",
                               c.right)
                     .str());
  }

  Module scheduled(const Case &c, StringRef body, StringRef init) {
    if (!c.reduces)
      return kernel({"96xf32", "96xf32"}, "96xf32", kElements,
                    ("%true = arith.constant true "
                     "%a = memref.load %x0[%t] : memref<96xf32> "
                     "%b = memref.load %x1[%t] : memref<96xf32> " +
                     body + " memref.store %r, %y[%t] : memref<96xf32>")
                        .str());
    return kernel({"12x9xf32"}, "12xf32", kRows,
                  llvm::formatv("%c0 = arith.constant 0 : index "
                                "%c1 = arith.constant 1 : index "
                                "%c9 = arith.constant 9 : index "
                                "%init = arith.constant {0} : f32 "
                                "%start = arith.muli %t, %c9 : index "
                                "%all = scf.for %i = %c0 to %c9 step %c1 "
                                "iter_args(%b = %init) -> (f32) {{ "
                                "%at = arith.addi %start, %i : index "
                                "%a = memref.load %x0[%at] : memref<108xf32> "
                                "{1} scf.yield %r : f32 } "
                                "memref.store %all, %y[%t] : memref<12xf32>",
                                init, body)
                      .str());
  }

  std::optional<Rejection> judge(const Case &c, StringRef body, StringRef init,
                                 bool withSpecials = true) {
    VerifyOptions options;
    if (!withSpecials)
      options.distributions = {Distribution::Uniform, Distribution::Normal};
    NumericSummary summary;
    return check(reference(c), scheduled(c, body, init), summary, options);
  }
};

TEST_P(DifferentialTest, TheRightKernelPasses) {
  const Case &c = GetParam();
  std::optional<Rejection> rejection = judge(c, c.right, c.init);
  EXPECT_FALSE(rejection) << rejection->str();
  rejection = judge(c, c.alsoRight, c.init);
  EXPECT_FALSE(rejection) << rejection->str();
}

TEST_P(DifferentialTest, TheWrongKernelIsRefused) {
  const Case &c = GetParam();
  std::optional<Rejection> rejection = judge(c, c.wrong, c.wrongInit);
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->step, "numeric");
  EXPECT_TRUE(
      StringRef(rejection->notes.front()).starts_with("inputs: special"))
      << rejection->notes.front();
  // Ordinary inputs do not show it.
  EXPECT_FALSE(judge(c, c.wrong, c.wrongInit, /*withSpecials=*/false));
}

INSTANTIATE_TEST_SUITE_P(All, DifferentialTest, ::testing::ValuesIn(kCases),
                         [](const auto &info) { return info.param.name; });

} // namespace
