//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExactRuntime.h"
#include "egg/Host/ExactFunctions.h"
#include <cassert>

using namespace egg;

static thread_local const ExactFunctions *current = nullptr;

ExactScope::ExactScope(const ExactFunctions &functions) : previous(current) {
  current = &functions;
}
ExactScope::~ExactScope() { current = previous; }

static Residue take(uint32_t bits) { return Residue::fromBits(bits); }

// Nearly all operations are sums and products of known parts: these are spelled
// out, as calls between small functions would cost more than they do.
static constexpr uint32_t kP = Residue::kP, kQ = Residue::kQ;
#define EGG_IS_KNOWN(x) (((x) & 0xFFFF) < kP && ((x) >> 16) < kQ)

extern "C" {
static uint32_t eggExactAdd(uint32_t x, uint32_t y) {
  if (EGG_IS_KNOWN(x) && EGG_IS_KNOWN(y)) {
    uint32_t a = (x & 0xFFFF) + (y & 0xFFFF), b = (x >> 16) + (y >> 16);
    return (a >= kP ? a - kP : a) | (b >= kQ ? b - kQ : b) << 16;
  }
  return Residue::add(take(x), take(y)).getBits();
}
static uint32_t eggExactSub(uint32_t x, uint32_t y) {
  return Residue::sub(take(x), take(y)).getBits();
}
static uint32_t eggExactMul(uint32_t x, uint32_t y) {
  if (EGG_IS_KNOWN(x) && EGG_IS_KNOWN(y))
    return (x & 0xFFFF) * (y & 0xFFFF) % kP | (x >> 16) * (y >> 16) % kQ << 16;
  return Residue::mul(take(x), take(y)).getBits();
}
static uint32_t eggExactFma(uint32_t x, uint32_t y, uint32_t z) {
  static_assert(uint64_t(kP) * kP <= UINT32_MAX, "no product overflows");
  if (EGG_IS_KNOWN(x) && EGG_IS_KNOWN(y) && EGG_IS_KNOWN(z))
    return ((x & 0xFFFF) * (y & 0xFFFF) + (z & 0xFFFF)) % kP |
           ((x >> 16) * (y >> 16) + (z >> 16)) % kQ << 16;
  return Residue::fma(take(x), take(y), take(z)).getBits();
}
static uint32_t eggExactApply(uint32_t function, uint32_t x, uint32_t y) {
  assert(current && "a program in exact arithmetic runs in an ExactScope");
  return current->apply(ExactFunction(function), take(x), take(y)).getBits();
}
static uint32_t eggExactPower(uint32_t x, uint32_t n) {
  return Residue::power(take(x), int32_t(n)).getBits();
}
static uint32_t eggExactCompare(uint32_t outcomes, uint32_t x, uint32_t y) {
  // The bits: equal, greater, less, unordered.
  if (take(x).isPoison() || take(y).isPoison())
    return outcomes >> 3 & 1;
  int order = Residue::compare(take(x), take(y));
  return outcomes >> (order == 0 ? 0 : order > 0 ? 1 : 2) & 1;
}
static uint32_t eggExactClass(uint32_t mask, uint32_t x) {
  // The bits of is.fpclass: NaNs, then negatives from infinity to zero, then
  // positives from zero to infinity.
  Residue value = take(x);
  int sign = Residue::compare(value, Residue());
  unsigned bits = value.isPoison()     ? 0x003
                  : value.isInfinite() ? (sign < 0 ? 0x004 : 0x200)
                  : sign == 0          ? 0x060
                  : sign < 0           ? 0x008
                                       : 0x100;
  return (mask & bits) != 0;
}
static uint32_t eggExactWiden(uint32_t half, uint32_t isBfloat) {
  return current->widen(uint16_t(half), isBfloat != 0).getBits();
}
static uint32_t eggExactFromSigned(uint64_t value) {
  return Residue::fromInteger(int64_t(value)).getBits();
}
static uint32_t eggExactFromUnsigned(uint64_t value) {
  return Residue::fromUnsigned(value).getBits();
}
static uint64_t eggExactToInteger(uint32_t x) {
  return uint64_t(current->toInteger(take(x)));
}
}

#undef EGG_IS_KNOWN

const std::vector<ExactRuntimeFunction> &egg::getExactRuntime() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  static const std::vector<ExactRuntimeFunction> functions = {
      {"egg_exact_add", "www", address(&eggExactAdd)},
      {"egg_exact_sub", "www", address(&eggExactSub)},
      {"egg_exact_mul", "www", address(&eggExactMul)},
      {"egg_exact_fma", "wwww", address(&eggExactFma)},
      {"egg_exact_apply", "wwww", address(&eggExactApply)},
      {"egg_exact_power", "www", address(&eggExactPower)},
      {"egg_exact_compare", "wwww", address(&eggExactCompare)},
      {"egg_exact_class", "www", address(&eggExactClass)},
      {"egg_exact_widen", "www", address(&eggExactWiden)},
      {"egg_exact_from_signed", "wd", address(&eggExactFromSigned)},
      {"egg_exact_from_unsigned", "wd", address(&eggExactFromUnsigned)},
      {"egg_exact_to_integer", "dw", address(&eggExactToInteger)}};
  return functions;
}
