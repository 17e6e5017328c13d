//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../VerifyTest.h"
#include "egg/Verify/ShrinkPayload.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace egg;

namespace {

/// Sums of a matrix, first along its rows, then of the results. What stands
/// before, between and after the sums computes %r of %a.
class CountFlowTest : public VerifyTest {
protected:
  struct Bodies {
    std::string before = "", between = "", after = "";
    int64_t rows = 64, columns = 64;
  };

  static std::string getProgram(const Bodies &bodies) {
    auto orCopy = [](const std::string &body) {
      return body.empty() ? "%zero = arith.constant 0.0 : f32\n"
                            "%r = arith.addf %a, %zero : f32"
                          : body;
    };
    return llvm::formatv(
        R"(
      #two = affine_map<(i, j) -> (i, j)>
      #row = affine_map<(i, j) -> (i)>
      #one = affine_map<(i) -> (i)>
      #none_of_one = affine_map<(i) -> ()>
      #none = affine_map<() -> ()>
      func.func @main(%x: tensor<{0}x{1}xf32>) -> tensor<f32> {{
        %init = arith.constant 0.0 : f32
        %e = tensor.empty() : tensor<{0}x{1}xf32>
        %before = linalg.generic {{indexing_maps = [#two, #two],
            iterator_types = ["parallel", "parallel"]}
            ins(%x : tensor<{0}x{1}xf32>) outs(%e : tensor<{0}x{1}xf32>) {{
        ^bb0(%a: f32, %out: f32):
          {2}
          linalg.yield %r : f32
        } -> tensor<{0}x{1}xf32>
        %e0 = tensor.empty() : tensor<{0}xf32>
        %f0 = linalg.fill ins(%init : f32) outs(%e0 : tensor<{0}xf32>)
            -> tensor<{0}xf32>
        %s0 = linalg.generic {{indexing_maps = [#two, #row],
            iterator_types = ["parallel", "reduction"]}
            ins(%before : tensor<{0}x{1}xf32>) outs(%f0 : tensor<{0}xf32>) {{
        ^bb0(%a: f32, %out: f32):
          %r = arith.addf %out, %a : f32
          linalg.yield %r : f32
        } -> tensor<{0}xf32>
        %between = linalg.generic {{indexing_maps = [#one, #one],
            iterator_types = ["parallel"]}
            ins(%s0 : tensor<{0}xf32>) outs(%e0 : tensor<{0}xf32>) {{
        ^bb0(%a: f32, %out: f32):
          {3}
          linalg.yield %r : f32
        } -> tensor<{0}xf32>
        %e1 = tensor.empty() : tensor<f32>
        %f1 = linalg.fill ins(%init : f32) outs(%e1 : tensor<f32>)
            -> tensor<f32>
        %s1 = linalg.generic {{indexing_maps = [#one, #none_of_one],
            iterator_types = ["reduction"]}
            ins(%between : tensor<{0}xf32>) outs(%f1 : tensor<f32>) {{
        ^bb0(%a: f32, %out: f32):
          %r = arith.addf %out, %a : f32
          linalg.yield %r : f32
        } -> tensor<f32>
        %after = linalg.generic {{indexing_maps = [#none, #none],
            iterator_types = []}
            ins(%s1 : tensor<f32>) outs(%e1 : tensor<f32>) {{
        ^bb0(%a: f32, %out: f32):
          {4}
          linalg.yield %r : f32
        } -> tensor<f32>
        return %after : tensor<f32>
      })",
        bodies.rows, bodies.columns, orCopy(bodies.before),
        orCopy(bodies.between), orCopy(bodies.after));
  }

  /// %r = %a / n, or %r = (%a / n) / m.
  static std::string divide(double n) {
    return llvm::formatv("%n = arith.constant {0:e} : f32\n"
                         "%r = arith.divf %a, %n : f32",
                         n);
  }
  static std::string divide(double n, double m) {
    return llvm::formatv("%n = arith.constant {0:e} : f32\n"
                         "%m = arith.constant {1:e} : f32\n"
                         "%q = arith.divf %a, %n : f32\n"
                         "%r = arith.divf %q, %m : f32",
                         n, m);
  }

  /// Shrinks the program, in which `rows` and `columns` become different.
  void shrink(const Bodies &bodies, CountRule rule = CountRule::DataFlow) {
    auto program = parse(getProgram(bodies));
    ShrinkTarget target;
    target.variant = ShrinkVariant::Odd;
    target.countRule = rule;
    target.maxWork = 2000;
    counts.clear();
    auto small = shrinkPayload(*program, target, nullptr, &counts);
    ASSERT_TRUE(succeeded(small));
    auto main = (*small)->lookupSymbol<func::FuncOp>("main");
    auto shape =
        cast<RankedTensorType>(main.getArgumentTypes().front()).getShape();
    rows = double(shape[0]);
    columns = double(shape[1]);
    ASSERT_NE(rows, columns);
    ASSERT_LT(rows, double(bodies.rows));
    divisors.clear();
    main.walk([&](arith::DivFOp op) {
      auto constant = op.getRhs().getDefiningOp<arith::ConstantOp>();
      divisors.push_back(
          cast<FloatAttr>(constant.getValue()).getValueAsDouble());
    });
  }

  using Divisors = std::vector<double>;
  std::vector<CountConstant> counts;
  Divisors divisors;
  double rows = 0, columns = 0;
};

} // namespace

TEST_F(CountFlowTest, DivisorsFollowTheSumBeforeThem) {
  shrink({.between = divide(64), .after = divide(64)});
  EXPECT_EQ(divisors, Divisors({columns, rows}));
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_TRUE(counts[0].isDisputed && counts[1].isDisputed);
}

TEST_F(CountFlowTest, SmallNumbersFollowToo) {
  shrink(
      {.between = divide(13), .after = divide(13), .rows = 13, .columns = 13});
  EXPECT_EQ(divisors, Divisors({columns, rows}));
}

TEST_F(CountFlowTest, TheValueAloneDoesNotTellTwoSumsApart) {
  shrink({.between = divide(64), .after = divide(64)}, CountRule::Value);
  EXPECT_EQ(divisors, Divisors({64, 64}));
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_FALSE(counts[0].scaled || counts[1].scaled);
}

TEST_F(CountFlowTest, OneDivisorOfTwoSumsIsTheirProduct) {
  shrink({.after = divide(64 * 64)});
  EXPECT_EQ(divisors, Divisors({rows * columns}));
}

/// What one divisor has been is not what the next one is.
TEST_F(CountFlowTest, EachSumIsDividedByOnce) {
  shrink({.after = divide(64, 64)});
  EXPECT_EQ(divisors, Divisors({rows, columns}));
  shrink({.between = divide(64, 64)});
  EXPECT_EQ(divisors, Divisors({columns, rows}));
}

TEST_F(CountFlowTest, QuotientsMayBeAddedLater) {
  shrink({.before = divide(64), .after = divide(64)});
  EXPECT_EQ(divisors, Divisors({columns, rows}));
  shrink({.before = divide(64 * 64)});
  EXPECT_EQ(divisors, Divisors({rows * columns}));
}

/// Twice a number that is the number of another sum is told from that.
TEST_F(CountFlowTest, TheVerySumComesBeforeTwiceAnother) {
  shrink({.between = divide(128), .after = divide(64), .columns = 128});
  EXPECT_EQ(divisors, Divisors({columns, rows}));
  shrink({.between = divide(64), .after = divide(128), .columns = 128});
  EXPECT_EQ(divisors, Divisors({rows, columns}));
}

TEST_F(CountFlowTest, OtherNumbersStay) {
  shrink({.between = divide(63), .after = divide(65)});
  EXPECT_EQ(divisors, Divisors({63, 65}));
  EXPECT_TRUE(counts.empty());
}

/// The third has no sum of its own; the value is that of two.
TEST_F(CountFlowTest, WhatDividesNoSumIsNamed) {
  shrink({.between = divide(64, 64), .after = divide(64)});
  EXPECT_EQ(divisors, Divisors({columns, rows, 64}));
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_FALSE(counts[2].scaled);
}
