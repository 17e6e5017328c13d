//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arguments that are added to what a softmax or a maximum sees: those that
// masks come in, -inf for what does not take part.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_ROWS_MASKARGUMENTS_H
#define EGG_LIB_VERIFY_ROWS_MASKARGUMENTS_H

#include "mlir/IR/Value.h"

namespace egg {

/// Whether the value reaches an exponential or a maximum of many elements with
/// nothing but sums and selections on the way.
bool isMask(mlir::Value value);

} // namespace egg

#endif // EGG_LIB_VERIFY_ROWS_MASKARGUMENTS_H
