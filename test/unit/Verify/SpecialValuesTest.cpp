//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Special values lie where the payload's operations meet them.
//
//===----------------------------------------------------------------------===//
#include "Special/SpecialValues.h"
#include "KernelCheckTest.h"
#include "Rows/ReducedDims.h"
#include "Special/SignedZeros.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace egg;

namespace {

using SpecialValuesTest = KernelCheckTest;

TEST_F(SpecialValuesTest, OfTiedElementsTheFirstIsTaken) {
  auto argmax = [&](StringRef comparison) {
    return kernel({"16x6xf32"}, "16xi64", 16,
                  ("%c0 = arith.constant 0 : index "
                   "%c1 = arith.constant 1 : index "
                   "%c6 = arith.constant 6 : index "
                   "%low = arith.constant 0xFF800000 : f32 "
                   "%none = arith.constant 0 : i64 "
                   "%start = arith.muli %t, %c6 : index "
                   "%best:2 = scf.for %i = %c0 to %c6 step %c1 "
                   "iter_args(%b = %low, %at = %none) -> (f32, i64) { "
                   "%place = arith.addi %start, %i : index "
                   "%a = memref.load %x0[%place] : memref<96xf32> "
                   "%here = arith.index_cast %i : index to i64 "
                   "%c = arith.cmpf " +
                   comparison +
                   ", %a, %b : f32 %v = arith.select %c, %a, %b : f32 "
                   "%n = arith.select %c, %here, %at : i64 "
                   "scf.yield %v, %n : f32, i64 } "
                   "memref.store %best#1, %y[%t] : memref<16xi64>")
                      .str());
  };
  auto payload = [&] {
    return parse(R"(
      func.func @main(%x: tensor<16x6xf32>) -> tensor<16xi64> {
        %low = arith.constant 0xFF800000 : f32
        %none = arith.constant 0 : i64
        %e = tensor.empty() : tensor<16xf32>
        %f = linalg.fill ins(%low : f32) outs(%e : tensor<16xf32>)
            -> tensor<16xf32>
        %g = tensor.empty() : tensor<16xi64>
        %h = linalg.fill ins(%none : i64) outs(%g : tensor<16xi64>)
            -> tensor<16xi64>
        %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
            affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
            iterator_types = ["parallel", "reduction"]}
            ins(%x : tensor<16x6xf32>)
            outs(%f, %h : tensor<16xf32>, tensor<16xi64>) {
        ^bb0(%a: f32, %b: f32, %at: i64):
          %j = linalg.index 1 : index
          %here = arith.index_cast %j : index to i64
          %c = arith.cmpf ogt, %a, %b : f32
          %v = arith.select %c, %a, %b : f32
          %n = arith.select %c, %here, %at : i64
          linalg.yield %v, %n : f32, i64
        } -> (tensor<16xf32>, tensor<16xi64>)
        return %0#1 : tensor<16xi64>
      })");
  };
  VerifyOptions options;
  options.distributions = {Distribution::Special};
  NumericSummary summary;
  EXPECT_FALSE(check(payload(), argmax("ogt"), summary, options));
  EXPECT_EQ(summary.specials,
            "NaN first and last, ties and values far from zero (cmpf), zeros "
            "of both signs (cmpf), infinities, denormals, by rows of argument "
            "0; rows of zeros but for few elements");
  EXPECT_TRUE(check(payload(), argmax("oge"), summary, options));
  EXPECT_TRUE(check(payload(), argmax("ugt"), summary, options));
}

TEST_F(SpecialValuesTest, AllPairsMeet) {
  Module payload = parse(R"(
      func.func @main(%x: tensor<9x10xf32>, %y: tensor<9x10xf32>)
          -> tensor<9x10xf32> {
        %0 = linalg.div ins(%x, %y : tensor<9x10xf32>, tensor<9x10xf32>)
            outs(%x : tensor<9x10xf32>) -> tensor<9x10xf32>
        return %0 : tensor<9x10xf32>
      })");
  SpecialValues specials(*payload);
  ASSERT_EQ(specials.countRounds(), 1);
  EXPECT_EQ(specials.str(),
            "NaN, zeros of both signs, ones, denormals, infinities, in all "
            "pairs of arguments 0, 1, for divf");
  auto inputs = llvm::cantFail(makeInputs(*payload, Distribution::Normal, 0));
  specials.place(inputs, 0);
  auto kindOf = [](double value) {
    return std::isnan(value) ? std::string("NaN")
                             : llvm::formatv("{0:e}", value).str();
  };
  std::set<std::pair<std::string, std::string>> pairs;
  for (int64_t i = 0; i < 90; ++i)
    pairs.insert({kindOf(inputs[0].getFloat(i)) +
                      (std::signbit(inputs[0].getFloat(i)) ? "-" : "+"),
                  kindOf(inputs[1].getFloat(i)) +
                      (std::signbit(inputs[1].getFloat(i)) ? "-" : "+")});
  EXPECT_EQ(pairs.size(), 81u);
}

/// A few rows take several rounds; ordinary rows remain where there are more.
TEST_F(SpecialValuesTest, RowsHoldOnePatternEach) {
  auto payload = [&](int64_t rows) {
    return parse(llvm::formatv(R"(
      func.func @main(%x: tensor<{0}x8xf32>) -> tensor<{0}xf32> {{
        %init = arith.constant 0xFF800000 : f32
        %e = tensor.empty() : tensor<{0}xf32>
        %f = linalg.fill ins(%init : f32) outs(%e : tensor<{0}xf32>)
            -> tensor<{0}xf32>
        %0 = linalg.reduce {{ arith.maximumf } ins(%x : tensor<{0}x8xf32>)
            outs(%f : tensor<{0}xf32>) dimensions = [1]
        return %0 : tensor<{0}xf32>
      })",
                               rows)
                     .str());
  };
  Module many = payload(20), few = payload(5), one = payload(1);
  EXPECT_EQ(SpecialValues(*many).countRounds(), 1);
  EXPECT_EQ(SpecialValues(*few).countRounds(), 4);
  EXPECT_EQ(SpecialValues(*one).countRounds(), 4);
  auto inputs = llvm::cantFail(makeInputs(*many, Distribution::Normal, 0));
  HostTensor before = inputs.front();
  SpecialValues(*many).place(inputs, 0);
  int64_t nans = 0, changedRows = 0;
  for (int64_t row = 0; row < 20; ++row) {
    bool changed = false;
    for (int64_t i = row * 8; i < row * 8 + 8; ++i) {
      nans += std::isnan(inputs.front().getFloat(i));
      changed |= std::isnan(inputs.front().getFloat(i)) ||
                 inputs.front().getFloat(i) != before.getFloat(i);
    }
    changedRows += changed;
  }
  // One first, one last, three, and half a row.
  EXPECT_EQ(nans, 9);
  EXPECT_EQ(changedRows, 16);
  // Without infinities and denormals, laws of algebra hold.
  SpecialValues tame(*many, /*otherAlgebra=*/{false, false});
  inputs = llvm::cantFail(makeInputs(*many, Distribution::Normal, 0));
  tame.place(inputs, 0);
  for (int64_t i = 0; i < 160; ++i) {
    double value = inputs.front().getFloat(i);
    EXPECT_FALSE(std::isinf(value));
    EXPECT_TRUE(value == 0 || std::isnan(value) || std::abs(value) > 0x1p-126);
  }
}

TEST_F(SpecialValuesTest, ReducedDimsAreFoundBehindMapsAndShapes) {
  Module payload = parse(R"(
      func.func @main(%x: tensor<3x4x5xf32>, %w: tensor<4x6xf32>,
                      %b: tensor<5xf32>, %s: tensor<7x2xf32>)
          -> (tensor<15xf32>, tensor<3x5x6xf32>, tensor<7x2xf32>) {
        %z = arith.constant 0.0 : f32
        %e = tensor.empty() : tensor<3x5x4xf32>
        %t = linalg.transpose ins(%x : tensor<3x4x5xf32>)
            outs(%e : tensor<3x5x4xf32>) permutation = [0, 2, 1]
        %c = tensor.collapse_shape %t [[0, 1], [2]]
            : tensor<3x5x4xf32> into tensor<15x4xf32>
        %e1 = tensor.empty() : tensor<15xf32>
        %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<15xf32>)
            -> tensor<15xf32>
        %sum = linalg.reduce { arith.addf } ins(%c : tensor<15x4xf32>)
            outs(%f : tensor<15xf32>) dimensions = [1]
        %e2 = tensor.empty() : tensor<3x5x6xf32>
        %g = linalg.fill ins(%z : f32) outs(%e2 : tensor<3x5x6xf32>)
            -> tensor<3x5x6xf32>
        %product = linalg.generic {indexing_maps = [
            affine_map<(i, j, n, k) -> (i, j, k)>,
            affine_map<(i, j, n, k) -> (k, n)>,
            affine_map<(i, j, n, k) -> (j)>,
            affine_map<(i, j, n, k) -> (i, j, n)>], iterator_types =
            ["parallel", "parallel", "parallel", "reduction"]}
            ins(%t, %w, %b : tensor<3x5x4xf32>, tensor<4x6xf32>, tensor<5xf32>)
            outs(%g : tensor<3x5x6xf32>) {
        ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
          %m = arith.mulf %p, %q : f32
          %a = arith.addf %o, %m : f32
          linalg.yield %a : f32
        } -> tensor<3x5x6xf32>
        %scan = egg.scan <add> %s dim = 0 : tensor<7x2xf32>
        return %sum, %product, %scan
            : tensor<15xf32>, tensor<3x5x6xf32>, tensor<7x2xf32>
      })");
  auto main = *payload->getOps<mlir::func::FuncOp>().begin();
  auto dims = [&](unsigned argument) {
    std::string text;
    llvm::SmallBitVector reduced = findReducedDims(main.getArgument(argument));
    for (unsigned dim = 0; dim < reduced.size(); ++dim)
      text += reduced[dim] ? 'r' : 'p';
    return text;
  };
  EXPECT_EQ(dims(0), "prp");
  EXPECT_EQ(dims(1), "rp");
  EXPECT_EQ(dims(2), "p");
  EXPECT_EQ(dims(3), "rp");
}

TEST_F(SpecialValuesTest, SumsHaveNoSignedZeros) {
  Module payload = parse(R"(
      func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
        %e = tensor.empty() : tensor<4xf32>
        %0 = linalg.negf ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
            -> tensor<4xf32>
        %1 = linalg.add ins(%0, %x : tensor<4xf32>, tensor<4xf32>)
            outs(%e : tensor<4xf32>) -> tensor<4xf32>
        return %0, %1 : tensor<4xf32>, tensor<4xf32>
      })");
  EXPECT_EQ(findSignedZeros(*payload), (SmallVector<bool>{true, false}));
}

/// Sums over rows of what a pair of elements gives, %r of %a and %b.
struct PairCase {
  const char *name;
  const char *right, *wrong;
};

const PairCase kPairs[] = {
    {"EqualityByDifference",
     "%c = arith.cmpf oeq, %a, %b : f32 %r = arith.uitofp %c : i1 to f32",
     "%z = arith.constant 0.0 : f32 %d = arith.subf %a, %b : f32 "
     "%c = arith.cmpf oeq, %d, %z : f32 %r = arith.uitofp %c : i1 to f32"},
    {"EqualityByBits",
     "%c = arith.cmpf oeq, %a, %b : f32 %r = arith.uitofp %c : i1 to f32",
     "%i = arith.bitcast %a : f32 to i32 %j = arith.bitcast %b : f32 to i32 "
     "%c = arith.cmpi eq, %i, %j : i32 %r = arith.uitofp %c : i1 to f32"},
    {"NothingOfNaN",
     "%z = arith.constant 0.0 : f32 %n = arith.cmpf uno, %b, %b : f32 "
     "%c = arith.cmpf oeq, %a, %z : f32 %m = arith.mulf %a, %b : f32 "
     "%s = arith.select %c, %z, %m : f32 %r = arith.select %n, %b, %s : f32",
     "%z = arith.constant 0.0 : f32 %c = arith.cmpf oeq, %a, %z : f32 "
     "%m = arith.mulf %a, %b : f32 %r = arith.select %c, %z, %m : f32"}};

class PairsTest : public KernelCheckTest,
                  public ::testing::WithParamInterface<PairCase> {
protected:
  std::optional<Rejection> judge(StringRef body) {
    Module payload = parse(llvm::formatv(R"(
      func.func @main(%x: tensor<8x24xf32>, %w: tensor<8x24xf32>)
          -> tensor<8xf32> {{
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : tensor<8xf32>
        %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>)
            -> tensor<8xf32>
        %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
            affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
            iterator_types = ["parallel", "reduction"]}
            ins(%x, %w : tensor<8x24xf32>, tensor<8x24xf32>)
            outs(%f : tensor<8xf32>) {{
        ^bb0(%a: f32, %b: f32, %sum: f32):
          {0}
          %next = arith.addf %r, %sum : f32
          linalg.yield %next : f32
        } -> tensor<8xf32>
        return %0 : tensor<8xf32>
      })",
                                         GetParam().right)
                               .str());
    NumericSummary summary;
    return check(
        payload,
        kernel({"8x24xf32", "8x24xf32"}, "8xf32", 8,
               llvm::formatv("%c0 = arith.constant 0 : index "
                             "%c1 = arith.constant 1 : index "
                             "%c24 = arith.constant 24 : index "
                             "%none = arith.constant 0.0 : f32 "
                             "%start = arith.muli %t, %c24 : index "
                             "%all = scf.for %k = %c0 to %c24 step %c1 "
                             "iter_args(%sum = %none) -> (f32) {{ "
                             "%at = arith.addi %start, %k : index "
                             "%a = memref.load %x0[%at] : memref<192xf32> "
                             "%b = memref.load %x1[%at] : memref<192xf32> {0} "
                             "%next = arith.addf %r, %sum : f32 "
                             "scf.yield %next : f32 } "
                             "memref.store %all, %y[%t] : memref<8xf32>",
                             body)
                   .str()),
        summary);
  }
};

TEST_P(PairsTest, TheSamePasses) {
  auto rejection = judge(GetParam().right);
  EXPECT_FALSE(rejection) << rejection->str();
}

TEST_P(PairsTest, WhatDiffersWhereTwoMeetIsRefused) {
  auto rejection = judge(GetParam().wrong);
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->step, "numeric");
}

INSTANTIATE_TEST_SUITE_P(Rows, PairsTest, ::testing::ValuesIn(kPairs),
                         [](const auto &info) { return info.param.name; });

} // namespace
