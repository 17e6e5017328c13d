//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Names of a payload's compute ops, by which schedules select them.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_IMPORT_NAMEOPS_H
#define EGG_IMPORT_NAMEOPS_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace egg {

/// Whether the op computes elements of tensors: it is at the top level of a
/// function, has tensor results, and is not a constant, tensor.empty,
/// linalg.fill, a reshape or a cast.
bool isComputeOp(mlir::Operation *op);

/// What the op does, in one word: "matmul", "reduce_max", "scan_add", "exp",
/// or "map" where no one op of its body says it.
std::string getComputeKind(mlir::Operation *op);

/// Sets egg.name on every compute op that has none: its kind and the lowest
/// number that makes the name unique, in program order. Names that exist stay,
/// so calling it twice changes nothing.
void nameComputeOps(mlir::ModuleOp module);

} // namespace egg

#endif // EGG_IMPORT_NAMEOPS_H
