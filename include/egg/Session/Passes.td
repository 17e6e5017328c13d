//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_SESSION_PASSES_TD
#define EGG_SESSION_PASSES_TD

include "egg/Session/AgentOptions.td"

// Of everything from the script to PTX.
defvar sessionDialects = [
  "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
  "mlir::cf::ControlFlowDialect", "mlir::func::FuncDialect",
  "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
  "mlir::LLVM::LLVMDialect", "mlir::math::MathDialect",
  "mlir::memref::MemRefDialect", "mlir::NVVM::NVVMDialect",
  "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect",
  "mlir::transform::TransformDialect", "mlir::ub::UBDialect",
  "mlir::vector::VectorDialect"
];

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
  let options = !listconcat(agentOptions, [
    Option<"output", "output", "std::string", /*default=*/"\"-\"",
           "File the script is written to; - for standard output">
  ]);
  let dependentDialects = sessionDialects;
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
  let options = !listconcat(agentOptions, [
    Option<"out", "out", "std::string", /*default=*/"",
           "Directory of the artifact">,
    Option<"verify", "verify", "bool", /*default=*/"true",
           "Check the script on the CPU before it is believed">,
    Option<"require", "require", "std::string", /*default=*/"\"unverified\"",
           "Least grade to make an artifact with: unverified, tested, "
           "bounded, exact or proved">
  ]);
  let dependentDialects = sessionDialects;
}

def PromptPass : Pass<"egg-prompt", "mlir::ModuleOp"> {
  let summary = "Prints what a language model would be asked about a payload";
  let description = [{
    Prints the messages of one request (see docs/Agents.md), exactly as they
    would be sent: the system prompt of a role in a stage, and the question with
    the computation, the figures, the script and what was tried. No model is
    asked. The payload does not change; run egg-opt with `-o /dev/null`.

    Without a schedule and attempts the expert's schedule is the current one.
    With attempts (JSON lines as a session records them) the fastest accepted
    one is, and the last refused one is what a debugger or a repair is about.
    Times and counters are those of the attempts; another current script is
    compiled, but not verified, to predict its time.

    The pass fails when a name is unknown, a file cannot be read or is no
    record, a prompt is missing or ill-formed, or the script does not form the
    kernel; the message says which.

    Example:

    ```
    egg-opt payload.mlir -o /dev/null \\
      --egg-prompt="role=coder mode=optimise stage=tensor_tiling kernel=softmax"
    ```
  }];
  let options = [
    Option<"role", "role", "std::string", /*default=*/"\"coder\"",
           "Who is asked: analyst, coder, debugger">,
    Option<"mode", "mode", "std::string", /*default=*/"",
           "Of the coder: seed, optimise (the default), repair">,
    Option<"stage", "stage", "std::string", /*default=*/"\"algorithm\"",
           "algorithm, parallel_mapping, tensor_tiling, memory_optimization">,
    Option<"kernel", "kernel", "std::string", /*default=*/"",
           "The kernel of a hardware stage">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "Chip the script is for">,
    Option<"schedule", "schedule", "std::string", /*default=*/"",
           "The current script">,
    Option<"author", "author", "std::string", /*default=*/"",
           "Who wrote the schedule; only the expert's comments are shown">,
    Option<"attempts", "attempts", "std::string", /*default=*/"",
           "File of attempts, a JSON object a line">,
    Option<"handOvers", "handovers", "std::string", /*default=*/"",
           "File of hand-overs, a JSON object a line">,
    Option<"promptsDir", "prompts-dir", "std::string", /*default=*/"",
           "Directory of prompts to use instead of the built-in ones">,
    Option<"history", "history", "bool", /*default=*/"true",
           "Show what was tried in the stage">,
    Option<"handOver", "hand-over", "bool", /*default=*/"true",
           "Show what former stages left">,
    Option<"historyTokens", "history-tokens", "int64_t", /*default=*/"1500",
           "Tokens that the history may take, about">,
    Option<"payloadTokens", "payload-tokens", "int64_t", /*default=*/"6000",
           "Tokens that the payload's text may take, about">,
    Option<"format", "format", "std::string", /*default=*/"\"markdown\"",
           "markdown, or json: the request as clients get it">
  ];
  let dependentDialects = sessionDialects;
}

#endif // EGG_SESSION_PASSES_TD
