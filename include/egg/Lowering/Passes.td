//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_LOWERING_PASSES_TD
#define EGG_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToNVVMPass : Pass<"egg-lower-to-nvvm", "mlir::ModuleOp"> {
  let summary = "Lowers materialized kernels to the NVVM dialect";
  let description = [{
    Takes every `gpu.module` of the module to LLVM and NVVM ops for one chip,
    and leaves everything else alone. Kernel arguments become bare pointers with
    `llvm.noalias` and 16-byte alignment, and `llvm.readonly` if never stored
    to; the block size becomes exact (`nvvm.reqntid`). A vector access is one
    instruction if its alignment is proved from the index, else it is split.

    Fails, naming the op and the kernel, on an unknown chip and on what a kernel
    must not hold: arguments that are not flat buffers of static size, missing
    or too large blocks, more static shared memory than a block has, dynamic
    shared memory, allocations, prints, calls, and ops that do not lower. Fails
    too if there are no kernels although `@main` needs some, and if a schedule
    for another chip was applied (`egg.target` of the module).
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "Chip to lower for, e.g. sm_90a">
  ];
}

def EmitPTXPass : Pass<"egg-emit-ptx", "mlir::ModuleOp"> {
  let summary = "Compiles lowered kernels to PTX";
  let description = [{
    Replaces the `gpu.module` that egg-lower-to-nvvm left by a `gpu.binary` that
    holds its PTX. Math functions come from libdevice, which must be installed
    if a kernel uses one. Fails if a kernel calls anything that has no body, and
    if there are no kernels although `@main` needs some; where it needs none,
    the PTX is empty.

    With `cubin` the PTX is also assembled by ptxas, and the binary holds the
    machine code too; spilled registers and the warnings C75xx of ptxas become
    warnings, and with `report-resources` each kernel's use of registers and
    shared memory becomes a remark.

    The same input gives the same PTX, byte for byte, as long as libdevice is
    the same; its hash is in the object's properties.
  }];
  let options = [
    Option<"cubin", "cubin", "bool", /*default=*/"false",
           "Assemble the PTX with ptxas too">,
    Option<"dumpPTX", "dump-ptx", "std::string", /*default=*/"",
           "File to write the PTX to; '-' is the standard output">,
    Option<"reportResources", "report-resources", "bool", /*default=*/"false",
           "Emit a remark on each kernel's resources (implies cubin)">,
    Option<"isolate", "isolate", "bool", /*default=*/"true",
           "Compile in a child process, so that a crash of LLVM is an error">,
    Option<"ptxas", "ptxas", "std::string", /*default=*/"",
           "Path of ptxas; searched for if empty">,
    Option<"libdevice", "libdevice", "std::string", /*default=*/"",
           "Path of libdevice's bitcode; searched for if empty">,
    Option<"cudaPath", "cuda-path", "std::string", /*default=*/"",
           "Root of the CUDA toolkit to use for both">
  ];
  let dependentDialects = ["mlir::gpu::GPUDialect", "mlir::NVVM::NVVMDialect"];
}

def EmitPlanPass : Pass<"egg-emit-plan", "mlir::ModuleOp"> {
  let summary = "Prints the launch plan of a materialized module as JSON";
  let description = [{
    Reads `@main` and the `egg.launch` attributes of the kernels it calls, lays
    the temporaries out in one arena by their lifetimes, and prints the plan.
    The module does not change.

    Fails, naming the op, if `@main` holds anything but calls of kernels,
    reshapes, casts, tensor.empty and unused constants, or if a launch is beyond
    what the chip can do, or a schedule for another chip was applied.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "Chip the kernels are for">,
    Option<"file", "file", "std::string", /*default=*/"\"-\"",
           "File to write; '-' is the standard output">
  ];
}

#endif // EGG_LOWERING_PASSES_TD
