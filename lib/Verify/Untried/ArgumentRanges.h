//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The integers that a payload's arguments may hold at full size, and those that
// inputs are drawn from at small extents (egg/Import/InputRules.h).
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_UNTRIED_ARGUMENTRANGES_H
#define EGG_LIB_VERIFY_UNTRIED_ARGUMENTRANGES_H

#include "IntegerValue.h"
#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace egg {

/// One value for each argument of @main; `small` is the same payload at small
/// extents.
std::vector<IntegerValue> readArgumentRanges(mlir::ModuleOp payload,
                                             mlir::ModuleOp small);

} // namespace egg

#endif // EGG_LIB_VERIFY_UNTRIED_ARGUMENTRANGES_H
