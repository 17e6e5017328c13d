//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the threads of kernels do one after the other, as the emulator runs them
// (a GPU runs them at once, and the roofline model does not ask).
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_THREADWORK_H
#define EGG_KERNEL_THREADWORK_H

#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Threads of a materialized module's kernels and operations that these
/// execute, together.
struct ThreadWork {
  int64_t threads = 0;
  /// Of loops with unknown bounds one round is counted, and of those that begin
  /// at an unknown number as many as from zero; both sides of a condition.
  double operations = 0;
};

/// Counts all kernels that say how they are launched, each once.
ThreadWork measureThreadWork(mlir::ModuleOp materialized);

} // namespace egg

#endif // EGG_KERNEL_THREADWORK_H
