//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What operations read and write in memory, for loops that run side by side.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_GUARD_ACCESSES_H
#define EGG_GUARD_ACCESSES_H

#include "mlir/IR/Operation.h"

namespace egg {

/// One effect of an op on memory that other threads see.
struct Access {
  mlir::Operation *op;
  /// The buffer behind all views; null if it is not known.
  mlir::Value buffer;
  bool isWrite;
};

/// Adds all accesses of `root` and of what is in it.
void collectAccesses(mlir::Operation *root,
                     llvm::SmallVectorImpl<Access> &found);

} // namespace egg

#endif // EGG_GUARD_ACCESSES_H
