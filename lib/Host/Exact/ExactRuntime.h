//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The functions that programs converted to exact arithmetic call. Residues
// travel as i32.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_HOST_EXACT_EXACTRUNTIME_H
#define EGG_LIB_HOST_EXACT_EXACTRUNTIME_H

#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <utility>
#include <vector>

namespace egg {

/// One function of the runtime: `signature` has a letter for the result, then
/// one for each argument: w = i32, d = i64. There is none of fewer bits: the
/// ABI leaves open what stands above them.
struct ExactRuntimeFunction {
  const char *name;
  const char *signature;
  void *address;
};

const std::vector<ExactRuntimeFunction> &getExactRuntime();

/// Declares them all in a module in the LLVM dialect, as functions without
/// effects.
void declareExactRuntime(mlir::ModuleOp module);

} // namespace egg

#endif // EGG_LIB_HOST_EXACT_EXACTRUNTIME_H
