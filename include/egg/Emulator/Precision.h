//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations of which the CPU does not know how precise the GPU is.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_EMULATOR_PRECISION_H
#define EGG_EMULATOR_PRECISION_H

#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace egg {

/// The operations of the module's kernels, each with its location, that the
/// emulator computes as well as the host can while the GPU approximates them
/// by more than libdevice's few units in the last place.
std::vector<std::string> findUnknownPrecision(mlir::ModuleOp kernels);

} // namespace egg

#endif // EGG_EMULATOR_PRECISION_H
