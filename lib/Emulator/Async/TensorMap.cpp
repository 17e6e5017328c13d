//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Emulator/TensorMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;

int64_t TensorMap::elementBytes() const {
  return llvm::StringSwitch<int64_t>(dtype)
      .Cases({"f64", "i64"}, 8)
      .Cases({"f32", "tf32", "i32"}, 4)
      .Cases({"f16", "bf16", "i16"}, 2)
      .Case("i8", 1)
      .Default(0);
}

int64_t TensorMap::boxBytes() const {
  if (isIm2col())
    return channels * pixels * elementBytes();
  int64_t bytes = elementBytes();
  for (int64_t extent : box)
    bytes *= extent;
  return bytes;
}

llvm::Error TensorMap::check() const {
  auto error = [](const char *what) {
    return llvm::createStringError(llvm::formatv("tensor map: {0}", what));
  };
  if (elementBytes() == 0)
    return error("the dtype is none of f64 f32 tf32 f16 bf16 i64 i32 i16 i8");
  if (dims.empty() || dims.size() > 5)
    return error("a tensor has 1 to 5 dimensions");
  if (strides.size() + 1 != dims.size())
    return error("give a stride for every dimension but the innermost");
  if (reinterpret_cast<uintptr_t>(base) % 16 != 0)
    return error("the base is not a multiple of 16 bytes");
  for (int64_t stride : strides)
    if (stride % 16 != 0 || stride < 0)
      return error("strides are multiples of 16 bytes");
  for (int64_t extent : dims)
    if (extent < 1)
      return error("extents are positive");
  int64_t inner;
  if (isIm2col()) {
    if (dims.size() < 3 || lowerCorner.size() != dims.size() - 2 ||
        upperCorner.size() != dims.size() - 2)
      return error("im2col takes 3 to 5 dimensions and two corners of two "
                   "fewer");
    if (channels < 1 || channels > 256 || pixels < 1 || pixels > 1024)
      return error("im2col takes 1 to 256 channels and 1 to 1024 pixels");
    inner = channels * elementBytes();
  } else {
    if (box.size() != dims.size())
      return error("the box has another rank than the tensor");
    for (int64_t extent : box)
      if (extent < 1 || extent > 256)
        return error("extents of a box are 1 to 256");
    inner = box[0] * elementBytes();
  }
  if (inner % 16 != 0)
    return error("the innermost extent of the box is not a multiple of 16 "
                 "bytes");
  int64_t span = swizzle == Swizzle::B128  ? 128
                 : swizzle == Swizzle::B64 ? 64
                 : swizzle == Swizzle::B32 ? 32
                                           : inner;
  if (inner > span)
    return error("the innermost extent of the box exceeds the swizzle's span");
  return llvm::Error::success();
}
