//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_SESSION_PASSES_TD
#define EGG_SESSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ProposePass : Pass<"egg-propose", "mlir::ModuleOp"> {
  let summary = "Asks an agent for a schedule and prints it";
  let description = [{
    Prints the agent's script for the payload to standard output, or to a file.
    The payload is unchanged; run egg-opt with `-o /dev/null` to see the script
    alone. The script is text from an agent: egg-apply-schedule and
    egg-verify-schedule judge it.

    The pass fails when there is no such agent, or when the agent has no script
    for the payload; the message names the operation and the reason.
  }];
  let options = [
    Option<"agent", "agent", "std::string", /*default=*/"\"expert\"",
           "Who proposes: expert, replay">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "Chip the script is for">,
    Option<"schedule", "schedule", "std::string", /*default=*/"",
           "Recorded script of the replay agent">,
    Option<"output", "output", "std::string", /*default=*/"\"-\"",
           "File the script is written to; - for standard output">,
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Seed of the agent's random choices">
  ];
}

def OptimizePass : Pass<"egg-optimize", "mlir::ModuleOp"> {
  let summary = "Makes an artifact of a payload: script, PTX, plan, report";
  let description = [{
    Asks an agent for a schedule, has it checked (see egg-verify-schedule),
    applies it to a copy of the payload, lowers the kernels to PTX, plans the
    launches, and writes the artifact directory: payload.mlir, schedule.mlir, plan.json, kernels.ptx, kernels.cubin (where
    ptxas is found), report.json and summary.md. The directory appears whole or
    not at all; an earlier artifact there is replaced, anything else is not. The
    payload does not change; run egg-opt with `-o /dev/null`.

    Some payloads cannot be made small enough to compare their results on a CPU,
    and `verify=false` skips the check: the report and the summary then have the
    verdict `unverified` with the reason. `require=GRADE` makes a lower grade an
    error (see docs/Verification.md for what they mean).

    Fails with one message that names the step (propose, accept, verify, apply,
    materialize, plan, lower, emit), the place, the reason and what would help.
  }];
  let options = [
    Option<"out", "out", "std::string", /*default=*/"",
           "Directory of the artifact">,
    Option<"agent", "agent", "std::string", /*default=*/"\"expert\"",
           "Who proposes: expert, replay">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "Chip to compile for">,
    Option<"schedule", "schedule", "std::string", /*default=*/"",
           "Recorded script of the replay agent">,
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Seed of the agent's random choices and of the inputs that verify">,
    Option<"verify", "verify", "bool", /*default=*/"true",
           "Check the script on the CPU before it is believed">,
    Option<"verifySeconds", "verify-seconds", "double", /*default=*/"120",
           "Limit on the time that the check takes">,
    Option<"verifyMemory", "verify-memory", "int64_t", /*default=*/"6144",
           "MiB of address space that the check may take">,
    Option<"require", "require", "std::string", /*default=*/"\"unverified\"",
           "Least grade to make an artifact with: unverified, tested, "
           "bounded, exact or proved">,
    Option<"ptxas", "ptxas", "std::string", /*default=*/"",
           "Path of ptxas; searched for if empty">,
    Option<"libdevice", "libdevice", "std::string", /*default=*/"",
           "Path of libdevice's bitcode; searched for if empty">,
    Option<"cudaPath", "cuda-path", "std::string", /*default=*/"",
           "Root of the CUDA toolkit to use for both">
  ];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::cf::ControlFlowDialect", "mlir::func::FuncDialect",
    "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
    "mlir::LLVM::LLVMDialect", "mlir::math::MathDialect",
    "mlir::memref::MemRefDialect", "mlir::NVVM::NVVMDialect",
    "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect",
    "mlir::transform::TransformDialect", "mlir::ub::UBDialect",
    "mlir::vector::VectorDialect"
  ];
}

#endif // EGG_SESSION_PASSES_TD
