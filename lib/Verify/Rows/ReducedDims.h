//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which dimensions of an argument are reduced first on its way through a
// payload: what is placed along them meets.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_ROWS_REDUCEDDIMS_H
#define EGG_LIB_VERIFY_ROWS_REDUCEDDIMS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallBitVector.h"

namespace egg {

/// By dimension of the value, a ranked tensor: whether the first reduction,
/// window or scan that it reaches runs along it, or a further stage of that
/// reduction. None where it reaches none.
llvm::SmallBitVector findReducedDims(mlir::Value value);

} // namespace egg

#endif // EGG_LIB_VERIFY_ROWS_REDUCEDDIMS_H
