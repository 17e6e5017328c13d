//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Layouts of the memory in which generated code hands the operands of matrix
// instructions over, and the element types they may have.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_EMULATOR_MATRIX_MATRIXTYPES_H
#define EGG_LIB_EMULATOR_MATRIX_MATRIXTYPES_H

#include <cstdint>

namespace egg::simt {

/// Element types of factors; accumulators are f32.
enum class FactorType : int32_t { BF16, F16, TF32 };
inline constexpr const char *kFactorNames[] = {"bf16", "f16", "tf32"};
inline int factorBytes(FactorType type) {
  return type == FactorType::TF32 ? 4 : 2;
}

/// mma.sync: rows by k is 16 by `k`, k by columns is `k` by 8.
struct MmaOperands {
  uint32_t a[4], b[2];
  float accumulators[4];
};

/// wgmma: 64 by `n` by 32 bytes. `aRegisters` count where A is not in memory.
struct WgmmaOperands {
  uint64_t a, b;
  int32_t scaleD, scaleA, scaleB, transposeA, transposeB, reserved;
  uint32_t aRegisters[4];
  float accumulators[128];
};
static_assert(sizeof(WgmmaOperands) == 16 + 24 + 16 + 512);

} // namespace egg::simt

#endif // EGG_LIB_EMULATOR_MATRIX_MATRIXTYPES_H
