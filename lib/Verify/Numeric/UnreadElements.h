//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Elements of the inputs that no kernel has read in any run so far: where the
// payload depends on them, the kernels are wrong, however well the results
// agreed.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_NUMERIC_UNREADELEMENTS_H
#define EGG_LIB_VERIFY_NUMERIC_UNREADELEMENTS_H

#include "egg/Core/Plan.h"
#include "egg/Emulator/Emulation.h"

namespace egg {

class UnreadElements {
public:
  /// Takes out what one run has read, by input.
  void remove(llvm::ArrayRef<ElementsRead> read);

  /// Whether some were never read; false before the first run.
  bool any() const;
  bool anyOf(size_t input) const;
  bool contains(size_t input, int64_t element) const {
    return !readOf[input][element];
  }

  /// "no kernel reads x[0, 511], x[1, 511] (2 elements)": the first few of each
  /// input; empty where there are none.
  std::string str(llvm::ArrayRef<TensorSpec> arguments,
                  llvm::ArrayRef<HostTensor> inputs) const;

private:
  /// The union over all runs.
  std::vector<ElementsRead> readOf;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_NUMERIC_UNREADELEMENTS_H
