//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_SCHEDULE_PASSES_TD
#define EGG_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplySchedulePass : Pass<"egg-apply-schedule", "mlir::ModuleOp"> {
  let summary = "Applies a schedule file to a payload";
  let description = [{
    Reads the schedule, refuses it unless it consists of accepted ops with
    resolved knobs, and applies it: `@algorithm` cuts `@main` into kernels, the
    three sequences of each kernel decide its mapping, and the kernels are
    materialized as GPU code.

    The pass fails, naming the step, the place and what would help, when the
    file is missing or does not parse, an op is not accepted, the script is for
    another payload, a step refuses, an operation is left outside every kernel,
    or the kernels formed and the modules of the script differ. The payload is
    then in an undefined state.

    With `materialize=false` the kernels stay functions on tensors with their
    decisions in `egg.config`. The module gets the schedule's `egg.target`, which
    the passes that compile it check.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"",
           "Path of the schedule file">,
    Option<"checkPayload", "check-payload", "bool", /*default=*/"true",
           "Refuse a schedule whose egg.payload is not this payload's hash">,
    Option<"materialize", "materialize", "bool", /*default=*/"true",
           "Build the kernels as GPU code">
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::func::FuncDialect",
    "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
    "mlir::math::MathDialect", "mlir::memref::MemRefDialect",
    "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect",
    "mlir::transform::TransformDialect", "mlir::ub::UBDialect",
    "mlir::vector::VectorDialect"
  ];
}

#endif // EGG_SCHEDULE_PASSES_TD
