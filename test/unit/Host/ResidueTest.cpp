//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Host/Residue.h"
#include "Exact/ExactRules.h"
#include "egg/Host/ExactFunctions.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace egg;

namespace {

constexpr uint32_t kP = Residue::kP, kQ = Residue::kQ;
const Residue kInf = Residue::plusInfinity(),
              kMinusInf = Residue::minusInfinity();

TEST(ResidueTest, TheModuliArePrimesOfTheRightForm) {
  for (uint32_t m : {kP, kQ})
    for (uint32_t d = 2; d * d <= m; ++d)
      EXPECT_NE(m % d, 0u);
  EXPECT_EQ(kP, 2 * kQ + 1);
}

TEST(ResidueTest, FieldLawsHold) {
  ExactFunctions random(5);
  for (uint64_t i = 0; i < 200; ++i) {
    Residue x = random.draw(0, i), y = random.draw(1, i), z = random.draw(2, i);
    EXPECT_EQ(Residue::add(Residue::add(x, y), z),
              Residue::add(x, Residue::add(z, y)));
    EXPECT_EQ(Residue::mul(x, Residue::add(y, z)),
              Residue::fma(x, y, Residue::mul(z, x)));
    EXPECT_EQ(Residue::sub(Residue::add(x, y), y), x);
    EXPECT_EQ(Residue::mul(Residue::div(x, y), y), x);
    EXPECT_EQ(Residue::power(x, 3), Residue::mul(x, Residue::mul(x, x)));
    EXPECT_EQ(Residue::mul(Residue::power(x, -2), Residue::mul(x, x)),
              Residue::fromInteger(1));
  }
}

TEST(ResidueTest, NumbersAreTheirExactValues) {
  EXPECT_EQ(Residue::fromRational(0.0).getBits(), 0u);
  EXPECT_EQ(Residue::fromRational(-0.0).getBits(), 0u);
  EXPECT_EQ(Residue::fromRational(3.0), Residue::fromInteger(3));
  EXPECT_EQ(Residue::fromRational(-0.75),
            Residue::div(Residue::fromInteger(-3), Residue::fromInteger(4)));
  EXPECT_EQ(Residue::fromRational(0x1p-149),
            Residue::power(Residue::fromInteger(2), -149));
  EXPECT_EQ(Residue::fromRational(0x1p1000),
            Residue::power(Residue::fromInteger(2), 1000));
  // f32 arithmetic would not see the difference of a sum.
  EXPECT_NE(Residue::fromConstant(1e-30), Residue());
  EXPECT_EQ(Residue::fromUnsigned(~0ull),
            Residue::sub(Residue::power(Residue::fromInteger(2), 64),
                         Residue::fromInteger(1)));
  EXPECT_EQ(Residue::fromInteger(std::numeric_limits<int64_t>::min()),
            Residue::neg(Residue::power(Residue::fromInteger(2), 63)));
}

TEST(ResidueTest, ConstantsAreThoseOfSinglePrecision) {
  EXPECT_EQ(Residue::fromConstant(0.1), Residue::fromRational(float(0.1)));
  EXPECT_NE(Residue::fromConstant(0.1), Residue::fromRational(0.1));
  Residue log2e = Residue::fromConstant(1.4426950408889634),
          ln2 = Residue::fromConstant(0.69314718055994531),
          log10e = Residue::fromConstant(0.43429448190325182);
  EXPECT_EQ(log2e, Residue::fromConstant(1.44269502f));
  EXPECT_EQ(Residue::mul(log2e, ln2), Residue::fromInteger(1));
  EXPECT_EQ(Residue::fromConstant(-0.69314718f), Residue::neg(ln2));
  EXPECT_EQ(Residue::mul(log10e, Residue::fromConstant(2.302585093)),
            Residue::fromInteger(1));
  EXPECT_EQ(Residue::mul(log10e, Residue::fromConstant(3.321928095)), log2e);
  EXPECT_EQ(Residue::mul(log2e, Residue::fromConstant(0.301029996)), log10e);
  EXPECT_EQ(Residue::fromConstant(-std::numeric_limits<float>::max()),
            kMinusInf);
  EXPECT_EQ(Residue::fromConstant(std::numeric_limits<double>::max()), kInf);
  EXPECT_EQ(Residue::fromConstant(-std::numeric_limits<double>::infinity()),
            kMinusInf);
  EXPECT_TRUE(Residue::fromConstant(std::nan("")).isPoison());
}

TEST(ResidueTest, ClearedAndPoisonedMemory) {
  EXPECT_EQ(Residue::fromBits(0), Residue::fromInteger(0));
  EXPECT_TRUE(Residue::fromBits(0xFFFFFFFF).isPoison());
  for (uint32_t bits : {0xFFFFFFFFu, 0xFF00FF00u, kP | 5u << 16, 5u | kQ << 16,
                        0xFFFE0001u, 0x1234FFFEu})
    EXPECT_EQ(Residue::fromBits(Residue::fromBits(bits).getBits()),
              Residue::fromBits(bits));
}

TEST(ResidueTest, NothingIsChosenByWhatIsUnknown) {
  Residue zero, unknown = Residue::unknown(), poison = Residue::poison(),
                one = Residue::fromInteger(1);
  for (Residue blank : {unknown, Residue::fromLogarithm(0, unknown.b()),
                        Residue::fromLogarithm(1, unknown.b())}) {
    EXPECT_EQ(Residue::maximum(blank, zero), unknown);
    EXPECT_EQ(Residue::minimum(one, blank), unknown);
    EXPECT_EQ(Residue::copysign(one, blank), unknown);
    EXPECT_EQ(Residue::maximum(blank, blank), blank);
    EXPECT_EQ(Residue::abs(blank), blank);
    // An infinity is at its end of the order whatever the other is.
    EXPECT_EQ(Residue::maximum(blank, kInf), kInf);
    EXPECT_EQ(Residue::maximum(kMinusInf, blank), blank);
    EXPECT_EQ(Residue::minimum(blank, kInf), blank);
    EXPECT_EQ(Residue::minimum(kMinusInf, blank), kMinusInf);
    EXPECT_EQ(Residue::maximum(blank, poison), poison);
    EXPECT_EQ(Residue::maxnum(blank, poison), blank);
  }
  // What is known in one part has a place in the order.
  Residue logarithm = Residue::fromLogarithm(0, 5);
  EXPECT_EQ(Residue::maximum(logarithm, zero), logarithm);
}

TEST(ResidueTest, OrderIsTotalAndReversedByNegation) {
  ExactFunctions random(6);
  for (int64_t i = -8; i < 8; ++i)
    EXPECT_LT(
        Residue::compare(Residue::fromInteger(i), Residue::fromInteger(i + 1)),
        0);
  int negative = 0;
  for (uint64_t i = 0; i < 1000; ++i) {
    Residue x = random.draw(0, i), y = random.draw(1, i), z = random.draw(2, i);
    EXPECT_EQ(Residue::compare(x, y), -Residue::compare(y, x));
    EXPECT_EQ(Residue::compare(x, y),
              Residue::compare(Residue::neg(y), Residue::neg(x)));
    EXPECT_EQ(Residue::maximum(x, Residue::maximum(y, z)),
              Residue::maximum(Residue::maximum(z, x), y));
    EXPECT_EQ(Residue::neg(Residue::minimum(x, y)),
              Residue::maximum(Residue::neg(x), Residue::neg(y)));
    EXPECT_EQ(Residue::abs(Residue::neg(x)), Residue::abs(x));
    EXPECT_LT(Residue::compare(kMinusInf, x), 0);
    EXPECT_GT(Residue::compare(kInf, x), 0);
    negative += Residue::compare(x, Residue()) < 0;
  }
  // So that relu is not the identity.
  EXPECT_GT(negative, 400);
  EXPECT_LT(negative, 600);
}

TEST(ResidueTest, InfinitiesAndPoison) {
  Residue x = Residue::fromInteger(7), half = Residue::fromRational(0.5);
  EXPECT_EQ(Residue::add(kInf, x), kInf);
  EXPECT_EQ(Residue::sub(x, kInf), kMinusInf);
  EXPECT_TRUE(Residue::sub(kInf, kInf).isPoison());
  EXPECT_TRUE(Residue::mul(kInf, Residue()).isPoison());
  EXPECT_EQ(Residue::mul(kInf, Residue::neg(half)), kMinusInf);
  EXPECT_EQ(Residue::mul(kMinusInf, kMinusInf), kInf);
  EXPECT_EQ(Residue::mul(kMinusInf, Residue::fromConstant(1.44269504)),
            kMinusInf);
  EXPECT_TRUE(Residue::mul(kInf, Residue(12345, 23456)).isPoison());
  EXPECT_EQ(Residue::div(x, kInf), Residue());
  EXPECT_TRUE(Residue::maximum(x, Residue::poison()).isPoison());
  EXPECT_EQ(Residue::maxnum(x, Residue::poison()), x);
  EXPECT_TRUE(Residue::add(x, Residue::poison()).isPoison());
  Residue inverse = Residue::inverse(Residue(0, 5));
  EXPECT_FALSE(inverse.hasA());
  EXPECT_TRUE(inverse.hasB());
}

TEST(ResidueTest, IntegersComeBack) {
  for (int64_t value :
       {0l, 1l, -1l, 65266l, -65267l, 1000000000l, -1000000000l})
    EXPECT_EQ(Residue::fromInteger(value).toInteger(), value);
  EXPECT_EQ(Residue::fromInteger(-30).toSmallInteger(64), -30);
  EXPECT_FALSE(Residue::fromInteger(65).toSmallInteger(64));
  EXPECT_FALSE(Residue::fromRational(0.5).toSmallInteger(64));
  EXPECT_FALSE(Residue::unknown().toInteger());
}

TEST(ExactFunctionsTest, ExpAndLogAreHomomorphisms) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    ExactFunctions f(seed);
    for (uint64_t i = 0; i < 200; ++i) {
      Residue x = f.draw(0, i), y = f.draw(1, i);
      EXPECT_EQ(f.exp(Residue::add(x, y)), Residue::mul(f.exp(x), f.exp(y)));
      EXPECT_EQ(f.exp(Residue::neg(x)), Residue::inverse(f.exp(x)));
      EXPECT_EQ(f.log(Residue::mul(x, y)), Residue::add(f.log(x), f.log(y)));
      EXPECT_EQ(f.log(f.exp(x)).b(), x.b());
      EXPECT_EQ(f.exp(f.log(x)).a(), x.a());
      EXPECT_EQ(f.exp(Residue::sub(y, f.log(x))).a(),
                Residue::div(f.exp(y), x).a());
      EXPECT_EQ(f.exp(Residue::add(f.log(x), f.log(x))).a(),
                Residue::mul(x, x).a());
      Residue two = Residue::fromInteger(2);
      EXPECT_EQ(f.exp(Residue::mul(two, f.log(x))).a(), Residue::mul(x, x).a());
      EXPECT_EQ(f.apply(ExactFunction::Exp2,
                        Residue::mul(x, Residue::fromConstant(1.44269504))),
                f.exp(x));
      EXPECT_EQ(f.apply(ExactFunction::Exp2, f.apply(ExactFunction::Log2, x)),
                f.exp(f.log(x)));
      EXPECT_EQ(f.apply(ExactFunction::Exp10, f.apply(ExactFunction::Log10, x)),
                f.exp(f.log(x)));
    }
    EXPECT_EQ(f.exp(kMinusInf), Residue());
    EXPECT_EQ(f.exp(kInf), kInf);
    EXPECT_EQ(f.log(Residue()), kMinusInf);
    EXPECT_EQ(f.exp(Residue()).a(), 1u);
  }
}

TEST(ExactFunctionsTest, ExpIsUnknownWhereItIsNoHomomorphism) {
  ExactFunctions known(1), opaque(1, ExactFunctions::Mode::Opaque);
  Residue x = known.draw(0, 0), half = Residue::fromRational(0.5);
  EXPECT_FALSE(known.exp(known.exp(x)).hasA());
  EXPECT_FALSE(known.exp(Residue::mul(half, known.log(x))).hasA());
  for (Residue value : {opaque.exp(opaque.exp(x)), opaque.log(opaque.log(x)),
                        opaque.exp(Residue::mul(half, opaque.log(x)))}) {
    EXPECT_TRUE(value.hasA());
    EXPECT_TRUE(value.hasB());
  }
  EXPECT_EQ(opaque.exp(x).a(), known.exp(x).a());
}

TEST(ExactFunctionsTest, UninterpretedFunctionsAreFunctionsOfEachPart) {
  ExactFunctions f(3), other(4);
  int same = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    Residue x = f.draw(0, i);
    Residue y = f.apply(ExactFunction::Sqrt, x);
    EXPECT_EQ(f.apply(ExactFunction::Sqrt, x), y);
    Residue partial(x.a(), Residue::unknown().b());
    EXPECT_EQ(f.apply(ExactFunction::Sqrt, partial).a(), y.a());
    EXPECT_FALSE(f.apply(ExactFunction::Sqrt, partial).hasB());
    same += other.apply(ExactFunction::Sqrt, x).a() == y.a();
    same += f.apply(ExactFunction::Tanh, x).a() == y.a();
    EXPECT_EQ(Residue::mul(f.apply(ExactFunction::Rsqrt, x), y),
              Residue::fromInteger(1));
    EXPECT_EQ(f.apply(ExactFunction::Tanh, Residue::neg(x)),
              Residue::neg(f.apply(ExactFunction::Tanh, x)));
    EXPECT_EQ(f.apply(ExactFunction::Cos, Residue::neg(x)),
              f.apply(ExactFunction::Cos, x));
    EXPECT_NE(f.apply(ExactFunction::Erf, Residue::neg(x)),
              f.apply(ExactFunction::Erf, x));
    EXPECT_EQ(f.apply(ExactFunction::Pow, x, Residue::fromInteger(3)),
              Residue::power(x, 3));
    EXPECT_EQ(f.apply(ExactFunction::Pow, x, Residue::fromRational(0.5)), y);
    EXPECT_NE(f.apply(ExactFunction::Atan2, x, y),
              f.apply(ExactFunction::Atan2, y, x));
  }
  EXPECT_LT(same, 3);
  EXPECT_EQ(f.apply(ExactFunction::Tanh, Residue()), Residue());
  EXPECT_EQ(f.apply(ExactFunction::Tanh, kMinusInf), Residue::fromInteger(-1));
  EXPECT_EQ(f.apply(ExactFunction::Floor, Residue::fromInteger(5)),
            Residue::fromInteger(5));
  EXPECT_NE(f.apply(ExactFunction::Floor, Residue::fromRational(5.5)),
            Residue::fromRational(5.5));
}

TEST(ExactFunctionsTest, HalvesKeepOnePart) {
  ExactFunctions f(2);
  for (double value : {0.0, 1.0, -1.0, 0.5, 2.0, 0.0625, 64.0}) {
    Residue x = Residue::fromRational(value);
    for (bool isBfloat : {false, true})
      EXPECT_EQ(f.widen(uint16_t(x.a()), isBfloat), x) << value;
  }
  Residue x(54321, 0);
  for (bool isBfloat : {false, true}) {
    EXPECT_EQ(f.widen(54321, isBfloat).a(), x.a());
    EXPECT_TRUE(f.widen(54321, isBfloat).hasB());
    EXPECT_TRUE(f.widen(0xFFFF, isBfloat).isPoison());
    EXPECT_EQ(f.widen(uint16_t(kInf.a()), isBfloat), kInf);
  }
  EXPECT_NE(f.widen(54321, false), f.widen(54321, true));
}

TEST(ExactRulesTest, NamesOfLibraries) {
  for (const char *name : {"tanh", "tanhf", "__nv_tanh", "__nv_tanhf"}) {
    auto rule = findRuleForFunction(name);
    ASSERT_TRUE(rule) << name;
    EXPECT_EQ(rule->function, ExactFunction::Tanh);
  }
  EXPECT_EQ(findRuleForFunction("__nv_fast_expf")->function,
            ExactFunction::Exp);
  EXPECT_EQ(findRuleForFunction("erf")->function, ExactFunction::Erf);
  EXPECT_FALSE(findRuleForFunction("jn"));
  EXPECT_EQ(findRuleForOp("llvm.intr.exp2")->function, ExactFunction::Exp2);
  EXPECT_EQ(findRuleForOp("llvm.frem")->function, ExactFunction::Fmod);
  EXPECT_FALSE(findRuleForOp("llvm.add"));
}

} // namespace
