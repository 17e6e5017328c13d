//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// libdevice's functions on the CPU.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_EMULATOR_DEVICEMATH_H
#define EGG_LIB_EMULATOR_DEVICEMATH_H

#include <string>
#include <utility>
#include <vector>

namespace egg::simt {

/// The __nv_* functions by name. Each is computed by libm in double and rounded
/// once: libdevice differs from that by at most the error bounds that CUDA
/// publishes (for f32: exp, exp2, log and rsqrt 2 units in the last place, sin,
/// cos, erf and tanh 2, pow 8, and more for the __nv_fast_ ones), and f64
/// results by libm's own error. Basic operations and conversions are equal bit
/// for bit.
std::vector<std::pair<std::string, void *>> getDeviceMathSymbols();

} // namespace egg::simt

#endif // EGG_LIB_EMULATOR_DEVICEMATH_H
