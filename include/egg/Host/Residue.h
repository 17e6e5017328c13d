//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Residue: what stands for a float in exact arithmetic, a pair of an element of
// the field F_p and one of F_q. Sums, products and quotients are those of the
// fields, so that two programs that are equal as formulas give equal bits.
//
// A value has 32 bits, the part of F_p low and the part of F_q high; codes past
// the field say that a part is unknown, or that the whole value is an infinity
// or poison (the NaN of this arithmetic). Zero is all bits zero, and all bits
// one is poison, so cleared and poisoned memory mean what they should. An f64
// has the same 32 bits with zeros above; an f16 or bf16 only the part of F_p.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_HOST_RESIDUE_H
#define EGG_HOST_RESIDUE_H

#include <cstdint>
#include <optional>
#include <string>

namespace egg {

class Residue {
public:
  /// p = 2q + 1, the largest such primes whose residues leave room for codes in
  /// 16 bits. That q divides p - 1 is what makes exp a homomorphism.
  static constexpr uint32_t kP = 65267, kQ = 32633;

  constexpr Residue() = default;
  constexpr Residue(uint32_t a, uint32_t b) : bits(a | b << 16) {}
  /// Any 32 bits; codes without a meaning become unknown parts.
  static Residue fromBits(uint32_t bits);
  constexpr uint32_t getBits() const { return bits; }

  static constexpr Residue plusInfinity() {
    return Residue(kPlusInfinity, kPlusInfinity);
  }
  static constexpr Residue minusInfinity() {
    return Residue(kMinusInfinity, kMinusInfinity);
  }
  static constexpr Residue poison() { return Residue(kPoison, kPoison); }
  static constexpr Residue unknown() { return Residue(kUnknown, kUnknown); }

  /// Of an integer, of the exact value of a finite double (NaN and infinities
  /// become poison and infinities).
  static Residue fromInteger(int64_t value);
  static Residue fromUnsigned(uint64_t value);
  static Residue fromRational(double value);
  /// Of a constant of a program. It is rounded to f32 first, so that a constant
  /// written in f64 and its truncation are one; the numbers nearest log2 e,
  /// ln 2, log10 e, ln 10, log2 10 and log10 2 become residues whose products
  /// are right; the largest finite numbers, which stand for infinities,
  /// become infinities.
  static Residue fromConstant(double value);

  constexpr uint32_t a() const { return bits & 0xFFFF; }
  constexpr uint32_t b() const { return bits >> 16; }
  constexpr bool hasA() const { return a() < kP; }
  constexpr bool hasB() const { return b() < kQ; }
  /// The exponent of -1 in exp of this value: a logarithm's part of F_p is
  /// unknown, but it remembers the sign of its argument. 0 for other numbers,
  /// nullopt when it is lost.
  constexpr std::optional<int> getSignExponent() const {
    if (hasA() || a() == kUnknownEven)
      return 0;
    return a() == kUnknownOdd ? std::optional<int>(1) : std::nullopt;
  }
  /// The value whose part of F_p is unknown but for the sign of its exp.
  static constexpr Residue fromLogarithm(int signExponent, uint32_t b) {
    return Residue(signExponent ? kUnknownOdd : kUnknownEven, b);
  }
  constexpr bool isPoison() const { return a() == kPoison; }
  constexpr bool isInfinite() const {
    return a() == kPlusInfinity || a() == kMinusInfinity;
  }
  /// A pair of parts, each known or not.
  constexpr bool isFinite() const { return !isPoison() && !isInfinite(); }
  constexpr bool operator==(const Residue &) const = default;

  /// The integer nearest zero with this residue; nullopt unless both parts are
  /// known. Recovers every integer below p q / 2 in magnitude.
  std::optional<int64_t> toInteger() const;
  /// The integer, if it is at most `limit`: constants of programs mostly are.
  std::optional<int64_t> toSmallInteger(int64_t limit) const;

  /// "(a 123, b ?)", "+inf", "poison".
  std::string str() const;

  // Operations that are the same for every seed.
  static Residue add(Residue x, Residue y);
  static Residue sub(Residue x, Residue y) { return add(x, neg(y)); }
  static Residue mul(Residue x, Residue y);
  /// Rounds nothing, so it is a product and a sum.
  static Residue fma(Residue x, Residue y, Residue z) {
    return add(mul(x, y), z);
  }
  static Residue neg(Residue x);
  /// The inverse of zero is unknown: a denominator may vanish by chance.
  static Residue inverse(Residue x);
  static Residue div(Residue x, Residue y) { return mul(x, inverse(y)); }
  /// x^n as a product, for negative n of inverses.
  static Residue power(Residue x, int64_t n);
  /// One total order of everything but poison: minus infinity, then by the part
  /// of F_p and that of F_q, each from -(m-1)/2 to (m-1)/2, then plus
  /// infinity. Small integers are ordered as usual and neg reverses the order.
  /// Negative, zero or positive.
  static int compare(Residue x, Residue y);
  /// NaN-propagating and NaN-ignoring.
  static Residue maximum(Residue x, Residue y);
  static Residue minimum(Residue x, Residue y);
  static Residue maxnum(Residue x, Residue y);
  static Residue minnum(Residue x, Residue y);
  static Residue abs(Residue x);
  static Residue copysign(Residue magnitude, Residue sign);

private:
  enum Code : uint32_t {
    kUnknownEven = 0xFFFA,
    kUnknownOdd = 0xFFFB,
    kUnknown = 0xFFFC,
    kMinusInfinity = 0xFFFD,
    kPlusInfinity = 0xFFFE,
    kPoison = 0xFFFF
  };
  uint32_t bits = 0;
};

} // namespace egg

#endif // EGG_HOST_RESIDUE_H
