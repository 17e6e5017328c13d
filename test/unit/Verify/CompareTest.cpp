//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/Compare.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace egg;

namespace {

HostTensor make(std::vector<double> values, llvm::StringRef dtype) {
  HostTensor tensor = HostTensor::zeros({int64_t(values.size())}, dtype);
  for (size_t i = 0; i < values.size(); ++i)
    tensor.setFloat(i, values[i]);
  return tensor;
}

Rounding roundingOf(llvm::StringRef dtype) {
  Rounding rounding;
  rounding.add(dtype);
  return rounding;
}

Comparison compare(std::vector<double> reference, std::vector<double> native,
                   std::vector<double> got, int64_t reductionLength = 1) {
  OwnError own;
  return compareResult(
      make(reference, "f64"), make(native, "f32"), make(got, "f32"),
      HostTensor::zeros({int64_t(got.size())}, "f64"),
      std::sqrt(double(reductionLength)), roundingOf("f32"), own);
}

TEST(Compare, EqualMatches) {
  Comparison result = compare({1, 2, 3}, {1, 2, 3}, {1, 2, 3});
  EXPECT_TRUE(result.matches());
  EXPECT_EQ(result.maxError, 0);
  EXPECT_EQ(result.finite, 3);
}

TEST(Compare, TwiceThePayloadsOwnErrorIsAllowed) {
  // The payload is off by 1/8 somewhere, the result by 1/4 elsewhere.
  EXPECT_TRUE(compare({1, 2, 3}, {1.125, 2, 3}, {1, 2, 3.25}).matches());
  EXPECT_FALSE(compare({1, 2, 3}, {1.125, 2, 3}, {1, 2, 3.375}).matches());
}

TEST(Compare, RoundingOfLongReductionsIsAllowed) {
  double off = 3e-6; // about 50 units in the last place
  EXPECT_FALSE(compare({1}, {1}, {1 + off}, 1).matches());
  EXPECT_TRUE(compare({1}, {1}, {1 + off}, 10000).matches());
}

// Found by egg fuzz kernels, seed 15, case 1094: the unit of an f64 denormal
// was rounded to nothing.
TEST(Compare, DenormalsHaveAUnit) {
  for (llvm::StringRef dtype : {"f32", "f64"}) {
    double step = dtype == "f64" ? 0x1p-1074 : 0x1p-149;
    auto matches = [&](int64_t steps) {
      OwnError own;
      double value = 1000 * step;
      return compareResult(make({value}, "f64"), make({value}, dtype),
                           make({value + double(steps) * step}, dtype),
                           make({0}, "f64"), 1, roundingOf(dtype), own)
          .matches();
    };
    EXPECT_TRUE(matches(0)) << dtype.str();
    EXPECT_TRUE(matches(2)) << dtype.str();
    // The reference of an f64 result is no more precise.
    EXPECT_EQ(matches(10), dtype == "f64") << dtype.str();
    EXPECT_FALSE(matches(300)) << dtype.str();
  }
}

TEST(Compare, BadlyConditionedElementsMayMove) {
  auto matches = [](double sensitivity) {
    OwnError own;
    return compareResult(make({1e-3, 1}, "f64"), make({1e-3, 1}, "f32"),
                         make({1.001e-3, 1}, "f32"),
                         make({sensitivity, 0}, "f64"), 1, roundingOf("f32"),
                         own)
        .matches();
  };
  EXPECT_FALSE(matches(0));
  EXPECT_TRUE(matches(1e-6));
}

// Found by egg fuzz kernels, seed 11, case 640: the reference of an f64 result
// rounds like the payload, so that nothing tells the payload's own error.
TEST(Compare, DoublesMayRoundInAnotherOrder) {
  auto matches = [](double off) {
    OwnError own;
    return compareResult(make({1, 1e-3}, "f64"), make({1, 1e-3}, "f64"),
                         make({1, 1e-3 + off}, "f64"), make({0, 0}, "f64"), 16,
                         roundingOf("f64"), own)
        .matches();
  };
  EXPECT_TRUE(matches(1e-15));
  EXPECT_FALSE(matches(1e-12));
}

TEST(Compare, OneLargeElementDoesNotExcuseSmallOnes) {
  // The payload is off by 100 in 1e9; the small element is all wrong.
  EXPECT_FALSE(compare({1e9, 1}, {1e9 + 128, 1}, {1e9, 0}).matches());
  // Nor does one that is small and badly off excuse large ones.
  EXPECT_FALSE(compare({1, 1e-6}, {1, 2e-6}, {1.01, 1e-6}).matches());
}

TEST(Compare, TheWorstElementIsNamed) {
  Comparison result = compare({1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2.5, 9, 4.001});
  EXPECT_EQ(result.mismatches, 3);
  EXPECT_EQ(result.worst, 2);
  EXPECT_EQ(result.got, 9);
  EXPECT_EQ(result.expected, 3);
  EXPECT_EQ(result.maxError, 6);
}

TEST(Compare, ZerosDoNotPass) {
  EXPECT_FALSE(compare({1e-3, 2e-3}, {1e-3, 2e-3}, {0, 0}).matches());
}

TEST(Compare, NaNAndInfinity) {
  double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(compare({nan, inf}, {nan, inf}, {nan, inf}).matches());
  // Overflow of the payload's own precision.
  EXPECT_TRUE(compare({1e39}, {inf}, {inf}).matches());
  EXPECT_TRUE(compare({2}, {nan}, {nan}).matches());
  // A kernel that subtracts a maximum first need not overflow, too.
  EXPECT_TRUE(compare({2}, {nan}, {2}).matches());
  EXPECT_TRUE(compare({2}, {inf}, {2.0000002}).matches());
  EXPECT_FALSE(compare({2}, {nan}, {2.1}).matches());
  EXPECT_FALSE(compare({2}, {nan}, {inf}).matches());
  EXPECT_FALSE(compare({2}, {inf}, {nan}).matches());
  EXPECT_FALSE(compare({2}, {2}, {inf}).matches());
  EXPECT_FALSE(compare({1}, {1}, {nan}).matches());
  EXPECT_FALSE(compare({inf}, {inf}, {-inf}).matches());
  EXPECT_FALSE(compare({inf}, {inf}, {nan}).matches());
  // A zero that what cancels is divided by.
  EXPECT_TRUE(compare({inf}, {-inf}, {nan}).matches());
  EXPECT_FALSE(compare({inf}, {-inf}, {3}).matches());
  EXPECT_FALSE(compare({nan}, {nan}, {0}).matches());
}

/// An infinity is what numbers beyond the largest are rounded to.
TEST(Compare, InfinitiesAreRoundedTo) {
  double inf = std::numeric_limits<double>::infinity();
  constexpr double kLargest = 0x1.fffffep127;
  EXPECT_TRUE(compare({1e39}, {kLargest}, {inf}).matches());
  EXPECT_TRUE(compare({-1e39}, {std::nan("")}, {-inf}).matches());
  EXPECT_TRUE(compare({kLargest}, {kLargest}, {inf}).matches());
  EXPECT_FALSE(compare({1e39}, {std::nan("")}, {-inf}).matches());
  EXPECT_FALSE(compare({kLargest}, {kLargest}, {-inf}).matches());
  Comparison result = compare({3.4e38}, {3.4e38}, {inf});
  EXPECT_FALSE(result.matches());
  EXPECT_EQ(result.tolerance, 0);
}

TEST(Compare, OrdersThatOverflowToSeveralKindsDecideNothing) {
  double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  auto matches = [&](std::vector<double> seen, double reference, double got) {
    OrderOutcomes orders;
    for (double value : seen)
      orders.add(make({value}, "f32"));
    OwnError own;
    return compareResult(make({reference}, "f64"), make({seen[0]}, "f32"),
                         make({got}, "f32"), make({0}, "f64"), 1,
                         roundingOf("f32"), own, NaNs::Stay, &orders)
        .matches();
  };
  // Partial sums of both signs overflow.
  EXPECT_TRUE(matches({inf, -inf, 2}, 2, nan));
  EXPECT_TRUE(matches({nan, -inf}, -1, inf));
  // One order overflows, and another does not.
  EXPECT_TRUE(matches({2, inf}, 2, inf));
  EXPECT_FALSE(matches({2, inf}, 2, nan));
  EXPECT_FALSE(matches({2, inf}, 2, -inf));
  EXPECT_FALSE(matches({2, 2}, 2, inf));
  EXPECT_FALSE(matches({inf, inf}, 2, nan));
  // What does not overflow is held to the tolerance all the same.
  EXPECT_FALSE(matches({inf, -inf, 2, 3}, 2, 3));
  // Of f64 the reference is one of these orders.
  EXPECT_TRUE(matches({inf, 2}, inf, 2));
  EXPECT_FALSE(matches({inf, 2}, inf, 3));
  EXPECT_FALSE(matches({inf, inf}, inf, 2));
}

TEST(Compare, IntegersAreExact) {
  auto tensor = [](int64_t value) {
    HostTensor result = HostTensor::zeros({1}, "i64");
    result.setInteger(0, value);
    return result;
  };
  OwnError own;
  auto matches = [&](int64_t reference, int64_t native, int64_t got) {
    return compareResult(tensor(reference), tensor(native), tensor(got),
                         HostTensor::zeros({1}, "f64"), 1, Rounding(), own)
        .matches();
  };
  int64_t big = (int64_t(1) << 60) + 1;
  EXPECT_TRUE(matches(big, big, big));
  EXPECT_FALSE(matches(big, big, big - 1));
  // Where floats decide, either precision's decision is right.
  EXPECT_TRUE(matches(3, 4, 3));
  EXPECT_TRUE(matches(3, 4, 4));
  EXPECT_FALSE(matches(3, 4, 5));
}

TEST(CompareTest, PolicyAllowsTwiceThePayloadsOwnErrorOrFourUnits) {
  OwnError own;
  own.absolute = 3;
  EXPECT_EQ(getAllowedError(own, 1), 6);
  EXPECT_EQ(getAllowedError(own, 2), 8);
  own.absolute = 0;
  EXPECT_EQ(getAllowedError(own, 0), 0);
}

} // namespace
