//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WithoutNaN.h"
#include "Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>

using namespace egg;

static bool holds(llvm::ArrayRef<HostTensor> inputs, bool (*is)(double)) {
  return llvm::any_of(inputs, [&](const HostTensor &tensor) {
    return tensor.isFloat() &&
           llvm::any_of(llvm::seq(tensor.getNumElements()),
                        [&](int64_t i) { return is(tensor.getFloat(i)); });
  });
}

bool egg::holdsNaN(llvm::ArrayRef<HostTensor> inputs) {
  return holds(inputs, [](double value) { return std::isnan(value); });
}

bool egg::holdsInfinities(llvm::ArrayRef<HostTensor> inputs) {
  return holds(inputs, [](double value) { return std::isinf(value); });
}

std::vector<HostTensor>
egg::replaceInfinities(llvm::ArrayRef<HostTensor> inputs,
                       llvm::ArrayRef<HostTensor> ordinary) {
  std::vector<HostTensor> result(inputs.begin(), inputs.end());
  for (auto [tensor, from] : llvm::zip_equal(result, ordinary))
    for (int64_t i = 0, e = tensor.isFloat() ? tensor.getNumElements() : 0;
         i < e; ++i)
      if (std::isinf(tensor.getFloat(i)))
        tensor.setFloat(i, from.getFloat(i));
  return result;
}

std::vector<HostTensor> egg::replaceNaN(llvm::ArrayRef<HostTensor> inputs,
                                        llvm::ArrayRef<HostTensor> ordinary,
                                        llvm::ArrayRef<double> thresholds) {
  std::vector<HostTensor> result(inputs.begin(), inputs.end());
  // Counted over all arguments, so that each value comes up somewhere.
  size_t replaced = 0;
  for (auto [tensor, from] : llvm::zip_equal(result, ordinary)) {
    if (!tensor.isFloat())
      continue;
    std::vector<double> values = {0.0, -0.0};
    // Denormals are placed nowhere where NaN may spread.
    llvm::append_range(values, getThresholdValues(thresholds, tensor.dtype,
                                                  /*denormals=*/false));
    for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
      if (!std::isnan(tensor.getFloat(i)))
        continue;
      tensor.setFloat(i, replaced % 2 == 0
                             ? from.getFloat(i)
                             : values[replaced / 2 % values.size()]);
      ++replaced;
    }
  }
  return result;
}
