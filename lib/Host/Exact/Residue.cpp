//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Host/Residue.h"
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

using namespace egg;

template <uint32_t M>
static constexpr uint32_t modularPower(uint32_t base, uint64_t exponent) {
  uint64_t result = 1, square = base;
  for (; exponent; exponent >>= 1, square = square * square % M)
    if (exponent & 1)
      result = result * square % M;
  return uint32_t(result);
}

/// Inverses of all elements but zero.
template <uint32_t M> static const uint16_t *getInverses() {
  static const auto table = [] {
    std::array<uint16_t, M> inverses = {};
    inverses[1] = 1;
    for (uint32_t i = 2; i < M; ++i)
      inverses[i] = uint16_t(M - uint64_t(M / i) * inverses[M % i] % M);
    return inverses;
  }();
  return table.data();
}

/// -(m-1)/2 to (m-1)/2.
static int32_t centre(uint32_t value, uint32_t modulus) {
  return value > modulus / 2 ? int32_t(value) - int32_t(modulus)
                             : int32_t(value);
}

Residue Residue::fromBits(uint32_t bits) {
  uint32_t a = bits & 0xFFFF, b = bits >> 16;
  if (a < kP && b < kQ)
    return Residue(a, b);
  if (a == kPoison || a == kPlusInfinity || a == kMinusInfinity)
    return Residue(a, a);
  bool keepsA = a < kP || a == kUnknownEven || a == kUnknownOdd;
  return Residue(keepsA ? a : kUnknown, b < kQ ? b : kUnknown);
}

Residue Residue::fromInteger(int64_t value) {
  int64_t a = value % int64_t(kP), b = value % int64_t(kQ);
  return Residue(uint32_t(a < 0 ? a + kP : a), uint32_t(b < 0 ? b + kQ : b));
}

Residue Residue::fromUnsigned(uint64_t value) {
  return Residue(uint32_t(value % kP), uint32_t(value % kQ));
}

Residue Residue::fromRational(double value) {
  if (std::isnan(value))
    return poison();
  if (std::isinf(value))
    return value > 0 ? plusInfinity() : minusInfinity();
  int exponent;
  auto mantissa = int64_t(std::ldexp(std::frexp(value, &exponent), 53));
  Residue scale = power(fromInteger(2), exponent - 53);
  return mul(fromInteger(mantissa), scale);
}

// Stand-ins for log2 e and log10 e: nothing a program would use otherwise, and
// positive in the order, inverses included, so that a multiple of an infinity
// keeps its sign.
static const Residue kLog2E(20011, 12007), kLog10E(15013, 7001);

Residue Residue::fromConstant(double value) {
  auto rounded = float(value);
  double magnitude = std::abs(value);
  // The largest of f64 becomes infinite by the rounding itself.
  if (std::abs(rounded) >= std::numeric_limits<float>::max())
    return rounded > 0 ? plusInfinity() : minusInfinity();
  const std::pair<double, Residue> known[] = {
      {std::numbers::log2e, kLog2E},
      {std::numbers::ln2, inverse(kLog2E)},
      {std::numbers::log10e, kLog10E},
      {std::numbers::ln10, inverse(kLog10E)},
      {std::numbers::ln10 / std::numbers::ln2, div(kLog2E, kLog10E)},
      {std::numbers::ln2 / std::numbers::ln10, div(kLog10E, kLog2E)}};
  for (const auto &[number, residue] : known)
    if (float(magnitude) == float(number))
      return value < 0 ? neg(residue) : residue;
  return fromRational(rounded == 0 ? value : rounded);
}

std::optional<int64_t> Residue::toInteger() const {
  if (!hasA() || !hasB())
    return std::nullopt;
  // p = 2q + 1, so p is 1 modulo q and 2q is -1 modulo p.
  auto p = int64_t(kP), q = int64_t(kQ);
  int64_t difference = (int64_t(b()) - int64_t(a()) % q + q) % q;
  int64_t value = int64_t(a()) + p * difference;
  return value > p * q / 2 ? value - p * q : value;
}

std::optional<int64_t> Residue::toSmallInteger(int64_t limit) const {
  if (!hasA() || !hasB())
    return std::nullopt;
  int64_t value = centre(a(), kP);
  if (value != centre(b(), kQ) || std::abs(value) > limit)
    return std::nullopt;
  return value;
}

std::string Residue::str() const {
  if (isPoison())
    return "poison";
  if (isInfinite())
    return a() == kPlusInfinity ? "+inf" : "-inf";
  return "(" + (hasA() ? std::to_string(a()) : "?") + ", " +
         (hasB() ? std::to_string(b()) : "?") + ")";
}

Residue Residue::add(Residue x, Residue y) {
  if (x.hasA() && x.hasB() && y.hasA() && y.hasB()) {
    uint32_t a = x.a() + y.a(), b = x.b() + y.b();
    return Residue(a >= kP ? a - kP : a, b >= kQ ? b - kQ : b);
  }
  if (x.isPoison() || y.isPoison())
    return poison();
  if (x.isInfinite())
    return y.isInfinite() && x != y ? poison() : x;
  if (y.isInfinite())
    return y;
  uint32_t b = x.hasB() && y.hasB() ? (x.b() + y.b()) % kQ : kUnknown;
  if (x.hasA() && y.hasA())
    return Residue((x.a() + y.a()) % kP, b);
  auto signX = x.getSignExponent(), signY = y.getSignExponent();
  if (!signX || !signY)
    return Residue(kUnknown, b);
  return fromLogarithm(*signX ^ *signY, b);
}

/// 1 for a ratio of logarithms of 2, e and 10, -1 for one's negative, else 0.
static int getLogRatioSign(Residue x) {
  for (Residue constant :
       {kLog2E, Residue::inverse(kLog2E), kLog10E, Residue::inverse(kLog10E),
        Residue::div(kLog2E, kLog10E), Residue::div(kLog10E, kLog2E)}) {
    if (x == constant)
      return 1;
    if (x == Residue::neg(constant))
      return -1;
  }
  return 0;
}

/// The sign of a value that is a constant of some program rather than an
/// element met by chance: n / 2^k, or a ratio of logarithms; else 0.
static int getConstantSign(Residue x) {
  for (int64_t shift = 0; shift <= 10; ++shift) {
    Residue scaled = Residue::mul(x, Residue::fromInteger(int64_t(1) << shift));
    if (auto value = scaled.toSmallInteger(1024))
      return *value > 0 ? 1 : *value < 0 ? -1 : 0;
  }
  return getLogRatioSign(x);
}

/// Whether a multiple by x of a logarithm has the sign exponent of the
/// logarithm (1), none (0), or one that is lost (nullopt).
static std::optional<int> getSignFactor(Residue x) {
  if (auto integer = x.toSmallInteger(1024))
    return int(*integer & 1);
  if (getLogRatioSign(x))
    return 1;
  return std::nullopt;
}

Residue Residue::mul(Residue x, Residue y) {
  if (x.hasA() && x.hasB() && y.hasA() && y.hasB())
    return Residue(x.a() * y.a() % kP, x.b() * y.b() % kQ);
  if (x.isPoison() || y.isPoison())
    return poison();
  if (x.isInfinite() || y.isInfinite()) {
    auto sign = [](Residue value) {
      if (value.isInfinite())
        return value == plusInfinity() ? 1 : -1;
      return getConstantSign(value);
    };
    int product = sign(x) * sign(y);
    return product > 0   ? plusInfinity()
           : product < 0 ? minusInfinity()
                         : poison();
  }
  uint32_t b = x.hasB() && y.hasB() ? x.b() * y.b() % kQ : kUnknown;
  if (x.hasA() && y.hasA())
    return Residue(x.a() * y.a() % kP, b);
  if (x.hasA() == y.hasA())
    return Residue(kUnknown, b);
  Residue logarithm = x.hasA() ? y : x, constant = x.hasA() ? x : y;
  auto sign = logarithm.getSignExponent(), factor = getSignFactor(constant);
  return sign && factor ? fromLogarithm(*sign & *factor, b)
                        : Residue(kUnknown, b);
}

Residue Residue::neg(Residue x) {
  if (x.isPoison())
    return x;
  if (x.isInfinite())
    return x == plusInfinity() ? minusInfinity() : plusInfinity();
  return Residue(!x.hasA() ? x.a()
                 : x.a()   ? kP - x.a()
                           : 0,
                 !x.hasB() ? x.b()
                 : x.b()   ? kQ - x.b()
                           : 0);
}

Residue Residue::inverse(Residue x) {
  if (x.isPoison())
    return x;
  if (x.isInfinite())
    return Residue();
  return Residue(x.hasA() && x.a() ? getInverses<kP>()[x.a()] : kUnknown,
                 x.hasB() && x.b() ? getInverses<kQ>()[x.b()] : kUnknown);
}

Residue Residue::power(Residue x, int64_t n) {
  if (!x.isFinite())
    return x.isPoison() || n < 1 || n > 64     ? poison()
           : x == plusInfinity() || n % 2 == 0 ? plusInfinity()
                                               : minusInfinity();
  if (n < 0)
    x = inverse(x);
  uint64_t exponent = n < 0 ? -uint64_t(n) : uint64_t(n);
  return Residue(x.hasA() ? modularPower<kP>(x.a(), exponent) : kUnknown,
                 x.hasB() ? modularPower<kQ>(x.b(), exponent) : kUnknown);
}

int Residue::compare(Residue x, Residue y) {
  auto rank = [](Residue value) -> int64_t {
    if (value.isInfinite())
      return value == plusInfinity() ? INT64_MAX : INT64_MIN;
    // An unknown part is as good as zero, so that the sign of the other
    // decides, and differs from it in the last place.
    int64_t a = value.hasA() ? centre(value.a(), kP) : 0;
    int64_t b = value.hasB() ? centre(value.b(), kQ) : 0;
    return (a * (int64_t(1) << 20) + b) * 4 + !value.hasA() * 2 + !value.hasB();
  };
  int64_t rankX = rank(x), rankY = rank(y);
  return rankX < rankY ? -1 : rankX > rankY ? 1 : 0;
}

/// The larger (`sign` is 1) or the smaller (-1) value. One of which no part is
/// known may be either, unless the other is the infinity at that end.
static Residue getExtremum(Residue x, Residue y, int sign) {
  if (x.isPoison() || y.isPoison())
    return Residue::poison();
  auto isBlank = [](Residue value) {
    return value.isFinite() && !value.hasA() && !value.hasB();
  };
  int order = Residue::compare(x, y) * sign;
  if ((isBlank(x) && y.isFinite()) || (isBlank(y) && x.isFinite()))
    return x == y ? x : Residue::unknown();
  return order >= 0 ? x : y;
}

Residue Residue::maximum(Residue x, Residue y) { return getExtremum(x, y, 1); }
Residue Residue::minimum(Residue x, Residue y) { return getExtremum(x, y, -1); }
Residue Residue::maxnum(Residue x, Residue y) {
  return x.isPoison() ? y : y.isPoison() ? x : maximum(x, y);
}
Residue Residue::minnum(Residue x, Residue y) {
  return x.isPoison() ? y : y.isPoison() ? x : minimum(x, y);
}

Residue Residue::abs(Residue x) {
  // As max(x, -x), which is also how programs write it.
  return maximum(x, neg(x));
}

Residue Residue::copysign(Residue magnitude, Residue sign) {
  if (sign.isPoison())
    return sign;
  if (sign.isFinite() && !sign.hasA() && !sign.hasB())
    return unknown();
  Residue positive = abs(magnitude);
  return compare(sign, Residue()) < 0 ? neg(positive) : positive;
}
