//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes of the Proof library.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_PROOF_PASSES
#define EGG_PROOF_PASSES

include "mlir/Pass/PassBase.td"

def ProveKernels : Pass<"egg-prove-kernels", "::mlir::ModuleOp"> {
  let summary = "Prove that materialized kernels store the payload's bits";
  let description = [{
    Compares the kernels of a materialized module with the payload that they
    were made from, as terms, for all inputs and threads at the module's own
    extents (translation validation). Elementwise kernels can be proved; those
    with reductions, barriers or shared memory cannot. What is proved is a
    remark, and what is not an error that says why:

    ```
    k.mlir:7:5: error: not proved: kernel 'k': arith.subf has its operands in
        another order than the payload's 'sub_0'
    ```

    The module is left as it is.
  }];
  let options = [
    Option<"payload", "payload", "std::string", "\"\"",
           "File with the payload">,
    Option<"chip", "chip", "std::string", "\"sm_90a\"",
           "Chip whose limits hold">,
    Option<"mostSteps", "most-steps", "int64_t", "200000",
           "Steps that a proof may take">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::math::MathDialect"];
}

#endif // EGG_PROOF_PASSES
