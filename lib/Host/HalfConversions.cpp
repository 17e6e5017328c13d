//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Host/HalfConversions.h"
#include <bit>

using namespace egg;

/// Widens a 16-bit float with the given number of mantissa bits.
static double widen(uint16_t bits, int mantissaBits) {
  int exponentBits = 15 - mantissaBits;
  int bias = (1 << (exponentBits - 1)) - 1;
  uint64_t sign = uint64_t(bits >> 15) << 63;
  int exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
  uint64_t mantissa = bits & ((1u << mantissaBits) - 1);
  if (exponent == (1 << exponentBits) - 1)
    return std::bit_cast<double>(sign | (0x7FFull << 52) |
                                 (mantissa << (52 - mantissaBits)));
  // Subnormals are exact multiples of a power of two that double represents.
  double scale = std::bit_cast<double>(
      uint64_t(1023 + (exponent ? exponent : 1) - bias - mantissaBits) << 52);
  uint64_t integer = exponent ? mantissa | (1ull << mantissaBits) : mantissa;
  double magnitude = double(integer) * scale;
  return sign ? -magnitude : magnitude;
}

/// Rounds to nearest even.
static uint16_t narrow(double value, int mantissaBits) {
  int exponentBits = 15 - mantissaBits;
  int bias = (1 << (exponentBits - 1)) - 1;
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint16_t sign = uint16_t(bits >> 63) << 15;
  int exponent = int(bits >> 52 & 0x7FF);
  uint64_t mantissa = bits & ((1ull << 52) - 1);
  uint16_t infinity = uint16_t(((1 << exponentBits) - 1) << mantissaBits);
  if (exponent == 0x7FF) {
    if (mantissa == 0)
      return sign | infinity;
    return sign | infinity | uint16_t(1 << (mantissaBits - 1)) |
           uint16_t(mantissa >> (52 - mantissaBits));
  }
  if (exponent == 0)
    return sign; // far below the smallest 16-bit subnormal
  int target = exponent - 1023 + bias;
  uint64_t significand = mantissa | (1ull << 52);
  int shift = 52 - mantissaBits;
  if (target <= 0)
    shift += 1 - target; // a subnormal keeps fewer bits
  if (shift > 54)
    return sign;
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((1ull << shift) - 1);
  uint64_t half = 1ull << (shift - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // A carry out of the mantissa moves into the exponent, as it should.
  uint64_t result =
      target <= 0 ? kept : (uint64_t(target - 1) << mantissaBits) + kept;
  if (result >= infinity)
    return sign | infinity;
  return sign | uint16_t(result);
}

double egg::halfToDouble(uint16_t bits) { return widen(bits, 10); }
uint16_t egg::doubleToHalf(double value) { return narrow(value, 10); }
double egg::bfloatToDouble(uint16_t bits) { return widen(bits, 7); }
uint16_t egg::doubleToBFloat(double value) { return narrow(value, 7); }

#if defined(__x86_64__)
// The ABI passes 16-bit floats in the low bits of a vector register.
using Register = float __attribute__((vector_size(16)));
static Register toRegister(uint16_t bits) {
  Register result = {};
  result[0] = std::bit_cast<float>(uint32_t(bits));
  return result;
}
static uint16_t fromRegister(Register value) {
  return uint16_t(std::bit_cast<uint32_t>(value[0]));
}
extern "C" {
static Register eggTruncSFHF(float v) { return toRegister(doubleToHalf(v)); }
static Register eggTruncDFHF(double v) { return toRegister(doubleToHalf(v)); }
static float eggExtendHFSF(Register v) {
  return float(halfToDouble(fromRegister(v)));
}
static Register eggTruncSFBF(float v) { return toRegister(doubleToBFloat(v)); }
static Register eggTruncDFBF(double v) { return toRegister(doubleToBFloat(v)); }
}
#endif

std::vector<std::pair<std::string, void *>> egg::getHalfConversionSymbols() {
#if defined(__x86_64__)
  return {{"__truncsfhf2", reinterpret_cast<void *>(&eggTruncSFHF)},
          {"__truncdfhf2", reinterpret_cast<void *>(&eggTruncDFHF)},
          {"__extendhfsf2", reinterpret_cast<void *>(&eggExtendHFSF)},
          {"__gnu_f2h_ieee", reinterpret_cast<void *>(&eggTruncSFHF)},
          {"__gnu_h2f_ieee", reinterpret_cast<void *>(&eggExtendHFSF)},
          {"__truncsfbf2", reinterpret_cast<void *>(&eggTruncSFBF)},
          {"__truncdfbf2", reinterpret_cast<void *>(&eggTruncDFBF)}};
#else
  return {};
#endif
}
