//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The compute ops of a payload as a graph: free ops (reshapes, fills, scalars)
// are edges of it, not nodes.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_EXPERT_COMPUTEGRAPH_H
#define EGG_LIB_AGENT_EXPERT_COMPUTEGRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace egg {

/// An op of the entry block that carries an egg.name.
bool isNamed(mlir::Operation *op);
llvm::StringRef nameOf(mlir::Operation *op);

/// Compute ops that read a result of the op, in program order.
llvm::SmallVector<mlir::Operation *> computeUsers(mlir::Operation *op);
/// Compute ops whose results the op reads, in program order.
llvm::SmallVector<mlir::Operation *> computeProducers(mlir::Operation *op);
/// Whether anything but compute ops reads a result (a call, the return).
bool hasOtherUsers(mlir::Operation *op);

/// Moves elements without arithmetic: pad, slices, transpose, broadcast,
/// concat, and generics that only copy or convert.
bool isCheap(mlir::Operation *op);

/// At most four scalar ops an element, of them at most one math function.
bool isLight(mlir::Operation *op);

/// An anchor that reads some input element at more than one point of its
/// parallel dims (windows, matrix products): what feeds it is computed again
/// for every reader.
bool rereadsInputs(mlir::Operation *anchor);

/// Elements of the first result.
int64_t elementCount(mlir::Operation *op);

} // namespace egg

#endif // EGG_LIB_AGENT_EXPERT_COMPUTEGRAPH_H
