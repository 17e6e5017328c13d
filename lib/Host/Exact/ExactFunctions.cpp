//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Host/ExactFunctions.h"
#include "egg/Support/Random.h"
#include <numbers>

using namespace egg;

static constexpr uint32_t kP = Residue::kP, kQ = Residue::kQ;
static constexpr uint32_t kNone = Residue::unknown().a();

bool egg::isUninterpreted(ExactFunction function) {
  return function >= ExactFunction::Pow;
}

uint64_t ExactFunctions::hash(uint64_t x, uint64_t y) const {
  return mixBits(mixBits(key + x * kGoldenGamma) ^ y);
}

ExactFunctions::ExactFunctions(uint64_t seed, Mode mode)
    : key(mixBits(seed + kGoldenGamma)), mode(mode), powers(kQ),
      logarithms(kP, uint16_t(kNone)) {
  // A square other than 1 generates the subgroup of order q, which is prime.
  uint64_t root = 2 + hash(0, 1) % (kP - 3), g = root * root % kP;
  uint64_t power = 1;
  for (uint32_t i = 0; i < kQ; ++i) {
    powers[i] = uint16_t(power);
    logarithms[power] = uint16_t(i);
    power = power * g % kP;
  }
  // Of x and -x one is in the subgroup, so that F_p* is the product of the
  // subgroup and {1, -1}: the logarithm is that of the one, and remembers which
  // it is.
}

Residue ExactFunctions::exp(Residue x) const {
  if (x.isPoison() || x == Residue::plusInfinity())
    return x;
  if (x.isInfinite())
    return Residue();
  bool opaque = mode == Mode::Opaque;
  auto sign = x.getSignExponent();
  if (!x.hasB() || (!sign && !opaque))
    return Residue::unknown();
  uint32_t power = powers[x.b()];
  return Residue(sign.value_or(0) ? kP - power : power,
                 opaque
                     ? uint32_t(hash(uint64_t(ExactFunction::Exp), x.b()) % kQ)
                     : kNone);
}

Residue ExactFunctions::log(Residue x) const {
  if (x.isPoison() || x == Residue::plusInfinity())
    return x;
  if (x.isInfinite())
    return Residue::poison();
  if (x == Residue())
    return Residue::minusInfinity();
  if (!x.hasA() || x.a() == 0)
    return Residue::unknown();
  int sign = logarithms[x.a()] == kNone;
  uint32_t b = logarithms[sign ? kP - x.a() : x.a()];
  if (mode == Mode::Opaque)
    return Residue(hash(uint64_t(ExactFunction::Log), x.a()) % kP, b);
  return Residue::fromLogarithm(sign, b);
}

Residue ExactFunctions::pow(Residue x, Residue y) const {
  if (auto exponent = y.toSmallInteger(64))
    return Residue::power(x, *exponent);
  Residue twice = Residue::add(y, y);
  if (twice == Residue::fromInteger(1))
    return uninterpreted(ExactFunction::Sqrt, x, {});
  if (twice == Residue::fromInteger(-1))
    return apply(ExactFunction::Rsqrt, x);
  return uninterpreted(ExactFunction::Pow, x, y);
}

static bool isOdd(ExactFunction function) {
  switch (function) {
  case ExactFunction::Cbrt:
  case ExactFunction::Erf:
  case ExactFunction::Tanh:
  case ExactFunction::Sinh:
  case ExactFunction::Asinh:
  case ExactFunction::Atanh:
  case ExactFunction::Sin:
  case ExactFunction::Tan:
  case ExactFunction::Asin:
  case ExactFunction::Atan:
  case ExactFunction::Trunc:
  case ExactFunction::Round:
  case ExactFunction::RoundEven:
    return true;
  default:
    return false;
  }
}

static bool isEven(ExactFunction function) {
  return function == ExactFunction::Cos || function == ExactFunction::Cosh;
}

static bool isRounding(ExactFunction function) {
  switch (function) {
  case ExactFunction::Floor:
  case ExactFunction::Ceil:
  case ExactFunction::Trunc:
  case ExactFunction::Round:
  case ExactFunction::RoundEven:
    return true;
  default:
    return false;
  }
}

Residue ExactFunctions::uninterpreted(ExactFunction function, Residue x,
                                      Residue y) const {
  if (x.isPoison() || y.isPoison())
    return Residue::poison();
  if (x.isInfinite() || y.isInfinite()) {
    bool positive = x == Residue::plusInfinity();
    switch (function) {
    case ExactFunction::Erf:
    case ExactFunction::Tanh:
      return Residue::fromInteger(positive ? 1 : -1);
    case ExactFunction::Erfc:
      return Residue::fromInteger(positive ? 0 : 2);
    case ExactFunction::Sqrt:
      return positive ? x : Residue::poison();
    default:
      return isRounding(function) ? x : Residue::poison();
    }
  }
  if (isRounding(function) && x.toSmallInteger(1 << 13))
    return x;
  // Each part is a function of that part alone, so that it is known whenever
  // its arguments are, whatever became of the other part.
  bool odd = isOdd(function), even = isEven(function);
  bool keepsZero = odd || function == ExactFunction::Sqrt;
  auto part = [&](uint64_t tag, uint32_t u, uint32_t v, uint32_t modulus) {
    if (u == 0 && (keepsZero || even))
      return uint32_t(even);
    bool negative = (odd || even) && u > modulus / 2;
    uint64_t argument = negative ? modulus - u : u;
    uint64_t value =
        hash(uint64_t(function) * 2 + tag, argument << 32 | v) % modulus;
    return uint32_t(negative && odd && value ? modulus - value : value);
  };
  return Residue(x.hasA() && y.hasA() ? part(0, x.a(), y.a(), kP) : kNone,
                 x.hasB() && y.hasB() ? part(1, x.b(), y.b(), kQ) : kNone);
}

Residue ExactFunctions::apply(ExactFunction function, Residue x, Residue y,
                              Residue z) const {
  static const Residue log2e = Residue::fromConstant(std::numbers::log2e),
                       ln2 = Residue::fromConstant(std::numbers::ln2),
                       log10e = Residue::fromConstant(std::numbers::log10e),
                       ln10 = Residue::fromConstant(std::numbers::ln10),
                       one = Residue::fromInteger(1);
  switch (function) {
  case ExactFunction::Neg:
    return Residue::neg(x);
  case ExactFunction::Abs:
    return Residue::abs(x);
  case ExactFunction::Add:
    return Residue::add(x, y);
  case ExactFunction::Sub:
    return Residue::sub(x, y);
  case ExactFunction::Mul:
    return Residue::mul(x, y);
  case ExactFunction::Div:
    return Residue::div(x, y);
  case ExactFunction::Fma:
    return Residue::fma(x, y, z);
  case ExactFunction::Maximum:
    return Residue::maximum(x, y);
  case ExactFunction::Minimum:
    return Residue::minimum(x, y);
  case ExactFunction::Maxnum:
    return Residue::maxnum(x, y);
  case ExactFunction::Minnum:
    return Residue::minnum(x, y);
  case ExactFunction::Copysign:
    return Residue::copysign(x, y);
  case ExactFunction::Exp:
    return exp(x);
  case ExactFunction::Exp2:
    return exp(Residue::mul(x, ln2));
  case ExactFunction::Exp10:
    return exp(Residue::mul(x, ln10));
  case ExactFunction::Expm1:
    return Residue::sub(exp(x), one);
  case ExactFunction::Log:
    return log(x);
  case ExactFunction::Log2:
    return Residue::mul(log(x), log2e);
  case ExactFunction::Log10:
    return Residue::mul(log(x), log10e);
  case ExactFunction::Log1p:
    return log(Residue::add(x, one));
  case ExactFunction::Pow:
    return pow(x, y);
  case ExactFunction::Rsqrt:
    return Residue::inverse(uninterpreted(ExactFunction::Sqrt, x, {}));
  default:
    return uninterpreted(function, x, y);
  }
}

/// The parts of F_q of n / 2^k by that of F_p; both parts are injective on such
/// a small set, so the first writer is the only one.
static const std::vector<uint16_t> &getSmallDyadics() {
  static const std::vector<uint16_t> table = [] {
    std::vector<uint16_t> parts(kP, uint16_t(kNone));
    for (int64_t shift = 0; shift <= 4; ++shift)
      for (int64_t n = -64; n <= 64; ++n) {
        Residue value = Residue::div(Residue::fromInteger(n),
                                     Residue::fromInteger(1 << shift));
        if (parts[value.a()] == kNone)
          parts[value.a()] = uint16_t(value.b());
      }
    return parts;
  }();
  return table;
}

Residue ExactFunctions::widen(uint16_t half, bool isBfloat) const {
  Residue value = Residue::fromBits(half | kNone << 16);
  if (!value.isFinite() || !value.hasA())
    return value;
  uint16_t known = getSmallDyadics()[value.a()];
  return Residue(
      value.a(),
      known != kNone ? known : uint32_t(hash(isBfloat ? 97 : 99, half) % kQ));
}

int64_t ExactFunctions::toInteger(Residue x) const {
  if (auto value = x.toInteger())
    return *value;
  return int64_t(hash(98, x.getBits()));
}

Residue ExactFunctions::draw(uint64_t argument, uint64_t i) const {
  uint64_t value = hash(1000 + argument, i);
  return Residue((value >> 32) % kP, (value & 0xFFFFFFFF) % kQ);
}
