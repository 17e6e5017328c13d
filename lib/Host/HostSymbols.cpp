//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostSymbols.h"
#include "llvm/ADT/StringSet.h"

bool egg::mayBeCalled(llvm::StringRef name) {
  static const llvm::StringSet<> mathematics = {
      "acos",  "acosh", "asin",      "asinh",     "atan",   "atan2",
      "atanh", "cbrt",  "ceil",      "copysign",  "cos",    "cosh",
      "erf",   "erfc",  "exp",       "exp10",     "exp2",   "expm1",
      "fabs",  "fdim",  "floor",     "fma",       "fmax",   "fmin",
      "fmod",  "frexp", "hypot",     "ldexp",     "lgamma", "log",
      "log10", "log1p", "log2",      "nearbyint", "pow",    "remainder",
      "rint",  "round", "roundeven", "scalbn",    "sin",    "sincos",
      "sinh",  "sqrt",  "tan",       "tanh",      "tgamma", "trunc"};
  static const llvm::StringSet<> others = {
      "memcpy",      "memmove",     "memset",        "bzero",
      "bcmp",        "memcmp",      "__divti3",      "__modti3",
      "__udivti3",   "__umodti3",   "__multi3",      "__ashlti3",
      "__ashrti3",   "__lshrti3",   "__powisf2",     "__powidf2",
      "__fixsfti",   "__fixdfti",   "__fixunssfti",  "__fixunsdfti",
      "__floattisf", "__floattidf", "__floatuntisf", "__floatuntidf"};
  if (others.contains(name) || mathematics.contains(name))
    return true;
  return name.consume_back("f") && mathematics.contains(name);
}
