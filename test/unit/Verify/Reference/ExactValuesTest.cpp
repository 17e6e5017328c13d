//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is computed without rounding, on all inputs and on small integers.
//
//===----------------------------------------------------------------------===//
#include "Reference/ExactValues.h"
#include "../VerifyTest.h"
#include "egg/Verify/Compare.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;

namespace {

class ExactValuesTest : public VerifyTest {
protected:
  /// "any" and "ties", where result 0 is exact on all inputs, on Ties.
  std::string judge(const std::string &text) {
    OwningOpRef<ModuleOp> payload = parse(text);
    EXPECT_TRUE(bool(payload)) << text;
    Value result = payload->lookupSymbol<func::FuncOp>("main")
                       .front()
                       .getTerminator()
                       ->getOperand(0);
    EXPECT_FALSE(ExactValues(*payload, ExactOn::Nothing).contains(result));
    bool any = ExactValues(*payload, ExactOn::AnyInputs).contains(result);
    bool ties = ExactValues(*payload, ExactOn::SmallIntegers).contains(result);
    // A comparison knows the same.
    EXPECT_EQ(getRoundings(*payload, ExactOn::AnyInputs)[0].isExact(), any);
    return any ? ties ? "any ties" : "any" : ties ? "ties" : "";
  }

  /// A map of %a to %r; argument and result have their element types.
  std::string judgeMap(StringRef from, StringRef to, StringRef body,
                       StringRef kind = "input") {
    return judge(
        getMap(8, from, to, body, ("{egg.kind = \"" + kind + "\"}").str()));
  }

  /// A reduction of `length` elements %a to %r with the partial result %b.
  std::string judgeReduction(StringRef type, int64_t length, StringRef init,
                             StringRef body) {
    return judge(llvm::formatv(R"(
      func.func @main(%x: tensor<2x{1}x{0}>) -> tensor<2x{0}> {{
        %init = arith.constant {2} : {0}
        %e = tensor.empty() : tensor<2x{0}>
        %f = linalg.fill ins(%init : {0}) outs(%e : tensor<2x{0}>)
            -> tensor<2x{0}>
        %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
            affine_map<(i, j) -> (i)>], iterator_types = ["parallel",
            "reduction"]} ins(%x : tensor<2x{1}x{0}>)
            outs(%f : tensor<2x{0}>) {{
        ^bb0(%a: {0}, %b: {0}):
          {3}
          linalg.yield %r : {0}
        } -> tensor<2x{0}>
        return %0 : tensor<2x{0}>
      })",
                               type, length, init, body)
                     .str());
  }
};

TEST_F(ExactValuesTest, WhatChoosesDoesNotRound) {
  const std::string always = "any ties";
  EXPECT_EQ(judgeMap("f32", "f32",
                     "%c = arith.constant 0.3 : f32 "
                     "%q = arith.cmpf ogt, %a, %c : f32 "
                     "%n = arith.negf %a : f32 %m = math.absf %n : f32 "
                     "%s = arith.select %q, %m, %c : f32 "
                     "%r = arith.minimumf %s, %c : f32"),
            always);
  EXPECT_EQ(judgeMap("f32", "f64", "%r = arith.extf %a : f32 to f64"), always);
  EXPECT_EQ(judgeMap("f32", "f32", "%r = math.floor %a : f32"), always);
  EXPECT_EQ(judgeMap("f32", "i64", "%r = arith.fptosi %a : f32 to i64"),
            always);
  EXPECT_EQ(judgeMap("i64", "i64", "%r = arith.muli %a, %a : i64"), always);
  EXPECT_EQ(judgeReduction("f32", 9, "0xFF800000",
                           "%r = arith.maximumf %a, %b : f32"),
            always);
}

TEST_F(ExactValuesTest, ArithmeticIsExactOnSmallIntegers) {
  EXPECT_EQ(judgeMap("f32", "f32", "%r = arith.addf %a, %a : f32"), "ties");
  EXPECT_EQ(judgeMap("f32", "f32",
                     "%h = arith.constant 0.5 : f32 "
                     "%r = math.fma %a, %h, %a : f32"),
            "ties");
  EXPECT_EQ(judgeMap("f32", "f32",
                     "%h = arith.constant 0.3 : f32 "
                     "%p = arith.mulf %a, %h : f32 "
                     "%r = arith.mulf %p, %a : f32"),
            "");
  EXPECT_EQ(judgeMap("f32", "f32", "%r = arith.divf %a, %a : f32"), "");
  EXPECT_EQ(judgeMap("f32", "f32", "%r = math.exp %a : f32"), "");
  // Buffers hold no integers.
  EXPECT_EQ(judgeMap("f32", "f32", "%r = arith.addf %a, %a : f32", "buffer"),
            "");
}

/// A choice by a rounded value may be another one.
TEST_F(ExactValuesTest, WhatIsChosenByRoundedValuesIsNotExact) {
  EXPECT_EQ(judgeMap("f32", "f32",
                     "%e = math.exp %a : f32 %q = arith.cmpf ogt, %e, %a : f32 "
                     "%n = arith.negf %a : f32 "
                     "%r = arith.select %q, %n, %a : f32"),
            "");
}

TEST_F(ExactValuesTest, SumsAndProductsMustFit) {
  const char *sum = "%p = arith.mulf %a, %a : f16 %r = arith.addf %b, %p : f16";
  // Squares of up to 4 add up to 2048 at most.
  EXPECT_EQ(judgeReduction("f16", 512, "0.0", sum), "ties");
  EXPECT_EQ(judgeReduction("f16", 513, "0.0", sum), "");
  const char *product = "%r = arith.mulf %a, %b : f32";
  EXPECT_EQ(judgeReduction("f32", 24, "1.0", product), "ties");
  EXPECT_EQ(judgeReduction("f32", 200, "1.0", product), "");
}

TEST_F(ExactValuesTest, NarrowingIsExactOnWhatWasNarrow) {
  EXPECT_EQ(judgeMap("bf16", "bf16",
                     "%w = arith.extf %a : bf16 to f32 "
                     "%c = arith.constant 0.5 : f32 "
                     "%m = arith.maximumf %w, %c : f32 "
                     "%r = arith.truncf %m : f32 to bf16"),
            "any ties");
  EXPECT_EQ(judgeMap("bf16", "bf16",
                     "%w = arith.extf %a : bf16 to f32 "
                     "%c = arith.constant 0.3 : f32 "
                     "%m = arith.maximumf %w, %c : f32 "
                     "%r = arith.truncf %m : f32 to bf16"),
            "");
  EXPECT_EQ(judgeMap("f32", "bf16", "%r = arith.truncf %a : f32 to bf16"),
            "ties");
  EXPECT_EQ(judgeMap("bf16", "f16",
                     "%w = arith.extf %a : bf16 to f32 "
                     "%r = arith.truncf %w : f32 to f16"),
            "ties");
}

TEST_F(ExactValuesTest, IntegersMustFitInFloats) {
  EXPECT_EQ(judgeMap("i8", "f32", "%r = arith.sitofp %a : i8 to f32"),
            "any ties");
  EXPECT_EQ(judgeMap("i64", "f32", "%r = arith.sitofp %a : i64 to f32"),
            "ties");
  EXPECT_EQ(judgeMap("i64", "f32", "%r = arith.uitofp %a : i64 to f32"), "");
  EXPECT_EQ(judgeMap("i1", "f16", "%r = arith.uitofp %a : i1 to f16"),
            "any ties");
}

TEST_F(ExactValuesTest, TensorsMoveTheirElements) {
  EXPECT_EQ(judge(R"(
      func.func @main(%x: tensor<4x8xf32>, %at: tensor<3xi64>)
          -> tensor<3x9xf32> {
        %z = arith.constant 0.3 : f32
        %p = tensor.pad %x low[0, 1] high[0, 0] {
        ^bb0(%i: index, %j: index):
          tensor.yield %z : f32
        } : tensor<4x8xf32> to tensor<4x9xf32>
        %e = tensor.empty() : tensor<3x9xf32>
        %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>,
            affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel",
            "parallel"]} ins(%at : tensor<3xi64>) outs(%e : tensor<3x9xf32>) {
        ^bb0(%n: i64, %out: f32):
          %i = arith.index_cast %n : i64 to index
          %j = linalg.index 1 : index
          %v = tensor.extract %p[%i, %j] : tensor<4x9xf32>
          linalg.yield %v : f32
        } -> tensor<3x9xf32>
        return %0 : tensor<3x9xf32>
      })"),
            "any ties");
  auto scan = [&](StringRef kind) {
    return judge(llvm::formatv("func.func @main(%x: tensor<4xf32>) -> "
                               "tensor<4xf32> {{ %0 = egg.scan <{0}> %x dim = "
                               "0 : tensor<4xf32> return %0 : tensor<4xf32> }",
                               kind)
                     .str());
  };
  EXPECT_EQ(scan("max"), "any ties");
  EXPECT_EQ(scan("add"), "ties");
  EXPECT_EQ(scan("mul"), "");
}

} // namespace
