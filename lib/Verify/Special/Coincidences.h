//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Special values that meet in elements of several arguments, where rows are
// reduced: zero and NaN, infinities of one sign. Each argument alone shows
// nothing of what their combination becomes.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SPECIAL_COINCIDENCES_H
#define EGG_LIB_VERIFY_SPECIAL_COINCIDENCES_H

#include "egg/Host/HostTensor.h"
#include "llvm/ADT/SmallBitVector.h"
#include <vector>

namespace egg {

class Coincidences {
public:
  /// None.
  Coincidences() = default;
  /// Of arguments of one shape, of rows along `dims`.
  Coincidences(std::vector<int64_t> arguments, llvm::ArrayRef<int64_t> shape,
               llvm::SmallBitVector dims, llvm::ArrayRef<double> values);

  int64_t countRounds() const { return rounds; }
  /// Changes ordinary inputs to those of a round, of positive values: a row has
  /// many pairs of finite values, or one with an infinity or NaN, which hides
  /// all others.
  void place(llvm::MutableArrayRef<HostTensor> inputs, int64_t round) const;

private:
  using Pair = std::pair<double, double>;
  void set(llvm::MutableArrayRef<HostTensor> inputs, int64_t element,
           const Pair &pair) const;

  std::vector<int64_t> arguments;
  llvm::SmallBitVector dims;
  std::vector<Pair> finite, others;
  int64_t rounds = 0;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_SPECIAL_COINCIDENCES_H
