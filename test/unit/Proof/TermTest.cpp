//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which terms are one.
//
//===----------------------------------------------------------------------===//
#include "Assumptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg::proof;

namespace {

class TermTest : public ::testing::Test {
protected:
  TermTest() { context.loadDialect<arith::ArithDialect>(); }

  const Term *f32(double value) {
    return table.constant(b.getF32FloatAttr(float(value)), loc);
  }
  const Term *bits(uint32_t value) {
    return table.constant(
        b.getFloatAttr(
            b.getF32Type(),
            llvm::APFloat(llvm::APFloat::IEEEsingle(), llvm::APInt(32, value))),
        loc);
  }
  /// Something of which only the name is known.
  const Term *variable(const char *name) {
    return table.apply(b.getStringAttr(name), b.getDictionaryAttr({}),
                       b.getF32Type(), {}, loc);
  }
  const Term *apply(const char *name, const Term *x, const Term *y) {
    return table.apply(b.getStringAttr(name), b.getDictionaryAttr({}),
                       b.getF32Type(), {x, y}, loc);
  }
  const Term *number(const LinearForm &form, unsigned width = 32) {
    return table.integer(b.getIntegerType(width), form, loc);
  }
  const Term *compare(arith::CmpIPredicate predicate, const Term *x,
                      const Term *y) {
    return table.compare(int64_t(predicate), x, y, loc);
  }

  MLIRContext context;
  Builder b{&context};
  Location loc = UnknownLoc::get(&context);
  IndexDomain domain;
  Budget budget{1000000};
  TermTable table{domain, budget};
  LinearForm i = LinearForm::ofAtom(domain.addAtom({0, 99})),
             j = LinearForm::ofAtom(domain.addAtom({0, 9}));
};

TEST_F(TermTest, ConstantsAreBits) {
  EXPECT_EQ(f32(1), f32(1));
  EXPECT_NE(f32(0.0), f32(-0.0));
  EXPECT_EQ(bits(0x7fc00001), bits(0x7fc00001));
  EXPECT_NE(bits(0x7fc00000), bits(0x7fc00001));
  EXPECT_NE(f32(1), table.constant(b.getF64FloatAttr(1), loc));
}

TEST_F(TermTest, OnlyConstantsChangePlaces) {
  const Term *x = variable("x"), *y = variable("y");
  EXPECT_EQ(apply("arith.addf", f32(2), x), apply("arith.addf", x, f32(2)));
  EXPECT_NE(apply("arith.subf", f32(2), x), apply("arith.subf", x, f32(2)));
  EXPECT_NE(apply("arith.addf", x, y), apply("arith.addf", y, x));
  const Term *nan = bits(0x7fc00001);
  EXPECT_NE(apply("arith.addf", nan, x), apply("arith.addf", x, nan));
  EXPECT_NE(apply("arith.maxnumf", f32(0), x),
            apply("arith.maxnumf", x, f32(0)));
  EXPECT_EQ(apply("arith.maxnumf", f32(1), x),
            apply("arith.maxnumf", x, f32(1)));
}

TEST_F(TermTest, DigitsPutTogether) {
  LinearForm high = domain.floorDiv(i, 7), low = domain.mod(i, 7);
  EXPECT_EQ(number(*low.plus(high, 7)), number(i));
  EXPECT_NE(number(*low.plus(high, 8)), number(i));
}

TEST_F(TermTest, WhatMayWrapIsNoPosition) {
  auto addi = [&](const Term *x, const Term *y) {
    return table.apply(b.getStringAttr("arith.addi"), b.getDictionaryAttr({}),
                       x->type, {x, y}, loc);
  };
  EXPECT_TRUE(formOf(addi(number(i, 8), number(j, 8))));
  EXPECT_FALSE(
      formOf(addi(number(i, 8), table.constant(b.getI8IntegerAttr(100), loc))));
}

TEST_F(TermTest, ConditionsAreDecidedByRanges) {
  using P = arith::CmpIPredicate;
  Assumptions none(table, {});
  const Term *below = compare(P::slt, number(j), number(LinearForm(10)));
  EXPECT_TRUE(none.surely(below, true));
  EXPECT_FALSE(none.surely(below, false));
  const Term *open = compare(P::ult, number(i), number(LinearForm(10)));
  EXPECT_FALSE(none.surely(open, true));
  EXPECT_FALSE(none.surely(open, false));
  EXPECT_TRUE(none.surely(
      compare(P::ult, number(LinearForm(-1)), number(LinearForm(10))), false));
  EXPECT_TRUE(
      none.surely(compare(P::ne, number(i), number(LinearForm(100))), true));
  auto form = none.undecided(open);
  ASSERT_TRUE(form);
  none.assume(*form);
  EXPECT_TRUE(none.surely(open, true));
}

} // namespace
