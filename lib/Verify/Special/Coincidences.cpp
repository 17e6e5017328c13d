//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Coincidences.h"
#include "../Rows/CollectRows.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace egg;

static constexpr int64_t kMaxRounds = 4;

Coincidences::Coincidences(std::vector<int64_t> arguments,
                           llvm::ArrayRef<int64_t> shape,
                           llvm::SmallBitVector dims,
                           llvm::ArrayRef<double> values)
    : arguments(std::move(arguments)), dims(std::move(dims)) {
  // With what is infinite or NaN, one number stands for all but zero.
  auto stands = [](double value) {
    return !std::isfinite(value) || value == 1 ||
           (value == 0 && !std::signbit(value));
  };
  for (double a : values)
    for (double b : values)
      if (std::isfinite(a) && std::isfinite(b))
        finite.emplace_back(a, b);
      else if (stands(a) && stands(b) && !(std::isnan(a) && std::isnan(b)))
        others.emplace_back(a, b);
  int64_t rows = countRows(shape, this->dims);
  int64_t length = mlir::ShapedType::getNumElements(shape) / rows;
  int64_t needed =
      int64_t(llvm::divideCeil(finite.size(), length)) + int64_t(others.size());
  rounds = std::min(kMaxRounds, int64_t(llvm::divideCeil(needed, rows)));
}

void Coincidences::set(llvm::MutableArrayRef<HostTensor> inputs,
                       int64_t element, const Pair &pair) const {
  for (auto [place, argument] : llvm::enumerate(arguments))
    inputs[size_t(argument)].setFloat(element,
                                      place % 2 ? pair.second : pair.first);
}

void Coincidences::place(llvm::MutableArrayRef<HostTensor> inputs,
                         int64_t round) const {
  std::vector<std::vector<int64_t>> rows =
      collectRows(inputs[size_t(arguments.front())], dims);
  // Logarithms and roots of the others are not to hide the pairs.
  for (int64_t argument : arguments)
    for (int64_t i = 0; i < inputs[size_t(argument)].getNumElements(); ++i)
      inputs[size_t(argument)].setFloat(
          i, std::abs(inputs[size_t(argument)].getFloat(i)));
  size_t length = rows.front().size();
  size_t finiteRows = llvm::divideCeil(finite.size(), length);
  for (auto [number, row] : llvm::enumerate(rows)) {
    size_t turn = size_t(round) * rows.size() + number;
    if (turn >= finiteRows) {
      size_t next = turn - finiteRows;
      // Where in the row is a matter of turns, too.
      if (next < others.size())
        set(inputs, row[next * 7 % length], others[next]);
      continue;
    }
    for (size_t i = 0; i < length && turn * length + i < finite.size(); ++i)
      set(inputs, row[i], finite[turn * length + i]);
  }
}
