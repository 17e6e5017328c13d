//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass of the Fuzz library.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_FUZZ_PASSES
#define EGG_FUZZ_PASSES

include "mlir/Pass/PassBase.td"

def FuzzPass : Pass<"egg-fuzz", "::mlir::ModuleOp"> {
  let summary = "Random programs through the steps that take untrusted ones";
  let description = [{
    Mode `scripts` breaks valid schedules (the expert's and random ones) and
    payloads, as operations and as text, and sends them through acceptance,
    application and lowering. A refusal must say why and where; what is
    accepted must lower.

    Mode `kernels` makes small random payloads and random schedules that the
    vocabulary allows, and runs every step of egg-verify-schedule on them: the
    kernels must compute the payload.

    A crash, a limit reached, an empty refusal, and a refusal of kernels that
    no earlier step objected to are *findings*: the pass fails, and its output,
    JSON, has them as files that are made smaller where that keeps their kind.
    Case i of a seed is the same in every run, whichever range it is part of.
    Every case runs in a child process with limits. The output is there, whole,
    from the first cases on, so that a pass that is ended leaves what it has
    found. The module that the pass
    runs on is not used and does not change.

    Example:

    ```
    egg-opt empty.mlir --egg-fuzz="mode=kernels seed=1 count=50 output=o.json"
    ```
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"scripts\"",
           "What is fuzzed: scripts or kernels">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of all cases">,
    Option<"first", "first", "uint64_t", "0", "Number of the first case">,
    Option<"count", "count", "uint64_t", "100", "Number of cases">,
    Option<"chip", "chip", "std::string", "\"sm_90a\"",
           "Chip the kernels are for">,
    Option<"timeLimit", "time-limit", "double", "60",
           "Seconds one case may take">,
    Option<"memoryLimit", "memory-limit", "int64_t", "4096",
           "MiB of memory one case may take">,
    Option<"reduce", "reduce", "int64_t", "150",
           "Attempts at making a finding smaller">,
    Option<"reduceLimit", "reduce-limit", "double", "0",
           "Seconds after which no further attempt begins; 0 for five times "
           "time-limit">,
    Option<"repeat", "repeat", "std::string", "\"\"",
           "File of a finding to run again, instead of cases; a fault that is "
           "still there is written to output, made smaller">,
    Option<"print", "print", "bool", "false",
           "Write the programs of the first case instead of running any">,
    Option<"output", "output", "std::string", "\"-\"",
           "File the result is written to; - for standard output">
  ];
}

#endif // EGG_FUZZ_PASSES
