//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels that differ from their payload on negative or large integers, or at
// the payload's own integer constants, are refused.
//
//===----------------------------------------------------------------------===//
#include "MapTest.h"
#include "egg/Verify/Inputs.h"
#include <set>

using namespace mlir;
using namespace egg;

namespace {

using IntegersTest = MapTest;

const MapCase kCases[] = {
    {"PromisedSum", "i32", "i32",
     "%c = arith.constant 1 : i32 %d = arith.constant 2 : i32 "
     "%s = arith.addi %a, %c overflow<nsw> : i32 %r = arith.divsi %s, %d : i32",
     "%c = arith.constant 1 : i32 %d = arith.constant -2 : i32 "
     "%z = arith.constant 0 : i32 %s = arith.addi %a, %c : i32 "
     "%q = arith.divsi %s, %d : i32 %r = arith.subi %z, %q : i32",
     "%c = arith.constant 1 : i32 %s = arith.addi %a, %c : i32 "
     "%r = arith.shrsi %s, %c : i32"},
    {"PromisedWidening", "i32", "i64",
     "%c = arith.constant 3 : i32 %s = arith.addi %a, %c overflow<nsw> : i32 "
     "%r = arith.extsi %s : i32 to i64",
     "%c = arith.constant 3 : i64 %w = arith.extsi %a : i32 to i64 "
     "%r = arith.addi %w, %c : i64",
     "%c = arith.constant 3 : i32 %s = arith.addi %a, %c : i32 "
     "%r = arith.extui %s : i32 to i64"},
    {"ShiftOfLongs", "i64", "i64",
     "%c = arith.constant 1 : i64 %r = arith.shli %c, %a : i64",
     "%c = arith.constant -1 : i64 %z = arith.constant 0 : i64 "
     "%s = arith.shli %c, %a : i64 %r = arith.subi %z, %s : i64",
     "%c = arith.constant 1 : i32 %n = arith.trunci %a : i64 to i32 "
     "%s = arith.shli %c, %n : i32 %r = arith.extui %s : i32 to i64"},
    {"Truncation", "i64", "i64",
     "%c = arith.constant 1 : i64 %r = arith.addi %a, %c : i64",
     "%c = arith.constant -1 : i64 %r = arith.subi %a, %c : i64",
     "%c = arith.constant 1 : i32 %n = arith.trunci %a : i64 to i32 "
     "%s = arith.addi %n, %c : i32 %r = arith.extsi %s : i32 to i64"},
    {"SignExtension", "i8", "i32", "%r = arith.extsi %a : i8 to i32",
     "%c = arith.constant 24 : i32 %w = arith.extui %a : i8 to i32 "
     "%s = arith.shli %w, %c : i32 %r = arith.shrsi %s, %c : i32",
     "%r = arith.extui %a : i8 to i32"},
    {"ZeroExtension", "i16", "i64", "%r = arith.extui %a : i16 to i64",
     "%c = arith.constant 65535 : i64 %w = arith.extsi %a : i16 to i64 "
     "%r = arith.andi %w, %c : i64",
     "%r = arith.extsi %a : i16 to i64"},
    {"ConversionByWayOfI32", "i64", "f32", "%r = arith.sitofp %a : i64 to f32",
     "%d = arith.sitofp %a : i64 to f64 %r = arith.truncf %d : f64 to f32",
     "%n = arith.trunci %a : i64 to i32 %r = arith.sitofp %n : i32 to f32"},
    {"UnsignedConversion", "i32", "f32", "%r = arith.uitofp %a : i32 to f32",
     "%w = arith.extui %a : i32 to i64 %r = arith.sitofp %w : i64 to f32",
     "%r = arith.sitofp %a : i32 to f32"},
    {"Sentinel", "i32", "i32",
     "%c = arith.constant 255 : i32 %z = arith.constant 0 : i32 "
     "%q = arith.cmpi eq, %a, %c : i32 %r = arith.select %q, %z, %a : i32",
     "%c = arith.constant 255 : i32 %z = arith.constant 0 : i32 "
     "%q = arith.cmpi ne, %a, %c : i32 %r = arith.select %q, %a, %z : i32",
     "%z = arith.constant 0 : i32 %r = arith.addi %a, %z : i32"},
    {"BoundOffByOne", "i64", "i32",
     "%c = arith.constant 1000 : i64 %v = arith.cmpi slt, %a, %c : i64 %r = "
     "arith.extui %v : i1 to i32",
     "%c = arith.constant 999 : i64 %v = arith.cmpi sle, %a, %c : i64 %r = "
     "arith.extui %v : i1 to i32",
     "%c = arith.constant 1000 : i64 %v = arith.cmpi sle, %a, %c : i64 %r = "
     "arith.extui %v : i1 to i32"},
    {"UnsignedComparison", "i32", "i32",
     "%c = arith.constant 7 : i32 %v = arith.cmpi ult, %a, %c : i32 %r = "
     "arith.extui %v : i1 to i32",
     "%c = arith.constant 7 : i32 %v = arith.cmpi ugt, %c, %a : i32 %r = "
     "arith.extui %v : i1 to i32",
     "%c = arith.constant 7 : i32 %v = arith.cmpi slt, %a, %c : i32 %r = "
     "arith.extui %v : i1 to i32"},
    {"DivisionOfNegatives", "i32", "i32",
     "%c = arith.constant 4 : i32 %r = arith.divsi %a, %c : i32",
     "%c = arith.constant 2 : i32 %h = arith.divsi %a, %c : i32 "
     "%r = arith.divsi %h, %c : i32",
     "%c = arith.constant 2 : i32 %r = arith.shrsi %a, %c : i32"},
    // The multiplier is off where a thousand's multiple is near, if it is
    // large.
    {"QuotientByMultiplier", "i32", "i32",
     "%c = arith.constant 1000 : i32 %r = arith.divui %a, %c : i32",
     "%m = arith.constant 274877907 : i64 %s = arith.constant 38 : i64 "
     "%w = arith.extui %a : i32 to i64 %p = arith.muli %w, %m : i64 "
     "%q = arith.shrui %p, %s : i64 %r = arith.trunci %q : i64 to i32",
     "%m = arith.constant 137438954 : i64 %s = arith.constant 37 : i64 "
     "%w = arith.extui %a : i32 to i64 %p = arith.muli %w, %m : i64 "
     "%q = arith.shrui %p, %s : i64 %r = arith.trunci %q : i64 to i32"},
    {"GuardedDivisor", "i32", "i32",
     "%c = arith.constant 100 : i32 %o = arith.constant 1 : i32 "
     "%z = arith.constant 0 : i32 %v = arith.cmpi eq, %a, %z : i32 "
     "%d = arith.select %v, %o, %a : i32 %r = arith.divsi %c, %d : i32",
     "%c = arith.constant 100 : i32 %o = arith.constant 1 : i32 "
     "%d = arith.maxui %a, %o : i32 %r = arith.divsi %c, %d : i32",
     "%c = arith.constant 100 : i32 %r = arith.divsi %c, %a : i32"},
    {"GuardedShift", "i32", "i32",
     "%c = arith.constant 31 : i32 %o = arith.constant 1 : i32 "
     "%m = arith.minui %a, %c : i32 %r = arith.shli %o, %m : i32",
     "%c = arith.constant 31 : i32 %o = arith.constant 1 : i32 "
     "%v = arith.cmpi ult, %a, %c : i32 "
     "%m = arith.select %v, %a, %c : i32 %r = arith.shli %o, %m : i32",
     "%o = arith.constant 1 : i32 %r = arith.shli %o, %a : i32"},
    {"GuardedComputedShift", "i32", "i32",
     "%f = arith.constant 63 : i32 %s = arith.andi %a, %f : i32 "
     "%c = arith.constant 31 : i32 %o = arith.constant 1 : i32 "
     "%m = arith.minui %s, %c : i32 %r = arith.shli %o, %m : i32",
     "%f = arith.constant 63 : i32 %s = arith.andi %a, %f : i32 "
     "%c = arith.constant 31 : i32 %o = arith.constant 1 : i32 "
     "%v = arith.cmpi ult, %s, %c : i32 "
     "%m = arith.select %v, %s, %c : i32 %r = arith.shli %o, %m : i32",
     "%f = arith.constant 63 : i32 %s = arith.andi %a, %f : i32 "
     "%o = arith.constant 1 : i32 %r = arith.shli %o, %s : i32"},
    {"RemainderOfNegatives", "i64", "i64",
     "%c = arith.constant 8 : i64 %r = arith.remsi %a, %c : i64",
     "%c = arith.constant 8 : i64 %q = arith.divsi %a, %c : i64 "
     "%p = arith.muli %q, %c : i64 %r = arith.subi %a, %p : i64",
     "%c = arith.constant 7 : i64 %r = arith.andi %a, %c : i64"},
    {"MaximumOfNegatives", "i8", "i8",
     "%c = arith.constant 3 : i8 %r = arith.maxsi %a, %c : i8",
     "%c = arith.constant 3 : i8 %q = arith.cmpi sgt, %a, %c : i8 "
     "%r = arith.select %q, %a, %c : i8",
     "%c = arith.constant 3 : i8 %r = arith.maxui %a, %c : i8"},
    {"ShiftOfNegatives", "i32", "i32",
     "%c = arith.constant 1 : i32 %r = arith.shrsi %a, %c : i32",
     "%c = arith.constant 2 : i32 %r = arith.floordivsi %a, %c : i32",
     "%c = arith.constant 1 : i32 %r = arith.shrui %a, %c : i32"},
    {"LeastInteger", "i32", "i32",
     "%c = arith.constant 0 : i32 %n = arith.subi %c, %a : i32 "
     "%v = arith.cmpi slt, %n, %c : i32 %r = arith.extui %v : i1 to i32",
     "%z = arith.constant 0 : i32 %l = arith.constant -2147483648 : i32 "
     "%p = arith.cmpi sgt, %a, %z : i32 %m = arith.cmpi eq, %a, %l : i32 "
     "%v = arith.ori %p, %m : i1 %r = arith.extui %v : i1 to i32",
     "%c = arith.constant 0 : i32 %v = arith.cmpi sgt, %a, %c : i32 %r = "
     "arith.extui %v : i1 to i32"},
};

TEST_P(IntegersTest, TheRightKernelPasses) { expectRightToPass(); }
TEST_P(IntegersTest, TheWrongKernelIsRefused) { expectWrongToBeRefused(); }

INSTANTIATE_TEST_SUITE_P(All, IntegersTest, ::testing::ValuesIn(kCases),
                         [](const auto &info) { return info.param.name; });

class IntegerRangesTest : public KernelCheckTest {
protected:
  /// The values of argument 1 of a map of two arguments of 96 elements to %r.
  std::set<int64_t> draw(StringRef body, Distribution distribution,
                         StringRef type = "i32") {
    Module payload = parse(llvm::formatv(R"(
      func.func @main(%x: tensor<96x{0}>, %y: tensor<96x{0}>,
                      %table: tensor<4xf32>) -> tensor<96x{0}> {{
        %e = tensor.empty() : tensor<96x{0}>
        %0 = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>,
            affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
            iterator_types = ["parallel"]}
            ins(%x, %y : tensor<96x{0}>, tensor<96x{0}>)
            outs(%e : tensor<96x{0}>) {{
        ^bb0(%a: {0}, %b: {0}, %out: {0}):
          {1}
          linalg.yield %r : {0}
        } -> tensor<96x{0}>
        return %0 : tensor<96x{0}>
      })",
                                         type, body)
                               .str());
    std::set<int64_t> values;
    for (uint64_t seed = 0; seed < 8; ++seed) {
      HostTensor tensor =
          llvm::cantFail(makeInputs(*payload, distribution, seed))[1];
      for (int64_t i = 0; i < 96; ++i)
        values.insert(tensor.getInteger(i));
    }
    return values;
  }
};

constexpr const char *kSum = "%r = arith.addi %a, %b : i32";

TEST_F(IntegerRangesTest, SomeDistributionsAreSmall) {
  EXPECT_EQ(draw(kSum, Distribution::Uniform),
            (std::set<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(draw(kSum, Distribution::Ties),
            (std::set<int64_t>{-2, -1, 0, 1, 2}));
  for (int64_t value : draw(kSum, Distribution::Constant))
    EXPECT_LE(std::abs(value), 9);
}

TEST_F(IntegerRangesTest, TheOthersHaveEveryMagnitude) {
  for (Distribution distribution :
       {Distribution::Normal, Distribution::Wide, Distribution::Special}) {
    std::set<int64_t> values =
        draw("%c = arith.constant 123456 : i32 %r = arith.minsi %b, %c : i32",
             distribution);
    for (int64_t value :
         {int64_t(INT32_MIN), int64_t(INT32_MAX), int64_t(0), int64_t(-1),
          int64_t(123455), int64_t(123456), int64_t(123457)})
      EXPECT_TRUE(values.count(value)) << value;
  }
}

/// Beyond these ranges the payload has no meaning.
/// Each value of a long chain is used twice by the next.
TEST_F(IntegerRangesTest, LongChainsAreFollowedOnce) {
  std::string body = "%v0 = arith.addi %b, %b : i32 ";
  for (int i = 1; i < 64; ++i)
    body += llvm::formatv("%v{0} = arith.addi %v{1}, %v{1} : i32 ", i, i - 1);
  body += "%mask = arith.constant 3 : i32 %m = arith.andi %v63, %mask : i32 "
          "%i = arith.index_cast %m : i32 to index "
          "%v = tensor.extract %table[%i] : tensor<4xf32> "
          "%r = arith.fptosi %v : f32 to i32";
  EXPECT_FALSE(draw(body, Distribution::Uniform, "i32").empty());
}

TEST_F(IntegerRangesTest, WhatIndexesOrShiftsStaysInRange) {
  for (Distribution distribution : kDistributions) {
    auto most = [&](StringRef body, StringRef type = "i32") {
      std::set<int64_t> values = draw(body, distribution, type);
      EXPECT_GE(*values.begin(), 0) << body.str();
      return *values.rbegin();
    };
    // Below 10, and values beyond it that are allowed.
    EXPECT_EQ(most("%r = arith.shli %a, %b : i32"), 31);
    EXPECT_EQ(most("%r = arith.shrsi %a, %b : i8", "i8"), 7);
    EXPECT_EQ(most("%r = arith.addi %a, %b overflow<nsw> : i32"), 9);
    EXPECT_EQ(most("%i = arith.index_cast %b : i32 to index "
                   "%v = tensor.extract %table[%i] : tensor<4xf32> "
                   "%r = arith.fptosi %v : f32 to i32"),
              3);
    // Through a float.
    EXPECT_EQ(most("%f = arith.sitofp %b : i32 to f32 "
                   "%h = arith.constant 0.25 : f32 "
                   "%q = arith.mulf %f, %h : f32 "
                   "%n = arith.fptosi %q : f32 to i32 "
                   "%i = arith.index_cast %n : i32 to index "
                   "%v = tensor.extract %table[%i] : tensor<4xf32> "
                   "%r = arith.fptosi %v : f32 to i32"),
              9);
    EXPECT_EQ(most("%r = arith.ori %a, %b : i1", "i1"), 1);
  }
}

} // namespace
