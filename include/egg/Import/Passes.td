//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The pass that turns torch-mlir's output into a payload.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_IMPORT_PASSES
#define EGG_IMPORT_PASSES

include "mlir/Pass/PassBase.td"

def ImportTorch : Pass<"egg-import-torch", "::mlir::ModuleOp"> {
  let summary = "Normalise what torch-mlir produced to a payload";
  let description = [{
    Leaves one function @main as docs/Architecture.md describes a payload, or
    fails with a diagnostic at the first op, type or shape that is not
    supported, located where the importer located it.

    - Assertions go (of shapes and of indices in range: an index out of range
      is undefined here, as it is on PyTorch's GPU). Unused globals and
      functions go; used ones are refused.
    - Python's double constants are rounded to the precision they are used in,
      to nearest even, as PyTorch does; comparisons with them too.
    - Results that nobody uses go (softmax arrives with an argmax), and so do
      inputs that are a splat: they become constants in the body.
    - Loops and dimensions of extent one of linalg.generic go.
    - Gathers with affine indices (flips) become indexing maps.
    - What has no elements becomes a tensor.empty, and a reduction over none
      its init (a sum zero, a product one). An element read from a tensor that
      has none is refused.
    - The position of a greatest or least element is PyTorch's: that of the
      first NaN if there is one, of the first of equals otherwise.
    - A fill or constant that @main returns becomes a copy, a compute op.
    - Elementwise ops on tensors become linalg.generic.
    - A scan between two flips becomes a reverse egg.scan, a scan shifted
      behind a neutral element an exclusive one.
    - Every compute op gets its name (nameComputeOps).

    Named linalg ops stay. Nothing is fused: that is the algorithm stage's
    choice.
  }];
  let dependentDialects = ["::egg::EggDialect", "::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
      "::mlir::tensor::TensorDialect"];
}

def CheckPayload : Pass<"egg-check-payload", "::mlir::ModuleOp"> {
  let summary = "Refuse a module that is not a payload";
  let description = [{
    Checks the contract in docs/Architecture.md: one function @main on ranked
    tensors of static shape and supported dtype, signature attributes in
    order, no control flow, only ops of linalg, tensor, arith, math and egg.
  }];
}

def NameOps : Pass<"egg-name-ops", "::mlir::ModuleOp"> {
  let summary = "Give every compute op its name for scripts";
  let description = [{
    Sets the string attribute `egg.name`: kind and number in program order, as
    in "matmul_0" or "reduce_max_3". Names that are there stay.
  }];
}

#endif // EGG_IMPORT_PASSES
