//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass of the SelfCheck library.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SELFCHECK_PASSES
#define EGG_SELFCHECK_PASSES

include "mlir/Pass/PassBase.td"

def SelfCheckPass : Pass<"egg-selfcheck", "::mlir::ModuleOp"> {
  let summary = "Check the checker: are wrong kernels refused?";
  let description = [{
    Makes payloads of several classes, asks the expert for a script, breaks the
    kernels in every way that `egg-selfcheck{mutations=list}` names, and asks
    the check of egg-verify-schedule about each. The unbroken kernels must be
    accepted, the broken ones refused. A mutant that is accepted and whose
    results, at the workload's own extents, equal those of the unbroken kernels
    bit for bit counts as neither. Kernels with asynchronous copies, mbarriers
    and warpgroup products are given, with a payload each; they are broken at
    every place where they order something, and must be refused each time.

    Prints a table to `output` and the single mutants as JSON to `json`. The
    pass fails when a mutant survives or an unbroken kernel is refused. The
    module it runs on is not used and does not change.
  }];
  let options = [
    ListOption<"classes", "classes", "std::string",
               "Classes of workloads; all if empty, 'list' prints them">,
    ListOption<"mutations", "mutations", "std::string",
               "Kinds of mutations; all if empty, 'list' prints them">,
    Option<"mutants", "mutants", "int64_t", "2",
           "Mutants of each kind for each class; kernels that are given are "
           "broken at every place">,
    Option<"seed", "seed", "uint64_t", "0",
           "Seed of extents, places and inputs">,
    Option<"chip", "chip", "std::string", "\"sm_90a\"",
           "Chip the kernels are for">,
    Option<"output", "output", "std::string", "\"-\"",
           "File the table is written to; - for standard output">,
    Option<"json", "json", "std::string", "\"\"",
           "File the mutants are written to; none if empty">,
    Option<"payloads", "payloads", "std::string", "\"\"",
           "Only write each class's payload, named as the seed draws it, to "
           "CLASS.mlir in this folder">,
    Option<"timeLimit", "time-limit", "double", "120",
           "Seconds one check may take">
  ];
}

#endif // EGG_SELFCHECK_PASSES
