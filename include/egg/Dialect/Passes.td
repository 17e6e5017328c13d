//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes on the egg dialect alone.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_DIALECT_PASSES
#define EGG_DIALECT_PASSES

include "mlir/Pass/PassBase.td"

def LowerScan : Pass<"egg-lower-scan"> {
  let summary = "Lower egg.scan to sequential loops on tensors";
  let description = [{
    Each scan becomes a nest of scf.for loops that walks the scanned dimension
    innermost, one element at a time. It is the plain meaning of the op, for
    running payloads on the CPU; kernels for the GPU are made from egg.scan
    itself.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // EGG_DIALECT_PASSES
