//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExactRules.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace egg;

/// By the name in libm; intrinsics have the same.
static constexpr ExactRule kNamedRules[] = {
    {ExactFunction::Abs, 1, "fabs"},
    {ExactFunction::Fma, 3, "fma"},
    {ExactFunction::Fma, 3, "fmuladd"},
    {ExactFunction::Maximum, 2, "maximum"},
    {ExactFunction::Minimum, 2, "minimum"},
    {ExactFunction::Maxnum, 2, "maxnum"},
    {ExactFunction::Minnum, 2, "minnum"},
    {ExactFunction::Maxnum, 2, "fmax"},
    {ExactFunction::Minnum, 2, "fmin"},
    {ExactFunction::Copysign, 2, "copysign"},
    {ExactFunction::Exp, 1, "exp"},
    {ExactFunction::Exp2, 1, "exp2"},
    {ExactFunction::Exp10, 1, "exp10"},
    {ExactFunction::Expm1, 1, "expm1"},
    {ExactFunction::Log, 1, "log"},
    {ExactFunction::Log2, 1, "log2"},
    {ExactFunction::Log10, 1, "log10"},
    {ExactFunction::Log1p, 1, "log1p"},
    {ExactFunction::Pow, 2, "pow"},
    {ExactFunction::Rsqrt, 1, "rsqrt"},
    {ExactFunction::Sqrt, 1, "sqrt"},
    {ExactFunction::Cbrt, 1, "cbrt"},
    {ExactFunction::Erf, 1, "erf"},
    {ExactFunction::Erfc, 1, "erfc"},
    {ExactFunction::Tanh, 1, "tanh"},
    {ExactFunction::Sinh, 1, "sinh"},
    {ExactFunction::Cosh, 1, "cosh"},
    {ExactFunction::Asinh, 1, "asinh"},
    {ExactFunction::Acosh, 1, "acosh"},
    {ExactFunction::Atanh, 1, "atanh"},
    {ExactFunction::Sin, 1, "sin"},
    {ExactFunction::Cos, 1, "cos"},
    {ExactFunction::Tan, 1, "tan"},
    {ExactFunction::Asin, 1, "asin"},
    {ExactFunction::Acos, 1, "acos"},
    {ExactFunction::Atan, 1, "atan"},
    {ExactFunction::Atan2, 2, "atan2"},
    {ExactFunction::Fmod, 2, "fmod"},
    {ExactFunction::Remainder, 2, "remainder"},
    {ExactFunction::Floor, 1, "floor"},
    {ExactFunction::Ceil, 1, "ceil"},
    {ExactFunction::Trunc, 1, "trunc"},
    {ExactFunction::Round, 1, "round"},
    {ExactFunction::RoundEven, 1, "roundeven"},
    {ExactFunction::RoundEven, 1, "rint"},
    {ExactFunction::RoundEven, 1, "nearbyint"},
    {ExactFunction::Gamma, 1, "tgamma"},
    {ExactFunction::LogGamma, 1, "lgamma"}};

static constexpr ExactRule kOpRules[] = {{ExactFunction::Add, 2, "llvm.fadd"},
                                         {ExactFunction::Sub, 2, "llvm.fsub"},
                                         {ExactFunction::Mul, 2, "llvm.fmul"},
                                         {ExactFunction::Div, 2, "llvm.fdiv"},
                                         {ExactFunction::Neg, 1, "llvm.fneg"},
                                         {ExactFunction::Fmod, 2, "llvm.frem"}};

static constexpr ExactRule kReductionRules[] = {
    {ExactFunction::Add, 2, "fadd"},
    {ExactFunction::Mul, 2, "fmul"},
    {ExactFunction::Maxnum, 2, "fmax"},
    {ExactFunction::Minnum, 2, "fmin"},
    {ExactFunction::Maximum, 2, "fmaximum"},
    {ExactFunction::Minimum, 2, "fminimum"}};

static std::optional<ExactRule> lookUp(llvm::ArrayRef<ExactRule> rules,
                                       llvm::StringRef name) {
  const auto *found = llvm::find_if(
      rules, [&](const ExactRule &rule) { return rule.name == name; });
  if (found == rules.end())
    return std::nullopt;
  return *found;
}

std::optional<ExactRule> egg::findRuleForOp(llvm::StringRef op) {
  if (op.consume_front("llvm.intr."))
    return lookUp(kNamedRules, op);
  return lookUp(kOpRules, op);
}

std::optional<ExactRule> egg::findRuleForReduction(llvm::StringRef op) {
  if (!op.consume_front("llvm.intr.vector.reduce."))
    return std::nullopt;
  return lookUp(kReductionRules, op);
}

std::optional<ExactRule> egg::findRuleForFunction(llvm::StringRef callee) {
  if (callee.consume_front("__nv_"))
    callee.consume_front("fast_");
  if (auto rule = lookUp(kNamedRules, callee))
    return rule;
  if (callee.consume_back("f"))
    return lookUp(kNamedRules, callee);
  return std::nullopt;
}
