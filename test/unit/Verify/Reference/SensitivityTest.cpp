//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tolerance knows how far elements move, and to what they are rounded.
//
//===----------------------------------------------------------------------===//
#include "Reference/Sensitivity.h"
#include "Reference/PerturbRounding.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Verify/Compare.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

namespace {

class SensitivityTest : public ::testing::Test {
protected:
  SensitivityTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<EggDialect>();
    return registry;
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  /// A payload on two tensors of 4096 elements of f32, the body of which
  /// computes %r from %x and %y.
  OwningOpRef<ModuleOp> elementwise(const std::string &body) {
    return parse("#id = affine_map<(i) -> (i)>\n"
                 "func.func @main(%a: tensor<4096xf32>, %b: tensor<4096xf32>) "
                 "-> tensor<4096xf32> { %0 = linalg.generic {indexing_maps = "
                 "[#id, #id, #id], iterator_types = [\"parallel\"]} ins(%a, %b "
                 ": tensor<4096xf32>, tensor<4096xf32>) outs(%a : "
                 "tensor<4096xf32>) { ^bb0(%x: f32, %y: f32, %o: f32): " +
                 body +
                 " linalg.yield %r : f32 } -> tensor<4096xf32> return %0 : "
                 "tensor<4096xf32> }");
  }

  /// What the two measurements say of the elements for constant inputs.
  std::pair<HostTensor, HostTensor> measure(const std::string &body, double a,
                                            double b, double amount) {
    OwningOpRef<ModuleOp> payload = elementwise(body);
    auto reference =
        llvm::cantFail(PayloadProgram::compile(*payload, Precision::Double));
    std::vector<HostTensor> inputs(2, HostTensor::zeros({4096}, "f32"));
    for (int64_t i = 0; i < 4096; ++i) {
      inputs[0].setFloat(i, a);
      inputs[1].setFloat(i, b);
    }
    auto expected = llvm::cantFail(reference->run(inputs));
    HostTensor quick =
        llvm::cantFail(findSensitivities(*reference, inputs, expected))[0];
    HostTensor careful = quick;
    llvm::cantFail(
        refineSensitivity(*reference, inputs, expected, 0, amount, careful));
    return {quick, careful};
  }

  MLIRContext context;
};

double least(const HostTensor &tensor) {
  double result = tensor.getFloat(0);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    result = std::min(result, tensor.getFloat(i));
  return result;
}

double largest(const HostTensor &tensor) {
  double result = 0;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    result = std::max(result, tensor.getFloat(i));
  return result;
}

} // namespace

// Found by egg fuzz kernels, seed 12, cases 204, 508, 2328, 3464 and 4881: in
// four directions out of sixteen differences of products, squares or logarithms
// do not move, and one element of thousands did so in all four draws.
TEST_F(SensitivityTest, ElementsThatCancelAreSeenToMove) {
  // (x y)(x y) - x y for x y = 1 moves by its products' errors: 2 - 1 = 1 times
  // the sum of those of x and y, which cancel in half of the directions.
  auto [quick, careful] =
      measure("%p = arith.mulf %x, %y : f32 %q = arith.mulf %p, %p : f32 %r = "
              "arith.subf %q, %p : f32",
              2, 0.5, 1e-6);
  EXPECT_LT(least(quick), 0.1 * kPerturbation);
  EXPECT_GT(least(careful), 1.9 * kPerturbation);
  // No more than in the worst direction.
  EXPECT_LT(largest(careful), 2.1 * kPerturbation);
}

// Found by egg fuzz kernels, seed 12, case 4082: a bf16 sum just below the
// bound of a maximum, which the kernel had just above it.
TEST_F(SensitivityTest, BoundsThatErrorsReachAreSeen) {
  const std::string body =
      "%p = arith.addf %x, %y : f32 %c = arith.constant -1.0 : f32 %r = "
      "arith.maximumf %p, %c : f32";
  // Within the step from the bound.
  auto [quick, careful] = measure(body, -0.5, -0.500001, 4e-6);
  EXPECT_EQ(largest(quick), 0);
  EXPECT_GT(least(careful), 0.5 * kPerturbation);
  // Beyond it.
  auto [far, farCareful] = measure(body, -0.5, -0.50001, 4e-6);
  EXPECT_EQ(largest(far), 0);
  EXPECT_EQ(largest(farCareful), 0);
}

TEST_F(SensitivityTest, StepsAreLimited) {
  auto [quick, careful] = measure("%r = arith.addf %x, %y : f32", 1, 1, 8);
  EXPECT_NEAR(largest(careful), 2 * kPerturbation, 1e-12);
}

TEST_F(SensitivityTest, WhatIsNoNumberSaysNothing) {
  auto [quick, careful] = measure("%r = math.log %x : f32", 0, 1, 1e-6);
  EXPECT_EQ(largest(quick), 0);
  EXPECT_EQ(largest(careful), 0);
}

// Found by egg fuzz kernels, seed 14, case 1023: a sum of values that their
// mean was taken from, which is zero whatever the inputs are.
TEST_F(SensitivityTest, RoundingOfValuesInBetweenIsSeen) {
  // x / y y - x is zero for all x and y, and rounding leaves up to a unit.
  OwningOpRef<ModuleOp> payload = elementwise(
      "%q = arith.divf %x, %y : f32 %p = arith.mulf %q, %y : f32 %r = "
      "arith.subf %p, %x : f32");
  std::vector<HostTensor> inputs(2, HostTensor::zeros({4096}, "f32"));
  for (int64_t i = 0; i < 4096; ++i) {
    inputs[0].setFloat(i, 2);
    inputs[1].setFloat(i, 3);
  }
  auto reference =
      llvm::cantFail(PayloadProgram::compile(*payload, Precision::Double));
  auto expected = llvm::cantFail(reference->run(inputs));
  HostTensor sensitivity = HostTensor::zeros({4096}, "f64");
  llvm::cantFail(
      refineSensitivity(*reference, inputs, expected, 0, 1e-6, sensitivity));
  EXPECT_LT(largest(sensitivity), 1e-9 * kPerturbation);
  // Each of the quotient and the product moves by 1e-6 of 2, and the tolerance
  // is asked for as one of 1e-5.
  llvm::cantFail(refineByRounding(*payload, ExactOn::Nothing, inputs, expected,
                                  0, 1e-6, 0, 1e-5, Perturbed::All,
                                  sensitivity));
  EXPECT_NEAR(least(sensitivity), 0.4 * kPerturbation, 1e-5 * kPerturbation);
  EXPECT_NEAR(largest(sensitivity), 0.4 * kPerturbation, 1e-5 * kPerturbation);
}

// Found by egg fuzz kernels, seed 15, case 2312: a product of a denormal, which
// a quotient brings back to ordinary size with its error.
TEST_F(SensitivityTest, DenormalsAreRoundedAsTheLeastNormalNumber) {
  OwningOpRef<ModuleOp> payload =
      elementwise("%p = arith.mulf %x, %y : f32 %r = arith.divf %p, %x : f32");
  std::vector<HostTensor> inputs(2, HostTensor::zeros({4096}, "f32"));
  for (int64_t i = 0; i < 4096; ++i) {
    inputs[0].setFloat(i, 0x1p-136);
    inputs[1].setFloat(i, 0.5);
  }
  auto reference =
      llvm::cantFail(PayloadProgram::compile(*payload, Precision::Double));
  auto expected = llvm::cantFail(reference->run(inputs));
  auto measure = [&](double leastNormal) {
    HostTensor sensitivity = HostTensor::zeros({4096}, "f64");
    llvm::cantFail(refineByRounding(*payload, ExactOn::Nothing, inputs,
                                    expected, 0, 1e-6, leastNormal, 1e-6,
                                    Perturbed::All, sensitivity));
    return largest(sensitivity);
  };
  // The product is 2^-137, of which 2^-126 is 2048 times as much.
  EXPECT_LT(measure(0), 2 * kPerturbation);
  EXPECT_GT(measure(0x1p-126), 500 * kPerturbation);
}

// Found by egg fuzz kernels, seed 15, case 1077: a sum less its mean over one
// element, zero in the payload, of which two kernels computed the sum in orders
// of their own.
TEST_F(SensitivityTest, SumsThatAreUsedTwiceRoundTwice) {
  const std::string sum =
      "%s = linalg.reduce { arith.addf } ins(%a : tensor<64xf32>) outs(%b : "
      "tensor<f32>) dimensions = [0] ";
  const std::string twice =
      "%r = linalg.sub ins(%s, %s : tensor<f32>, tensor<f32>) outs(%b : "
      "tensor<f32>) -> tensor<f32> return %r : tensor<f32> }";
  const std::string begin = "func.func @main(%a: tensor<64xf32>, %b: "
                            "tensor<f32>) -> tensor<f32> { ";
  auto measure = [&](const std::string &text) {
    OwningOpRef<ModuleOp> payload = parse(text);
    std::vector<HostTensor> inputs = {HostTensor::zeros({64}, "f32"),
                                      HostTensor::zeros({}, "f32")};
    for (int64_t i = 0; i < 64; ++i)
      inputs[0].setFloat(i, 1);
    auto reference =
        llvm::cantFail(PayloadProgram::compile(*payload, Precision::Double));
    auto expected = llvm::cantFail(reference->run(inputs));
    EXPECT_EQ(expected[0].getFloat(0), 0);
    HostTensor sensitivity = HostTensor::zeros({}, "f64");
    llvm::cantFail(refineByRounding(*payload, ExactOn::Nothing, inputs,
                                    expected, 0, 1e-6, 0, 1e-6, Perturbed::All,
                                    sensitivity));
    return sensitivity.getFloat(0) / kPerturbation;
  };
  // 64 sums of up to 64 each, a random walk twice.
  EXPECT_GT(measure(begin + sum + twice), 64);
  // One that nothing sums is what it is.
  EXPECT_EQ(measure(begin +
                    "%s = linalg.copy ins(%b : tensor<f32>) outs(%b : "
                    "tensor<f32>) -> tensor<f32> " +
                    twice),
            0);
}

TEST_F(SensitivityTest, NothingIsPerturbedOutsideAScope) {
  OwningOpRef<ModuleOp> payload =
      elementwise("%q = arith.divf %x, %y : f32 %r = math.exp %q : f32");
  std::vector<HostTensor> inputs(2, HostTensor::zeros({4096}, "f32"));
  for (int64_t i = 0; i < 4096; ++i) {
    inputs[0].setFloat(i, i);
    inputs[1].setFloat(i, 4096);
  }
  auto plain =
      llvm::cantFail(PayloadProgram::compile(*payload, Precision::Double));
  auto perturbed =
      llvm::cantFail(PayloadProgram::compile(*payload, Precision::Perturbed));
  auto run = [&](PayloadProgram &program) {
    return llvm::cantFail(program.run(inputs))[0].bytes;
  };
  EXPECT_EQ(run(*plain), run(*perturbed));
  std::vector<decltype(run(*plain))> drawn;
  for (uint64_t seed : {1, 1, 2}) {
    PerturbationScope scope(1e-6, seed);
    drawn.push_back(run(*perturbed));
  }
  EXPECT_NE(drawn[0], run(*plain));
  // The seed says all.
  EXPECT_EQ(drawn[0], drawn[1]);
  EXPECT_NE(drawn[0], drawn[2]);
}

TEST_F(SensitivityTest, IndicesFromFloatsAreNotPerturbed) {
  const char *text =
      "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> "
      "{ %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, "
      "affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} ins(%a : "
      "tensor<4xf32>) outs(%b : tensor<4xf32>) { ^bb0(%x: f32, %o: f32): %h = "
      "arith.mulf %x, %x : f32 %n = arith.fptosi %h : f32 to i64 %i = "
      "arith.index_cast %n : i64 to index %r = tensor.extract %b[%i] : "
      "tensor<4xf32> linalg.yield %r : f32 } -> tensor<4xf32> return %0 : "
      "tensor<4xf32> }";
  OwningOpRef<ModuleOp> payload = parse(text);
  ASSERT_TRUE(bool(payload));
  EXPECT_TRUE(mayIndexByFloats(*payload));
  auto program = PayloadProgram::compile(*payload, Precision::Perturbed);
  ASSERT_FALSE(bool(program));
  EXPECT_EQ(llvm::toString(program.takeError()),
            "the payload computes indices from floats, which must not be "
            "perturbed");
  HostTensor sensitivity = HostTensor::zeros({4}, "f64");
  llvm::cantFail(refineByRounding(*payload, ExactOn::Nothing, {}, {}, 0, 1e-6,
                                  0, 1e-6, Perturbed::All, sensitivity));
  EXPECT_EQ(largest(sensitivity), 0);
}

// Found by egg fuzz kernels, seed 12, case 2057: an f64 difference of sums in
// f32 was held to the roundoff of f64.
TEST_F(SensitivityTest, RoundingIsTheCoarsestOnTheWay) {
  auto unitOf = [&](const std::string &from, const std::string &body,
                    const std::string &to) {
    OwningOpRef<ModuleOp> payload = parse(
        "#id = affine_map<(i) -> (i)>\n"
        "func.func @main(%a: tensor<4x" +
        from + ">, %b: tensor<4x" + to + ">) -> (tensor<4x" + to +
        ">, tensor<4x" + to +
        ">) { %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types "
        "= [\"parallel\"]} ins(%a : tensor<4x" +
        from +
        ">) outs(%b : "
        "tensor<4x" +
        to + ">) { ^bb0(%x: " + from + ", %o: " + to + "): " + body +
        " linalg.yield %r : " + to + " } -> tensor<4x" + to +
        "> return %0, %b : tensor<4x" + to + ">, tensor<4x" + to + "> }");
    EXPECT_TRUE(bool(payload)) << body;
    SmallVector<Rounding> roundings = getRoundings(*payload);
    EXPECT_EQ(roundings.size(), 2u);
    // What is not on the way does not count.
    if (to != "i32") {
      EXPECT_EQ(roundings[1].unit, to == "f64" ? 0x1p-53 : 0x1p-24);
    }
    return roundings[0].unit;
  };
  EXPECT_EQ(unitOf("f32",
                   "%p = arith.addf %x, %x : f32 %r = arith.extf %p : "
                   "f32 to f64",
                   "f64"),
            0x1p-24);
  // Inputs are what they are, and so is what is only chosen.
  EXPECT_EQ(unitOf("f32", "%r = arith.extf %x : f32 to f64", "f64"), 0x1p-53);
  EXPECT_EQ(unitOf("bf16",
                   "%p = arith.maximumf %x, %x : bf16 %r = arith.extf "
                   "%p : bf16 to f32",
                   "f32"),
            0x1p-24);
  EXPECT_EQ(unitOf("f32",
                   "%p = arith.truncf %x : f32 to bf16 %r = arith.extf "
                   "%p : bf16 to f32",
                   "f32"),
            0x1p-8);
  EXPECT_EQ(unitOf("i64",
                   "%p = arith.sitofp %x : i64 to f16 %r = arith.extf "
                   "%p : f16 to f32",
                   "f32"),
            0x1p-11);
  EXPECT_EQ(unitOf("f32", "%r = arith.fptosi %x : f32 to i32", "i32"), 0);
}

TEST_F(SensitivityTest, LeastNormalNumbersAreThoseOnTheWay) {
  Rounding rounding;
  rounding.add("bf16");
  EXPECT_EQ(rounding.leastNormal, 0x1p-126);
  rounding.add("f16");
  EXPECT_EQ(rounding.unit, 0x1p-8);
  EXPECT_EQ(rounding.leastNormal, 0x1p-14);
}
