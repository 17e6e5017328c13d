//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// TensorMap: what a TMA descriptor holds, as a value. The launch gives it to a
// kernel in place of the driver's 128 opaque bytes.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_EMULATOR_TENSORMAP_H
#define EGG_EMULATOR_TENSORMAP_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace egg {

struct TensorMap {
  enum class Swizzle { None, B32, B64, B128 };

  /// Start of the tensor in global memory, a multiple of 16 bytes.
  char *base = nullptr;
  /// f32, f16, bf16, tf32, i32, i16, i8, f64 or i64. Loads of tf32 round to its
  /// mantissa; loads of f32 do not.
  std::string dtype = "f32";
  /// Extents, innermost first (the driver's order).
  std::vector<int64_t> dims;
  /// Bytes between neighbours of every dimension but the innermost.
  std::vector<int64_t> strides;
  /// Tile mode: extents of the box, innermost first.
  std::vector<int64_t> box;
  Swizzle swizzle = Swizzle::None;

  /// Im2col mode (`box` is empty): corners of the bounding box by spatial
  /// dimension, innermost first, channels and pixels of a column.
  std::vector<int64_t> lowerCorner, upperCorner;
  int64_t channels = 0, pixels = 0;

  bool isIm2col() const { return box.empty(); }
  int64_t elementBytes() const;
  /// Bytes one copy moves, those outside the tensor included.
  int64_t boxBytes() const;
  /// What the driver would refuse: ranks, alignments, extents, swizzle spans.
  llvm::Error check() const;
};

} // namespace egg

#endif // EGG_EMULATOR_TENSORMAP_H
