//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Host/HalfConversions.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace egg;

namespace {

/// Every pattern widens to what APFloat says and narrows back to itself.
void checkAllPatterns(const llvm::fltSemantics &semantics,
                      double (*widen)(uint16_t), uint16_t (*narrow)(double)) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    llvm::APFloat value(semantics, llvm::APInt(16, bits));
    bool losesInfo;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    if (value.isNaN()) {
      EXPECT_TRUE(std::isnan(widen(bits)));
      EXPECT_TRUE(std::isnan(widen(narrow(widen(bits)))));
      continue;
    }
    ASSERT_EQ(widen(bits), value.convertToDouble()) << bits;
    ASSERT_EQ(narrow(widen(bits)), bits) << bits;
  }
}

void checkRounding(const llvm::fltSemantics &semantics,
                   uint16_t (*narrow)(double)) {
  // A simple generator is enough: the values only have to be many and varied.
  uint64_t state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    double value =
        std::ldexp(double(int64_t(state) >> 11), int(state % 80) - 40 - 53);
    llvm::APFloat expected(value);
    bool losesInfo;
    expected.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    ASSERT_EQ(narrow(value), uint16_t(expected.bitcastToAPInt().getZExtValue()))
        << value;
  }
}

TEST(HalfConversions, HalfAgreesWithAPFloat) {
  checkAllPatterns(llvm::APFloat::IEEEhalf(), halfToDouble, doubleToHalf);
  checkRounding(llvm::APFloat::IEEEhalf(), doubleToHalf);
}

TEST(HalfConversions, BFloatAgreesWithAPFloat) {
  checkAllPatterns(llvm::APFloat::BFloat(), bfloatToDouble, doubleToBFloat);
  checkRounding(llvm::APFloat::BFloat(), doubleToBFloat);
}

TEST(HalfConversions, OverflowAndTies) {
  EXPECT_EQ(doubleToHalf(65504), 0x7BFF);
  EXPECT_EQ(doubleToHalf(65520), 0x7C00);
  EXPECT_EQ(doubleToHalf(-1e10), 0xFC00);
  EXPECT_EQ(doubleToHalf(2049), 0x6800);          // ties to the even 2048
  EXPECT_EQ(doubleToHalf(std::ldexp(1, -25)), 0); // half the least subnormal
  EXPECT_EQ(doubleToHalf(std::ldexp(1.1, -25)), 1);
}

} // namespace
