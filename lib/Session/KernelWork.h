//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a kernel function moves and computes, for the roofline model.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SESSION_KERNELWORK_H
#define EGG_LIB_SESSION_KERNELWORK_H

#include "egg/Target/Roofline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace egg {

/// Counts a kernel on tensors: every argument is read and every result written
/// once; every point of a linalg op's loops does its body's float ops once.
Work measureKernel(mlir::func::FuncOp kernel);

} // namespace egg

#endif // EGG_LIB_SESSION_KERNELWORK_H
