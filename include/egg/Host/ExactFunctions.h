//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Functions on residues that depend on the seed: exp and log, which are
// homomorphisms between the two fields, and uninterpreted functions, which are
// keyed hashes.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_HOST_EXACTFUNCTIONS_H
#define EGG_HOST_EXACTFUNCTIONS_H

#include "egg/Host/Residue.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace egg {

/// A function known by what it does to residues. To add one: an enumerator, its
/// names in ExactRules.cpp and, unless it is uninterpreted, a case in
/// ExactFunctions::apply.
enum class ExactFunction : int32_t {
  Neg,
  Abs,
  Add,
  Sub,
  Mul,
  Div,
  Fma,
  Maximum,
  Minimum,
  Maxnum,
  Minnum,
  Copysign,
  Exp,
  Exp2,
  Exp10,
  Expm1,
  Log,
  Log2,
  Log10,
  Log1p,
  // Uninterpreted from here on, save that a power by a small integer is a
  // product, and that rsqrt is the inverse of sqrt.
  Pow,
  Rsqrt,
  Sqrt,
  Cbrt,
  Erf,
  Erfc,
  Tanh,
  Sinh,
  Cosh,
  Asinh,
  Acosh,
  Atanh,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Atan2,
  Fmod,
  Remainder,
  Floor,
  Ceil,
  Trunc,
  Round,
  RoundEven,
  Gamma,
  LogGamma
};

/// Whether it is a keyed hash: nothing is known of it but that equal arguments
/// give equal results (and that odd and even functions are).
bool isUninterpreted(ExactFunction function);

class ExactFunctions {
public:
  enum class Mode {
    /// exp and log are homomorphisms between the fields, and what is not known
    /// of their results is unknown: programs that are equal agree.
    Homomorphic,
    /// Nothing is unknown: the other parts of exp and log are uninterpreted.
    /// Programs that agree are equal, but others may be too.
    Opaque
  };
  explicit ExactFunctions(uint64_t seed, Mode mode = Mode::Homomorphic);

  Residue apply(ExactFunction function, Residue x, Residue y = {},
                Residue z = {}) const;

  Residue exp(Residue x) const;
  Residue log(Residue x) const;
  Residue pow(Residue x, Residue y) const;
  /// A 16-bit float has the part of F_p; the other part is a function of it,
  /// one for bf16 and one for f16, that is right for small dyadic numbers.
  Residue widen(uint16_t half, bool isBfloat) const;
  /// The integer of this residue; a hash where it is unknown.
  int64_t toInteger(Residue x) const;
  /// A random pair for element number `i` of argument number `argument`.
  Residue draw(uint64_t argument, uint64_t i) const;

private:
  uint64_t hash(uint64_t x, uint64_t y) const;
  Residue uninterpreted(ExactFunction function, Residue x, Residue y) const;

  uint64_t key;
  Mode mode;
  /// Powers of the generator of the subgroup of order q, and their exponents.
  std::vector<uint16_t> powers, logarithms;
};

/// While it exists, programs compiled for exact arithmetic on this thread use
/// these functions.
class ExactScope {
public:
  explicit ExactScope(const ExactFunctions &functions);
  ~ExactScope();
  ExactScope(const ExactScope &) = delete;
  ExactScope &operator=(const ExactScope &) = delete;

private:
  const ExactFunctions *previous;
};

} // namespace egg

#endif // EGG_HOST_EXACTFUNCTIONS_H
