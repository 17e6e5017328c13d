//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceMath.h"
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

// The precise functions, by their C names.
#define UNARY(name)                                                            \
  add("__nv_" #name, +[](double x) { return std::name(x); });                  \
  add("__nv_" #name "f", +[](float x) { return float(std::name(double(x))); })
#define BINARY(name)                                                           \
  add("__nv_" #name, +[](double x, double y) { return std::name(x, y); });     \
  add(                                                                         \
      "__nv_" #name "f", +[](float x, float y) {                               \
        return float(std::name(double(x), double(y)));                         \
      })
#define FAST(name)                                                             \
  add(                                                                         \
      "__nv_fast_" #name "f",                                                  \
      +[](float x) { return float(std::name(double(x))); })

/// Rounds towards zero, as the sums of tensor cores do.
static float roundTowardsZero(double x) {
  float rounded = float(x);
  if (std::isinf(x) || std::isnan(x) ||
      std::abs(double(rounded)) <= std::abs(x))
    return rounded;
  return std::nextafter(rounded, 0.0f);
}

/// The larger one, or the one that is no NaN; a positive zero is larger than a
/// negative one.
template <typename T> static T maximum(T x, T y) {
  if (x == 0 && y == 0)
    return std::signbit(x) ? y : x;
  return std::fmax(x, y);
}

/// Drops the bits that tf32 does not have, as matrix instructions do.
static float truncateToTF32(float x) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & ~0x1FFFu);
}

std::vector<std::pair<std::string, void *>> egg::simt::getDeviceMathSymbols() {
  std::vector<std::pair<std::string, void *>> symbols;
  auto add = [&](const char *name, auto *function) {
    symbols.emplace_back(name, reinterpret_cast<void *>(function));
  };
  UNARY(acos);
  UNARY(acosh);
  UNARY(asin);
  UNARY(asinh);
  UNARY(atan);
  UNARY(atanh);
  UNARY(cbrt);
  UNARY(ceil);
  UNARY(cos);
  UNARY(cosh);
  UNARY(erf);
  UNARY(erfc);
  UNARY(exp);
  UNARY(exp2);
  UNARY(expm1);
  UNARY(fabs);
  UNARY(floor);
  UNARY(log);
  UNARY(log10);
  UNARY(log1p);
  UNARY(log2);
  UNARY(rint);
  UNARY(round);
  UNARY(sin);
  UNARY(sinh);
  UNARY(sqrt);
  UNARY(tan);
  UNARY(tanh);
  UNARY(trunc);
  UNARY(lgamma);
  UNARY(tgamma);
  UNARY(nearbyint);
  BINARY(atan2);
  BINARY(copysign);
  BINARY(fmod);
  BINARY(pow);
  add("__nv_fmax", +[](double x, double y) { return maximum(x, y); });
  add("__nv_fmaxf", +[](float x, float y) { return maximum(x, y); });
  add("__nv_fmin", +[](double x, double y) { return -maximum(-x, -y); });
  add("__nv_fminf", +[](float x, float y) { return -maximum(-x, -y); });
  BINARY(fdim);
  BINARY(hypot);
  BINARY(remainder);
  FAST(cos);
  FAST(exp);
  FAST(log);
  FAST(log10);
  FAST(log2);
  FAST(sin);
  FAST(tan);
  add(
      "__nv_fast_powf",
      +[](float x, float y) { return float(std::pow(double(x), double(y))); });
  add(
      "__nv_fast_sincosf", +[](float x, float *sine, float *cosine) {
        *sine = float(std::sin(double(x)));
        *cosine = float(std::cos(double(x)));
      });
  add(
      "__nv_sincosf", +[](float x, float *sine, float *cosine) {
        *sine = float(std::sin(double(x)));
        *cosine = float(std::cos(double(x)));
      });
  add(
      "__nv_sincos", +[](double x, double *sine, double *cosine) {
        *sine = std::sin(x);
        *cosine = std::cos(x);
      });
  add("__nv_rsqrt", +[](double x) { return 1 / std::sqrt(x); });
  add("__nv_rsqrtf", +[](float x) { return float(1 / std::sqrt(double(x))); });
  add(
      "__nv_fma",
      +[](double x, double y, double z) { return std::fma(x, y, z); });
  add(
      "__nv_fmaf",
      +[](float x, float y, float z) { return std::fmaf(x, y, z); });
  add("__nv_powi", +[](double x, int32_t n) { return std::pow(x, double(n)); });
  add(
      "__nv_powif", +[](float x, int32_t n) {
        return float(std::pow(double(x), double(n)));
      });
  add("__nv_isfinited", +[](double x) { return int32_t(std::isfinite(x)); });
  add("__nv_finitef", +[](float x) { return int32_t(std::isfinite(x)); });
  add("__nv_isinfd", +[](double x) { return int32_t(std::isinf(x)); });
  add("__nv_isinff", +[](float x) { return int32_t(std::isinf(x)); });
  add("__nv_isnand", +[](double x) { return int32_t(std::isnan(x)); });
  add("__nv_isnanf", +[](float x) { return int32_t(std::isnan(x)); });
  add(
      "__nv_abs",
      +[](int32_t x) { return int32_t(x < 0 ? 0u - uint32_t(x) : x); });
  add(
      "__nv_llabs",
      +[](int64_t x) { return int64_t(x < 0 ? 0u - uint64_t(x) : x); });
  add("__nv_double2float_rz", +[](double x) { return roundTowardsZero(x); });
  add(
      "egg_flush", +[](float x) {
        return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
      });
  add("egg_truncate_tf32", +[](float x) { return truncateToTF32(x); });
  return symbols;
}
