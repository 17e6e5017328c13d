//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels that differ from their payload at or beyond a constant that it
// compares with are refused.
//
//===----------------------------------------------------------------------===//
#include "Special/Thresholds.h"
#include "MapTest.h"
#include "Special/SpecialValues.h"
#include "egg/Import/InputRules.h"
#include "egg/Verify/Inputs.h"
#include <cmath>

using namespace mlir;
using namespace egg;

namespace {

using ThresholdsTest = MapTest;

const MapCase kCases[] = {
    {"ClampAbove", "f32", "f32",
     "%c = arith.constant 60.0 : f32 %r = arith.minimumf %a, %c : f32",
     "%c = arith.constant 60.0 : f32 %q = arith.cmpf ogt, %a, %c : f32 "
     "%r = arith.select %q, %c, %a : f32",
     "%c = arith.constant 0.0 : f32 %r = arith.addf %a, %c : f32"},
    {"ClampBelowInHalf", "f16", "f16",
     "%c = arith.constant -60.0 : f16 %r = arith.maximumf %a, %c : f16",
     "%c = arith.constant -60.0 : f16 %r = arith.maximumf %c, %a : f16",
     "%c = arith.constant -61.0 : f16 %r = arith.maximumf %a, %c : f16"},
    {"Mask", "f32", "f32",
     "%c = arith.constant -1.0e+30 : f32 %z = arith.constant 0.0 : f32 "
     "%q = arith.cmpf ole, %a, %c : f32 %r = arith.select %q, %z, %a : f32",
     "%c = arith.constant -1.0e+30 : f32 %z = arith.constant 0.0 : f32 "
     "%q = arith.cmpf ugt, %a, %c : f32 %r = arith.select %q, %a, %z : f32",
     "%c = arith.constant 0.0 : f32 %r = arith.addf %a, %c : f32"},
};

TEST_P(ThresholdsTest, TheRightKernelPasses) { expectRightToPass(); }
TEST_P(ThresholdsTest, TheWrongKernelIsRefused) { expectWrongToBeRefused(); }

INSTANTIATE_TEST_SUITE_P(All, ThresholdsTest, ::testing::ValuesIn(kCases),
                         [](const auto &info) { return info.param.name; });

TEST(ThresholdValues, AreNeighboursInTheType) {
  EXPECT_EQ(getThresholdValues({6.0}, "f32", true),
            (std::vector<double>{6, 6 + 0x1p-21, 6 - 0x1p-21, 13, -1}));
  EXPECT_EQ(getThresholdValues({6.0}, "bf16", true),
            (std::vector<double>{6, 6 + 0x1p-5, 6 - 0x1p-5, 13, -1}));
  // Only finite numbers of the type, and denormals where they may be.
  EXPECT_EQ(getThresholdValues({-1e30}, "f16", true), std::vector<double>());
  EXPECT_EQ(getThresholdValues({0.0}, "f32", true),
            (std::vector<double>{0, 0x1p-149, -0x1p-149, 1, -1}));
  for (StringRef dtype : {"f32", "f16"})
    EXPECT_EQ(getThresholdValues({0.0}, dtype, dtype == "f16"),
              (std::vector<double>{0, 1, -1}));
}

class ThresholdRulesTest : public KernelCheckTest {
protected:
  /// The largest of each row of 8 elements, and at least 2.
  Module payload(int64_t rows) {
    return parse(llvm::formatv(R"(
      func.func @main(%x: tensor<{0}x8xf32>) -> tensor<{0}xf32> {{
        %least = arith.constant 0xFF7FFFFF : f32
        %two = arith.constant dense<2.0> : tensor<{0}x8xf32>
        %e = tensor.empty() : tensor<{0}xf32>
        %f = linalg.fill ins(%least : f32) outs(%e : tensor<{0}xf32>)
            -> tensor<{0}xf32>
        %e2 = tensor.empty() : tensor<{0}x8xf32>
        %m = linalg.max ins(%x, %two : tensor<{0}x8xf32>, tensor<{0}x8xf32>)
            outs(%e2 : tensor<{0}x8xf32>) -> tensor<{0}x8xf32>
        %0 = linalg.reduce {{ arith.maximumf } ins(%m : tensor<{0}x8xf32>)
            outs(%f : tensor<{0}xf32>) dimensions = [1]
        return %0 : tensor<{0}xf32>
      })",
                               rows)
                     .str());
  }

  static bool holds(const HostTensor &tensor, double value) {
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      if (tensor.getFloat(i) == value)
        return true;
    return false;
  }
};

/// In tensors as in scalars, but not the ends of types.
TEST_F(ThresholdRulesTest, ConstantsAreFound) {
  EXPECT_EQ(readInputRules(*payload(4)).thresholds, SmallVector<double>{2.0});
}

TEST_F(ThresholdRulesTest, InputsHoldThem) {
  Module module = payload(20);
  const double values[] = {2, 2 + 0x1p-22, 2 - 0x1p-23, 5, -1};
  HostTensor drawn =
      llvm::cantFail(makeInputs(*module, Distribution::Special, 0))[0];
  auto placed = llvm::cantFail(makeInputs(*module, Distribution::Normal, 0));
  SpecialValues specials(*module);
  specials.place(placed, 0);
  for (double value : values) {
    EXPECT_TRUE(holds(drawn, value)) << value;
    EXPECT_TRUE(holds(placed[0], value)) << value;
  }
  EXPECT_NE(specials.str().find("compared constants with their neighbours"),
            std::string::npos);
}

/// Laws of algebra that a substitution uses fail on infinities and denormals.
TEST_F(ThresholdRulesTest, OtherAlgebraHasNeitherInfinitiesNorDenormals) {
  Module module = payload(200);
  int64_t infinities = 0, denormals = 0, nans = 0;
  for (bool otherAlgebra : {false, true}) {
    HostTensor tensor = llvm::cantFail(makeInputs(
        *module, Distribution::Special, 0, {!otherAlgebra, !otherAlgebra}))[0];
    int64_t infinite = 0, small = 0;
    for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
      double value = tensor.getFloat(i);
      infinite += std::isinf(value);
      small += value != 0 && std::abs(value) < 0x1p-126;
      nans += std::isnan(value);
    }
    if (otherAlgebra) {
      EXPECT_EQ(infinite + small, 0);
    } else {
      infinities = infinite;
      denormals = small;
    }
  }
  EXPECT_GT(infinities, 0);
  EXPECT_GT(denormals, 0);
  EXPECT_GT(nans, 0);
}

} // namespace
