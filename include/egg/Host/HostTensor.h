//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// HostTensor: a dense row-major tensor in host memory with its dtype by MLIR
// name. A value; elements are read and written as double or int64.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_HOST_HOSTTENSOR_H
#define EGG_HOST_HOSTTENSOR_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace egg {

struct HostTensor {
  /// Extents, outermost first; empty for a scalar.
  std::vector<int64_t> shape;
  /// f64, f32, f16, bf16, i64, i32, i16, i8 or i1 (one byte an element, 0/1).
  std::string dtype;
  std::vector<char> bytes;

  /// A tensor of zeros. The dtype must be one of the above.
  static HostTensor zeros(std::vector<int64_t> shape, llvm::StringRef dtype);

  int64_t getNumElements() const;
  bool isFloat() const;

  /// Element number `i` in row-major order; integers are converted.
  double getFloat(int64_t i) const;
  int64_t getInteger(int64_t i) const;
  /// Rounds to nearest even for floats; truncates for integers.
  void setFloat(int64_t i, double value);
  void setInteger(int64_t i, int64_t value);

  /// The same values in another dtype.
  HostTensor convertTo(llvm::StringRef newDtype) const;

  /// Indices of element number `i`, for messages: "[1, 2]".
  std::string formatIndex(int64_t i) const;
};

/// Unit roundoff of a float dtype (half a unit in the last place of 1).
double getUnitRoundoff(llvm::StringRef dtype);

} // namespace egg

#endif // EGG_HOST_HOSTTENSOR_H
