//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExplainDifference.h"
#include "egg/Core/Plan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace egg;

Residue egg::loadResidue(const HostTensor &tensor, int64_t i) {
  uint64_t bits = 0;
  int64_t bytes = *getDtypeBytes(tensor.dtype);
  std::memcpy(&bits, tensor.bytes.data() + i * bytes, size_t(bytes));
  if (bytes == 2)
    bits |= uint64_t(Residue::unknown().b()) << 16;
  return Residue::fromBits(uint32_t(bits));
}

void egg::storeResidue(HostTensor &tensor, int64_t i, Residue value) {
  uint64_t bits = value.getBits();
  int64_t bytes = *getDtypeBytes(tensor.dtype);
  std::memcpy(tensor.bytes.data() + i * bytes, &bits, size_t(bytes));
}

/// The dimension of which only the last index is wrong, if it has others.
static std::optional<size_t> findEdge(const HostTensor &tensor,
                                      llvm::ArrayRef<int64_t> wrong) {
  int64_t stride = 1;
  for (size_t dim = tensor.shape.size(); dim-- > 0;) {
    int64_t extent = tensor.shape[dim];
    if (extent > 1 && llvm::all_of(wrong, [&](int64_t i) {
          return i / stride % extent == extent - 1;
        }))
      return dim;
    stride *= extent;
  }
  return std::nullopt;
}

static bool isWhole(Residue value) { return value.hasA() && value.hasB(); }

std::string egg::explainDifference(const HostTensor &expected,
                                   const HostTensor &got,
                                   llvm::ArrayRef<int64_t> wrong,
                                   int64_t worst) {
  if (!expected.isFloat())
    return "an index or a count is off: look at bounds, ties and the order of "
           "comparison";
  Residue right = loadResidue(expected, worst),
          actual = loadResidue(got, worst);
  if (actual.isPoison())
    return "the value is poison: it comes from memory that nothing has written "
           "or from an infinity that should not be there; look at padding and "
           "initial values";
  if (!actual.isFinite())
    return "an infinity is left: look at the initial value and the padding of "
           "a "
           "maximum or minimum";
  if (actual == Residue::neg(right))
    return "the sign is wrong: operands of a subtraction may be swapped";
  if (isWhole(right) && actual == Residue::inverse(right))
    return "the quotient is upside down: operands of a division may be swapped";
  if (isWhole(actual) && actual != Residue())
    for (int64_t i = 0, e = expected.getNumElements(); i < e; ++i)
      if (i != worst && loadResidue(expected, i) == actual)
        return llvm::formatv("the value belongs to {0}: elements are misplaced "
                             "(an operand transposed, an index shifted)",
                             expected.formatIndex(i));
  if (auto dim = findEdge(expected, wrong))
    return llvm::formatv("only the end of dimension {0} is wrong: look at "
                         "remainders of tiles and at bounds off by one",
                         *dim);
  Residue offset = Residue::sub(actual, right);
  if (wrong.size() > 1 && llvm::all_of(wrong, [&](int64_t i) {
        return Residue::sub(loadResidue(got, i), loadResidue(expected, i)) ==
               offset;
      }))
    return "all are off by the same amount: look at the initial value and at "
           "constant terms";
  Residue factor = Residue::div(actual, right);
  if (wrong.size() > 1 && llvm::all_of(wrong, [&](int64_t i) {
        return Residue::div(loadResidue(got, i), loadResidue(expected, i)) ==
               factor;
      }))
    return "all are off by the same factor: look at scales and at the number "
           "of elements a mean divides by";
  return "another formula (a term dropped, doubled or misplaced, an operand "
         "swapped, another initial value), or an identity that is not decided "
         "here: of the order of numbers (max(2 x) for 2 max(x)), of tanh, sin "
         "or erf";
}
