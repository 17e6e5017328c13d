//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Conversions between half-width floats and wider ones, correctly rounded: the
// functions that compiled code calls where the CPU has no instruction, and the
// ones with which tensors are read and written.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_HOST_HALFCONVERSIONS_H
#define EGG_HOST_HALFCONVERSIONS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace egg {

/// IEEE binary16 and bfloat16 bit patterns to and from double; rounding is to
/// nearest, ties to even, in one step.
double halfToDouble(uint16_t bits);
uint16_t doubleToHalf(double value);
double bfloatToDouble(uint16_t bits);
uint16_t doubleToBFloat(double value);

/// The compiler's runtime functions for these types, by name.
std::vector<std::pair<std::string, void *>> getHalfConversionSymbols();

} // namespace egg

#endif // EGG_HOST_HALFCONVERSIONS_H
