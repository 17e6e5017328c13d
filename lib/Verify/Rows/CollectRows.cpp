//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CollectRows.h"
#include "llvm/ADT/STLExtras.h"

using namespace egg;

int64_t egg::countRows(llvm::ArrayRef<int64_t> shape,
                       const llvm::SmallBitVector &dims) {
  int64_t count = 1;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (!dims[dim])
      count *= extent;
  return count;
}

std::vector<std::vector<int64_t>>
egg::collectRows(const HostTensor &tensor, const llvm::SmallBitVector &dims) {
  int64_t rank = int64_t(tensor.shape.size());
  std::vector<std::vector<int64_t>> rows(
      static_cast<size_t>(countRows(tensor.shape, dims)));
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    int64_t rest = i, number = 0, scale = 1;
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      if (!dims[dim]) {
        number += rest % tensor.shape[dim] * scale;
        scale *= tensor.shape[dim];
      }
      rest /= tensor.shape[dim];
    }
    rows[number].push_back(i);
  }
  return rows;
}
