//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The inputs of the numeric check have what their distribution promises.
//
//===----------------------------------------------------------------------===//
#include "egg/Verify/Inputs.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace egg;

namespace {

class InputsTest : public ::testing::TestWithParam<Distribution> {
protected:
  InputsTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    payload = parseSourceString<ModuleOp>(
        "func.func @main(%x: tensor<40x50xf32> {egg.kind = \"input\", "
        "egg.name = \"x\"}) -> (tensor<40x50xf32> {egg.kind = \"output\", "
        "egg.name = \"y\"}) {\n  return %x : tensor<40x50xf32>\n}",
        &context);
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  HostTensor draw(Distribution distribution, uint64_t seed = 0) {
    return llvm::cantFail(makeInputs(*payload, distribution, seed)).front();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> payload;
};

TEST_P(InputsTest, HaveANameThatLeadsBack) {
  EXPECT_EQ(symbolizeDistribution(stringifyDistribution(GetParam())),
            GetParam());
}

TEST_P(InputsTest, DependOnTheSeedAlone) {
  EXPECT_EQ(draw(GetParam(), 3).bytes, draw(GetParam(), 3).bytes);
  EXPECT_NE(draw(GetParam(), 3).bytes, draw(GetParam(), 4).bytes);
}

INSTANTIATE_TEST_SUITE_P(All, InputsTest, ::testing::ValuesIn(kDistributions));

TEST_F(InputsTest, WideRowsHaveTheirExtremesAtTheEnds) {
  for (uint64_t seed : {0, 1}) {
    HostTensor tensor = draw(Distribution::Wide, seed);
    double span = 0;
    for (int64_t i = 0; i < 2000; ++i) {
      if (i % 50 == 0)
        continue;
      double step = tensor.getFloat(i) - tensor.getFloat(i - 1);
      EXPECT_GE(seed ? -step : step, 0);
      span += std::abs(step);
    }
    // Exponentials of differences within a row overflow in f32.
    EXPECT_GT(span / 40, 1000);
  }
}

TEST_F(InputsTest, LargeMeanIsFarFromZero) {
  HostTensor tensor = draw(Distribution::LargeMean);
  for (int64_t i = 0; i < 2000; ++i)
    EXPECT_NEAR(tensor.getFloat(i), 100, 6);
}

TEST_F(InputsTest, ConstantRowsDifferFromEachOther) {
  HostTensor tensor = draw(Distribution::Constant);
  for (int64_t i = 1; i < 2000; ++i)
    EXPECT_EQ(tensor.getFloat(i) == tensor.getFloat(i - 1), i % 50 != 0) << i;
}

TEST_F(InputsTest, TiesAreFewIntegers) {
  HostTensor tensor = draw(Distribution::Ties);
  std::set<double> values;
  for (int64_t i = 0; i < 2000; ++i)
    values.insert(tensor.getFloat(i));
  EXPECT_EQ(values, (std::set<double>{-2, -1, 0, 1, 2}));
}

TEST_F(InputsTest, SpecialHoldsEveryKind) {
  HostTensor tensor = draw(Distribution::Special);
  int64_t nans = 0, infinities = 0, negativeZeros = 0, denormals = 0;
  for (int64_t i = 0; i < 2000; ++i) {
    double value = tensor.getFloat(i);
    nans += std::isnan(value);
    infinities += std::isinf(value) && value < 0;
    negativeZeros += value == 0 && std::signbit(value);
    denormals += value != 0 && std::abs(value) < 0x1p-126;
  }
  for (int64_t count : {nans, infinities, negativeZeros, denormals}) {
    EXPECT_GT(count, 0);
    EXPECT_LT(count, 50);
  }
}

} // namespace
