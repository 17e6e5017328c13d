//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a function on tensors moves and computes, for the roofline model.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_KERNELWORK_H
#define EGG_KERNEL_KERNELWORK_H

#include "egg/Target/Roofline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace egg {

/// Counts a payload or a kernel: every argument that is used is read and every
/// result written once; every point of a linalg op's loops does its body's
/// float ops once.
Work measureWork(mlir::func::FuncOp function);

/// Counts one operation as if it were a kernel of its own: each operand tensor
/// read and each result written once.
Work measureWork(mlir::Operation *op);

} // namespace egg

#endif // EGG_KERNEL_KERNELWORK_H
