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

#endif // EGG_SESSION_PASSES_TD
