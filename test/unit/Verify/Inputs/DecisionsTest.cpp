//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels that decide otherwise where two values are equal are refused: no
// rounding excuses them.
//
//===----------------------------------------------------------------------===//
#include "MapTest.h"

using namespace mlir;
using namespace egg;

namespace {

using DecisionsTest = MapTest;

const MapCase kCases[] = {
    {"StepAtAThreshold", "f32", "f32",
     "%c = arith.constant 0.5 : f32 %i = arith.constant 1.0 : f32 "
     "%z = arith.constant 0.0 : f32 %q = arith.cmpf oge, %a, %c : f32 "
     "%r = arith.select %q, %i, %z : f32",
     "%c = arith.constant 0.5 : f32 %i = arith.constant 1.0 : f32 "
     "%z = arith.constant 0.0 : f32 %q = arith.cmpf ult, %a, %c : f32 "
     "%r = arith.select %q, %z, %i : f32",
     "%c = arith.constant 0.5 : f32 %i = arith.constant 1.0 : f32 "
     "%z = arith.constant 0.0 : f32 %q = arith.cmpf ogt, %a, %c : f32 "
     "%r = arith.select %q, %i, %z : f32"},
    {"EqualToAConstant", "f32", "f32",
     "%c = arith.constant 6.0 : f32 %z = arith.constant 0.0 : f32 "
     "%q = arith.cmpf oeq, %a, %c : f32 %r = arith.select %q, %z, %a : f32",
     "%c = arith.constant 6.0 : f32 %z = arith.constant 0.0 : f32 "
     "%q = arith.cmpf une, %a, %c : f32 %r = arith.select %q, %a, %z : f32",
     "%z = arith.constant 1.0 : f32 %r = arith.mulf %a, %z : f32"},
    {"RoundedValuesAreChosen", "f32", "f32",
     "%c = arith.constant 0.5 : f32 %n = arith.negf %a : f32 "
     "%e = math.exp %a : f32 %q = arith.cmpf oge, %a, %c : f32 "
     "%r = arith.select %q, %e, %n : f32",
     "%c = arith.constant 0.5 : f32 %n = arith.negf %a : f32 "
     "%e = math.exp %a : f32 %q = arith.cmpf ult, %a, %c : f32 "
     "%r = arith.select %q, %n, %e : f32",
     "%c = arith.constant 0.5 : f32 %n = arith.negf %a : f32 "
     "%e = math.exp %a : f32 %q = arith.cmpf ogt, %a, %c : f32 "
     "%r = arith.select %q, %e, %n : f32"},
    {"SumsOfIntegersAreCompared", "f32", "f32",
     "%c = arith.constant 2.0 : f32 %s = arith.mulf %a, %a : f32 "
     "%d = arith.addf %s, %a : f32 %q = arith.cmpf ogt, %d, %c : f32 "
     "%e = math.exp %a : f32 %r = arith.select %q, %e, %d : f32",
     "%c = arith.constant 2.0 : f32 %d = math.fma %a, %a, %a : f32 "
     "%q = arith.cmpf olt, %c, %d : f32 "
     "%e = math.exp %a : f32 %r = arith.select %q, %e, %d : f32",
     "%c = arith.constant 2.0 : f32 %s = arith.mulf %a, %a : f32 "
     "%d = arith.addf %s, %a : f32 %q = arith.cmpf oge, %d, %c : f32 "
     "%e = math.exp %a : f32 %r = arith.select %q, %e, %d : f32"},
    {"RoundingOfIntegers", "f32", "f32", "%r = math.floor %a : f32",
     "%n = arith.negf %a : f32 %c = math.ceil %n : f32 "
     "%r = arith.negf %c : f32",
     "%i = arith.constant 1.0 : f32 %c = math.ceil %a : f32 "
     "%r = arith.subf %c, %i : f32"},
    // Beyond its precision, a float does not hold what integers differ by.
    {"RightDifferencesOfLargeIntegers", "i64", "f32",
     "%f = arith.sitofp %a : i64 to f32 %u = arith.constant 0.3 : f32 "
     "%w = arith.constant 0.7 : f32 %p = arith.mulf %f, %u : f32 "
     "%q = arith.mulf %f, %w : f32 %s = arith.subf %f, %p : f32 "
     "%r = arith.subf %s, %q : f32",
     "%f = arith.sitofp %a : i64 to f32 %u = arith.constant 0.3 : f32 "
     "%w = arith.constant 0.7 : f32 %p = arith.mulf %f, %u : f32 "
     "%s = math.fma %f, %w, %p : f32 %r = arith.subf %f, %s : f32",
     "%f = arith.sitofp %a : i64 to f32 %u = arith.constant 0.3 : f32 "
     "%r = arith.mulf %f, %u : f32"},
};

TEST_P(DecisionsTest, TheRightKernelPasses) { expectRightToPass(); }
TEST_P(DecisionsTest, TheWrongKernelIsRefused) { expectWrongToBeRefused(); }

INSTANTIATE_TEST_SUITE_P(All, DecisionsTest, ::testing::ValuesIn(kCases),
                         [](const auto &info) { return info.param.name; });

class ArgmaxTest : public KernelCheckTest {
protected:
  /// The exponential of what stands in %y where a row of %x has its maximum.
  std::optional<Rejection> judge(StringRef predicate) {
    Module payload = parse(R"(
      func.func @main(%x: tensor<12x9xf32>, %y: tensor<12x9xf32>)
          -> tensor<12xf32> {
        %least = arith.constant 0xFF800000 : f32
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : tensor<12xf32>
        %f = linalg.fill ins(%least : f32) outs(%e : tensor<12xf32>)
            -> tensor<12xf32>
        %g = linalg.fill ins(%zero : f32) outs(%e : tensor<12xf32>)
            -> tensor<12xf32>
        %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
            affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
            affine_map<(i, j) -> (i)>], iterator_types = ["parallel",
            "reduction"]} ins(%x, %y : tensor<12x9xf32>, tensor<12x9xf32>)
            outs(%f, %g : tensor<12xf32>, tensor<12xf32>) {
        ^bb0(%a: f32, %b: f32, %m: f32, %v: f32):
          %c = arith.cmpf ogt, %a, %m : f32
          %p = math.exp %b : f32
          %n = arith.select %c, %a, %m : f32
          %w = arith.select %c, %p, %v : f32
          linalg.yield %n, %w : f32, f32
        } -> (tensor<12xf32>, tensor<12xf32>)
        return %0#1 : tensor<12xf32>
      })");
    Module scheduled = kernel(
        {"12x9xf32", "12x9xf32"}, "12xf32", 12,
        llvm::formatv(
            "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index "
            "%c9 = arith.constant 9 : index %least = arith.constant 0xFF800000 "
            ": f32 %zero = arith.constant 0.0 : f32 "
            "%start = arith.muli %t, %c9 : index "
            "%all:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%m = %least, "
            "%v = %zero) -> (f32, f32) {{ "
            "%at = arith.addi %start, %i : index "
            "%a = memref.load %x0[%at] : memref<108xf32> "
            "%b = memref.load %x1[%at] : memref<108xf32> "
            "%c = arith.cmpf {0}, %a, %m : f32 %p = math.exp %b : f32 "
            "%n = arith.select %c, %a, %m : f32 "
            "%w = arith.select %c, %p, %v : f32 scf.yield %n, %w : f32, f32 } "
            "memref.store %all#1, %y[%t] : memref<12xf32>",
            predicate)
            .str());
    NumericSummary summary;
    VerifyOptions options;
    options.distributions = {Distribution::Uniform, Distribution::Ties};
    return check(payload, scheduled, summary, options);
  }
};

TEST_F(ArgmaxTest, TheFirstOfEqualElementsCounts) {
  std::optional<Rejection> rejection = judge("ogt");
  EXPECT_FALSE(rejection) << rejection->str();
  rejection = judge("oge");
  ASSERT_TRUE(rejection);
  EXPECT_TRUE(StringRef(rejection->notes.front()).contains("ties") ||
              StringRef(rejection->notes[1]).contains("ties"))
      << rejection->str();
}

} // namespace
