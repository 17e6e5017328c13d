//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether each decision of a schedule is made once.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SCHEDULE_CHECKDECISIONS_H
#define EGG_LIB_SCHEDULE_CHECKDECISIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// An error for each op of a kernel's sequences that decides what an earlier
/// one has decided: of the two, one would be lost without a word.
mlir::LogicalResult checkDecisions(mlir::ModuleOp schedule);

} // namespace egg

#endif // EGG_LIB_SCHEDULE_CHECKDECISIONS_H
