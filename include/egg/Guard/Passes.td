//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes of upstream behind checks. They keep upstream's names and options, so
// that pipelines and scripts written for mlir-opt are guarded as they are.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_GUARD_PASSES
#define EGG_GUARD_PASSES

include "mlir/Pass/PassBase.td"

class Isolation {
  list<Option> isolation = [
    Option<"isolate", "isolate", "bool", "true",
           "Run in a child process on a copy, so that no crash, loop or "
           "allocation reaches this one">,
    Option<"timeLimit", "time-limit", "double", "600",
           "Seconds that the child may take">,
    Option<"memoryLimit", "memory-limit", "int64_t", "8192",
           "MiB of address space that the child may take">,
  ];
}

def GuardedInterpreter : Pass<"transform-interpreter">, Isolation {
  let summary = "transform dialect interpreter, guarded";
  let description = [{
    Upstream's interpreter on a copy of the script that has a
    `transform.egg.check_next` before each upstream op: an op that would crash
    or make a wrong program on its payload is an error that says why, and
    nothing is changed by it. What rests on the author's word gets a warning, an
    op that was not examined a remark. Which is which:
    docs/Verification.md, "Upstream scripts".

    A crash or fatal error that no rule foresaw becomes an error too, on the
    payload as it was before. The script runs in a child process with limits on
    time and memory, so that nothing it does can harm this one; with
    `isolate=false` it runs here, and recovery from a crash is best effort.
  }];
  let options = !listconcat([
    Option<"debugPayloadRootTag", "debug-payload-root-tag", "std::string",
           /*default=*/"", "Apply to the operation with this "
           "transform.target_tag, instead of the pass's operation">,
    ListOption<"debugBindTrailingArgs", "debug-bind-trailing-args",
               "std::string", "Bind trailing arguments of the entry point: "
               "`name` to operations, `^name` to their results, `#1;2` to "
               "integers">,
    Option<"disableExpensiveChecks", "disable-expensive-checks", "bool",
           "false", "Do not check that handles are still valid">,
    Option<"entryPoint", "entry-point", "std::string",
           /*default=*/"\"__transform_main\"", "Named sequence to apply">
  ], isolation);
}

def GuardedConvertGpuToNVVM
    : Pass<"convert-gpu-to-nvvm", "::mlir::gpu::GPUModuleOp">, Isolation {
  let summary = "Generate NVVM operations for gpu operations, guarded";
  let description = [{
    Upstream's pass; but an elementwise op on matrix fragments that upstream has
    no code for is an error, where upstream ends the process.
  }];
  let options = !listconcat([
    Option<"indexBitwidth", "index-bitwidth", "unsigned", "0",
           "Bitwidth of the index type, 0 to use size of machine word">,
    Option<"hasRedux", "has-redux", "bool", "false",
           "Target gpu supports redux">,
    Option<"useBarePtrCallConv", "use-bare-ptr-memref-call-conv", "bool",
           "false", "Replace memref arguments in GPU functions with bare "
           "pointers. All memrefs must have static shape.">,
    Option<"allowPatternRollback", "allow-pattern-rollback", "bool", "true",
           "Experimental performance flag to disallow pattern rollback">,
    ListOption<"allowedDialects", "allowed-dialects", "std::string",
               "Run conversion patterns of only the specified dialects">
  ], isolation);
}

def GuardedGpuModuleToBinary : Pass<"gpu-module-to-binary">, Isolation {
  let summary = "Transforms a GPU module into a GPU binary, guarded";
  let description = [{
    Upstream's pass; but an unknown chip, a PTX version too old for the chip and
    whatever else the backend cannot compile is an error, where upstream
    compiles for another chip or ends the process.
  }];
  let options = !listconcat([
    Option<"toolkitPath", "toolkit", "std::string", "", "Toolkit path.">,
    ListOption<"linkFiles", "l", "std::string", "Extra files to link to.">,
    Option<"cmdOptions", "opts", "std::string", "",
           "Command line options to pass to the tools.">,
    Option<"compilationTarget", "format", "std::string", "\"fatbin\"",
           "The target representation of the compilation process.">,
    Option<"elfSection", "section", "std::string", "",
           "ELF section where binary is to be located.">
  ], isolation);
}

#endif // EGG_GUARD_PASSES
