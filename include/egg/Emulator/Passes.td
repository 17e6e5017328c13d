//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes of the Emulator library.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_EMULATOR_PASSES
#define EGG_EMULATOR_PASSES

include "mlir/Pass/PassBase.td"

def EmulateKernel : Pass<"egg-emulate-kernel", "::mlir::ModuleOp"> {
  let summary = "Run one kernel on the CPU as the module's launch says";
  let description = [{
    For kernels in the LLVM and NVVM dialects that no plan launches. The
    module's attribute `egg.emulate` describes the launch:

    ```mlir
    module attributes {egg.emulate = {
        kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 128, 1, 1>,
        dynamic_shared_memory = 32768 : i64,
        buffers = [
          {dtype = "bf16", shape = array<i64: 64, 64>, fill = "random"},
          {dtype = "f32", shape = array<i64: 64, 64>, role = "output"} ],
        arguments = [
          {map_of = 0 : i64, dims = array<i64: 64, 64>,
           strides = array<i64: 128>, box = array<i64: 64, 64>,
           swizzle = 128 : i64},
          {buffer = 1 : i64}, 3 : i32]}} { ... }
    ```

    Buffers are filled by `random` (integers from -4 to 4), `uniform` (floats from
    -1 to 1), both reproducible, `iota`, `ones` or `zeros`; outputs start poisoned. Arguments are buffers, tensor maps
    (extents innermost first, strides in bytes; `dtype` overrides the buffer's,
    as for "tf32"; `lower_corner`, `upper_corner`, `channels` and `pixels`
    instead of `box` for im2col) or scalars.

    What egg-verify-kernel may draw for an input is said by `values`: "tf32" for
    floats that tf32 holds, "split" for terms that floats were split into, one
    plane along the first extent each.

    Each output is printed as a remark with its first `elements` elements. A rule
    of the machine that the kernel breaks is an error that names the operation,
    the block and the thread. The module is left as it is. The kernel runs in a
    child process: a crash, or the end of a limit, is an error that says what
    was being done.
  }];
  let options = [
    Option<"elements", "elements", "int64_t", "8",
           "Elements of each output to print">,
    Option<"dump", "dump", "std::string", "",
           "Write the bytes of buffer N to the file <dump>N.bin">,
    Option<"timeLimit", "time-limit", "double", "120",
           "Seconds the run may take">,
    Option<"memoryLimit", "memory-limit", "int64_t", "6144",
           "MiB of address space the run may take">
  ];
}

#endif // EGG_EMULATOR_PASSES
