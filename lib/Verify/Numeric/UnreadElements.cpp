//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "UnreadElements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;

/// Elements of one input that a message names.
static constexpr int64_t kNamedElements = 3;

void UnreadElements::remove(llvm::ArrayRef<ElementsRead> read) {
  if (readOf.empty()) {
    readOf.assign(read.begin(), read.end());
    return;
  }
  for (auto [all, more] : llvm::zip_equal(readOf, read))
    for (auto [mark, other] : llvm::zip_equal(all, more))
      mark |= other;
}

bool UnreadElements::anyOf(size_t input) const {
  return llvm::is_contained(readOf[input], 0);
}

bool UnreadElements::any() const {
  return llvm::any_of(llvm::seq(readOf.size()),
                      [&](size_t input) { return anyOf(input); });
}

std::string UnreadElements::str(llvm::ArrayRef<TensorSpec> arguments,
                                llvm::ArrayRef<HostTensor> inputs) const {
  std::string text;
  for (auto [number, read] : llvm::enumerate(readOf)) {
    int64_t count = 0;
    std::string elements;
    std::string name = arguments[number].name;
    if (name.empty())
      name = "argument " + std::to_string(number);
    for (auto [i, mark] : llvm::enumerate(read))
      if (!mark && count++ < kNamedElements)
        elements += (count > 1 ? ", " : "") + name +
                    inputs[number].formatIndex(int64_t(i));
    if (count > 0)
      text += llvm::formatv(
          "{0}{1}{2}", text.empty() ? "no kernel reads " : "; nor ", elements,
          count > kNamedElements ? llvm::formatv(" ({0} elements)", count).str()
                                 : "");
  }
  return text;
}
