//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Combining partial results of a reduction between the threads of a group:
// shuffles inside a warp, then shared memory between warps. The order of the
// combination is fixed, so results are the same in every run.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_KERNEL_GROUPREDUCE_H
#define EGG_LIB_KERNEL_GROUPREDUCE_H

#include "KernelBuilder.h"

namespace egg {

/// Clones a combiner op (such as arith.addf) on two new operands.
mlir::Value applyCombiner(mlir::OpBuilder &b, mlir::Operation *combiner,
                          mlir::Value lhs, mlir::Value rhs);

/// The neutral element of a combiner; null if it has none.
mlir::Value neutralElement(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Operation *combiner);

/// The value of the lane that mode and offset select, for any scalar type of
/// up to 64 bits.
mlir::Value shuffle(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                    int32_t offset, mlir::gpu::ShuffleMode mode);

/// Every thread of a group of groupSize neighbouring threads (a power of two)
/// passes its partial result and gets the total of its group. groupNumber and
/// threadInGroup say who it is; all threads of the block must take part.
mlir::Value reduceInGroup(KernelBuilder &kb, mlir::Operation *combiner,
                          mlir::Value partial, int64_t groupSize,
                          int64_t groups, mlir::AffineExpr groupNumber,
                          mlir::AffineExpr threadInGroup);

} // namespace egg

#endif // EGG_LIB_KERNEL_GROUPREDUCE_H
