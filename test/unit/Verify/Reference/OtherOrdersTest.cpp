//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions that overflow in one order and not in another.
//
//===----------------------------------------------------------------------===//
#include "Reference/OtherOrders.h"
#include "../KernelCheckTest.h"

using namespace mlir;
using namespace egg;

namespace {

constexpr double kInfinity = HUGE_VAL;

class OtherOrdersTest : public KernelCheckTest {
protected:
  /// A reduction of rows of 8 elements of f32 to %r, from %a and the result so
  /// far %b.
  Module reduction(StringRef body, StringRef init = "0.0") {
    return parse(llvm::formatv(R"(
      func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {{
        %init = arith.constant dense<{1}> : tensor<4xf32>
        %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
            affine_map<(i, j) -> (i)>],
            iterator_types = ["parallel", "reduction"]}
            ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {{
        ^bb0(%a: f32, %b: f32):
          {0}
          linalg.yield %r : f32
        } -> tensor<4xf32>
        return %0 : tensor<4xf32>
      })",
                               body, init)
                     .str());
  }

  /// What orders give for four rows.
  OrderOutcomes run(const Module &payload,
                    ArrayRef<std::array<double, 8>> rows) {
    HostTensor x = HostTensor::zeros({4, 8}, "f32");
    for (auto [i, row] : llvm::enumerate(rows))
      for (auto [j, value] : llvm::enumerate(row))
        x.setFloat(int64_t(i * 8 + j), value);
    return llvm::cantFail(runInOtherOrders(*payload, {x}, 0));
  }

  static bool allows(const OrderOutcomes &outcomes, int64_t i, double value) {
    Rounding rounding;
    rounding.add("f32");
    return outcomes.allow(i, value, 1, rounding);
  }
};

constexpr std::array<double, 8> kBothSigns = {3e38, 3e38,  -3e38, -3e38,
                                              3e38, -3e38, 3e38,  -3e38},
                                kOneSign = {3e38, 3e38, 3e38, 1, 2, 3, 4, 5},
                                kSmall = {1, 2, 3, 4, 5, 6, 7, 8};

TEST_F(OtherOrdersTest, SumsOverflowToEitherSign) {
  std::array<double, 8> none = kSmall;
  none[3] = std::nan("");
  OrderOutcomes outcomes = run(reduction("%r = arith.addf %a, %b : f32"),
                               {kBothSigns, kOneSign, kSmall, none});
  for (double value : {kInfinity, -kInfinity, std::nan("")})
    EXPECT_TRUE(allows(outcomes, 0, value)) << value;
  EXPECT_TRUE(allows(outcomes, 0, 0));
  // Another order has no part in these.
  EXPECT_TRUE(allows(outcomes, 1, kInfinity));
  EXPECT_FALSE(allows(outcomes, 1, -kInfinity));
  EXPECT_FALSE(allows(outcomes, 1, std::nan("")));
  EXPECT_FALSE(allows(outcomes, 1, 3e38));
  EXPECT_FALSE(allows(outcomes, 2, kInfinity));
  // Finite in every order, as the reference may not be.
  EXPECT_TRUE(allows(outcomes, 2, 36));
  EXPECT_FALSE(allows(outcomes, 2, 36.001));
  EXPECT_TRUE(allows(outcomes, 3, std::nan("")));
  EXPECT_FALSE(allows(outcomes, 3, kInfinity));
  EXPECT_FALSE(allows(outcomes, 3, 32));
}

TEST_F(OtherOrdersTest, ProductsAndDifferencesHaveNoOrderEither) {
  OrderOutcomes products =
      run(reduction("%r = arith.mulf %b, %a : f32", "1.0"),
          {{1e30, 1e30, 1e-30, 1e-30, 1e30, 1e30, 1e-30, 1e-30},
           kSmall,
           kSmall,
           kSmall});
  EXPECT_TRUE(allows(products, 0, kInfinity));
  EXPECT_FALSE(allows(products, 0, -kInfinity));
  OrderOutcomes differences = run(reduction("%r = arith.subf %b, %a : f32"),
                                  {kBothSigns, kSmall, kSmall, kSmall});
  EXPECT_TRUE(allows(differences, 0, std::nan("")));
}

/// x <= max ? max : x drops a NaN that comes first and keeps one that comes
/// last: who writes that means this order.
TEST_F(OtherOrdersTest, ComparisonsKeepTheirOrder) {
  std::array<double, 8> first = kSmall, last = kSmall;
  first[0] = last[7] = std::nan("");
  OrderOutcomes outcomes = run(reduction("%c = arith.cmpf ole, %a, %b : f32 "
                                         "%r = arith.select %c, %b, %a : f32"),
                               {first, last, kSmall, kSmall});
  EXPECT_FALSE(allows(outcomes, 0, std::nan("")));
  EXPECT_TRUE(allows(outcomes, 1, std::nan("")));
  EXPECT_FALSE(allows(outcomes, 1, 7));
}

/// Sums of quotients, by denormals among the special values.
class QuotientsTest : public OtherOrdersTest {
protected:
  Module payload() {
    return parse(R"(
      func.func @main(%x: tensor<32x6xf32>, %y: tensor<32x6xf32>)
          -> tensor<32xf32> {
        %init = arith.constant dense<0.0> : tensor<32xf32>
        %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
            affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
            iterator_types = ["parallel", "reduction"]}
            ins(%x, %y : tensor<32x6xf32>, tensor<32x6xf32>)
            outs(%init : tensor<32xf32>) {
        ^bb0(%a: f32, %b: f32, %s: f32):
          %q = arith.divf %a, %b : f32
          %r = arith.addf %q, %s : f32
          linalg.yield %r : f32
        } -> tensor<32xf32>
        return %0 : tensor<32xf32>
      })");
  }

  /// Adds the sums of the first and of the last three; `end` makes %r of %sum.
  std::optional<Rejection> judge(StringRef end) {
    std::string body = "%c6 = arith.constant 6 : index "
                       "%row = arith.muli %t, %c6 : index ";
    for (int j = 0; j < 6; ++j)
      body += llvm::formatv("%c{0}x = arith.constant {0} : index "
                            "%i{0} = arith.addi %row, %c{0}x : index "
                            "%a{0} = memref.load %x0[%i{0}] : memref<192xf32> "
                            "%b{0} = memref.load %x1[%i{0}] : memref<192xf32> "
                            "%q{0} = arith.divf %a{0}, %b{0} : f32 ",
                            j);
    body += "%l = arith.addf %q5, %q4 : f32 %m = arith.addf %l, %q3 : f32 "
            "%k = arith.addf %q2, %q1 : f32 %h = arith.addf %k, %q0 : f32 "
            "%sum = arith.addf %h, %m : f32 " +
            end.str() + " memref.store %r, %y[%t] : memref<32xf32>";
    VerifyOptions options;
    options.seeds = 4;
    NumericSummary summary;
    return check(payload(),
                 kernel({"32x6xf32", "32x6xf32"}, "32xf32", 32, body), summary,
                 options);
  }
};

TEST_F(QuotientsTest, AnotherOrderPasses) {
  std::optional<Rejection> rejection =
      judge("%one = arith.constant 1.0 : f32 %r = arith.mulf %sum, %one : f32");
  EXPECT_FALSE(rejection) << rejection->str();
}

TEST_F(QuotientsTest, WhatNoOrderGivesIsRefused) {
  for (const char *end :
       {// NaN for infinities.
        "%d = arith.subf %sum, %sum : f32 %r = arith.addf %sum, %d : f32",
        // The largest numbers for infinities, infinities for NaN.
        "%c = arith.constant 3.4e38 : f32 %r = arith.minimumf %sum, %c : f32",
        "%c = arith.constant 0xFF800000 : f32 "
        "%r = arith.maxnumf %sum, %c : f32"}) {
    std::optional<Rejection> rejection = judge(end);
    ASSERT_TRUE(rejection) << end;
    EXPECT_EQ(rejection->step, "numeric");
  }
}

} // namespace
