//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether the value of each knob is one of its options.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SCHEDULE_CHECKSELECTIONS_H
#define EGG_LIB_SCHEDULE_CHECKSELECTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// For a schedule that parses and is not verified yet: an error for the first
/// knob whose value is not one of its options, with both.
mlir::LogicalResult checkSelections(mlir::ModuleOp schedule);

} // namespace egg

#endif // EGG_LIB_SCHEDULE_CHECKSELECTIONS_H
