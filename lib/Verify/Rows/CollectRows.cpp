//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CollectRows.h"

using namespace egg;

std::vector<std::vector<int64_t>>
egg::collectRows(const HostTensor &tensor, const llvm::SmallBitVector &dims) {
  int64_t rank = int64_t(tensor.shape.size()), count = 1;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!dims[dim])
      count *= tensor.shape[dim];
  std::vector<std::vector<int64_t>> rows(static_cast<size_t>(count));
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
