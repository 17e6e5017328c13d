//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes over kernel functions; documented in Passes.td.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_PASSES_H
#define EGG_KERNEL_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace egg {

#define GEN_PASS_DECL
#include "egg/Kernel/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "egg/Kernel/Passes.h.inc"

} // namespace egg

#endif // EGG_KERNEL_PASSES_H
