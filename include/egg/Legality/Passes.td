//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes of the Legality library.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LEGALITY_PASSES
#define EGG_LEGALITY_PASSES

include "mlir/Pass/PassBase.td"

def CheckLegality : Pass<"egg-check-legality", "::mlir::ModuleOp"> {
  let summary = "Check materialized kernels before anything runs";
  let description = [{
    Proves, for all threads and blocks of `known_block_size` and
    `known_grid_size`, that accesses are in bounds and aligned, that index
    arithmetic does not overflow, that barriers and shuffles are met by all
    threads, that no two threads write one element, that shared memory is free
    of races, that accumulators start right, and that the limits of the chip are
    kept. What is violated is an error with a witness:

    ```
    k.mlir:7:5: error: bounds: kernel 'k': memref.store: writes outside of its
        buffer; thread 16 of block 3: index 1008 of 1000; guard the access ...
    ```

    A remark a kernel says how much is proved, and further remarks what is left
    undecided. The module is left as it is.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"",
           "Chip whose limits hold">,
    Option<"remarks", "remarks", "bool", "true",
           "Say what is proved and what is undecided">,
    Option<"json", "json", "bool", "false",
           "Print the report as one line of JSON on standard output">
  ];
}

#endif // EGG_LEGALITY_PASSES
