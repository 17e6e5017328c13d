//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes of the Verify library.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_VERIFY_PASSES
#define EGG_VERIFY_PASSES

include "mlir/Pass/PassBase.td"

def RunOnCPU : Pass<"egg-run-on-cpu", "::mlir::ModuleOp"> {
  let summary = "Run a payload or its kernels on the CPU and print the results";
  let description = [{
    A module without kernels is run op by op in plain loops, in its own
    precision or, with `precision=double`, with every float in double. A
    materialized module is run thread by thread: barriers, shuffles and memory
    accesses follow the rules of the GPU, and breaking one is an error that
    names the kernel, the operation, the block and the thread.

    The inputs are drawn from `seed`, or read from a file. Each result is printed as a remark with
    its first `elements` elements. The module is left as it is.

    It runs in a child process: a crash, or the end of a limit, is an error
    that says what was being done.
  }];
  let options = [
    Option<"seed", "seed", "uint64_t", "0", "Seed of the inputs">,
    Option<"distribution", "distribution", "std::string", "\"uniform\"",
           "Distribution of float inputs: uniform, normal, wide, "
           "large-mean, ties, constant or special">,
    Option<"precision", "precision", "std::string", "\"native\"",
           "Precision of a payload: native or double">,
    Option<"chip", "chip", "std::string", "\"sm_90a\"",
           "Chip whose limits kernels must keep">,
    Option<"elements", "elements", "int64_t", "8",
           "Elements of each result to print">,
    Option<"inputs", "inputs", "std::string", "\"\"",
           "File with the arguments in place of drawn ones: their elements as "
           "in memory, one argument after the other, bool as a byte">,
    Option<"outputs", "outputs", "std::string", "\"\"",
           "File to write the results to in the same form">,
    Option<"dump", "dump", "std::string", "",
           "Write the bytes of the arguments and then of the results to the "
           "files <dump>N.bin">,
    Option<"timeLimit", "time-limit", "double", "120",
           "Seconds the run may take">,
    Option<"memoryLimit", "memory-limit", "int64_t", "6144",
           "MiB of address space the run may take">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ShrinkPayload : Pass<"egg-shrink-payload", "::mlir::ModuleOp"> {
  let summary = "Replace a payload by the same program on smaller tensors";
  let description = [{
    Dimensions that must agree shrink together; windows, padding, strides and
    the shapes of constants stay. `variant=aligned` keeps remainders modulo the
    largest of `multiples` that fits, `odd` prefers extents just past a
    multiple and primes, `least` the smallest there are. The largest extents
    whose work stays below `max-work` are taken; without any the pass fails.
    Where an index is compared with a constant, or divided by it, aligned and
    odd extents are so large that the constant matters; a remark names each for
    which `max-work` does not suffice.
  }];
  let options = [
    Option<"variant", "variant", "std::string", "\"aligned\"",
           "aligned, odd or least">,
    Option<"maxWork", "max-work", "int64_t", "2000000",
           "Loop iterations the result may take">,
    ListOption<"multiples", "multiples", "int64_t",
               "Tile sizes and vector widths to keep remainders of">,
    ListOption<"steps", "steps", "int64_t",
               "Elements of a reduced dimension to exceed where possible">,
    Option<"splitParts", "split-parts", "int64_t", "1",
           "Number that reduced dimensions stay multiples of">
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def VerifySchedule : Pass<"egg-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "Check that a schedule computes its payload";
  let description = [{
    Applies the schedule to copies of the payload, at its own extents and at
    small ones that keep tiles and remainders in play, runs the kernels of the
    small ones thread by thread on the CPU and compares the results with the
    payload in fp64, and bit for bit in exact arithmetic (see
    docs/Verification.md). Nothing of the module changes. All of it happens in a child
    process with limits on time and memory.

    A remark carries the verdict, its notes the evidence. A refusal is an error
    that says which step refused, where, why and what would help, and the pass
    fails; so it does where the grade is below `require`. A schedule of which
    nothing could be compared has the verdict `unverified`: an error, or a
    warning with `require=unverified`.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", "",
           "File with the schedule">,
    Option<"seed", "seed", "uint64_t", "0", "First seed of the inputs">,
    Option<"seeds", "seeds", "int64_t", "2",
           "Inputs drawn from each distribution">,
    Option<"maxWork", "max-work", "int64_t", "2000000",
           "Loop iterations that a shrunken payload may take; its kernels as "
           "many threads, or 200 operations of threads for each">,
    Option<"exact", "exact", "bool", "true",
           "Compare in exact arithmetic as well, for the grade exact">,
    Option<"checkPayload", "check-payload", "bool", "true",
           "Refuse a schedule that names another payload">,
    Option<"require", "require", "std::string", "\"tested\"",
           "Least grade to succeed with: unverified, tested, bounded, "
           "exact or proved">,
    Option<"timeLimit", "time-limit", "double", "120",
           "Seconds the check may take">,
    Option<"memoryLimit", "memory-limit", "int64_t", "6144",
           "MiB of address space the check may take">
  ];
}

def VerifyKernel : Pass<"egg-verify-kernel", "::mlir::ModuleOp"> {
  let summary = "Check that a hand-written kernel computes a payload";
  let description = [{
    The kernel is one in the LLVM and NVVM dialects whose launch attribute
    `egg.emulate` describes (see egg-emulate-kernel); its inputs are the
    arguments and its outputs the results of `@main` in the file `payload`, in
    order, with the same dtypes and numbers of elements. The steps are those of
    egg-verify-schedule: `emulate` runs it thread by thread, `numeric` compares
    with the payload in fp64, `exact` compares bit for bit in exact arithmetic,
    products of mma.sync and wgmma included. With `precision=match` the step
    `precision` also refuses results whose error over all elements is more than
    twice that of the payload in its own precision.

    A remark carries the verdict, its notes the evidence; a refusal is an error
    that says which step refused, where and why, and the pass fails. The module
    is left as it is, and the kernel runs in a child process: a crash, or the
    end of a limit, is a refusal of the step it happened in.

    ```
    egg-opt kernel.mlir --egg-verify-kernel=payload=matmul.mlir
    ```
  }];
  let options = [
    Option<"payload", "payload", "std::string", "",
           "File with the payload">,
    Option<"seed", "seed", "uint64_t", "0", "First seed of the inputs">,
    Option<"seeds", "seeds", "int64_t", "1",
           "Inputs drawn from each distribution">,
    ListOption<"distributions", "distributions", "std::string",
               "Distributions of float inputs: uniform, normal, wide, "
               "large-mean, ties, constant, special (default all); none "
               "leaves the numeric step out">,
    Option<"precision", "precision", "std::string", "\"tolerance\"",
           "Rule for errors: tolerance, or match as well">,
    Option<"exact", "exact", "bool", "true",
           "Compare in exact arithmetic as well">,
    Option<"timeLimit", "time-limit", "double", "120",
           "Seconds the check may take">,
    Option<"memoryLimit", "memory-limit", "int64_t", "6144",
           "MiB of address space the check may take">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def CompareExactly : Pass<"egg-compare-exactly", "::mlir::ModuleOp"> {
  let summary = "Compare two payloads bit for bit in exact arithmetic";
  let description = [{
    Runs `@main` of the module and of the module in the file `with`, which takes
    and returns the same types, on random residues in place of floats (see
    docs/Verification.md). Sums, products and quotients are those of two finite
    fields and exponentials turn sums into products, so that programs that are
    equal as formulas give equal bits, and others hardly do.

    A remark says what was compared and how sure that is. A difference is an
    error that names the element, and the pass fails; where nothing can be
    decided the pass warns and says why. Nothing of the module changes. The
    payloads run in a child process: a crash, or the end of a limit, is an error
    that says what was being done.

    ```
    egg-opt plain.mlir --egg-compare-exactly=with=winograd.mlir
    ```
  }];
  let options = [
    Option<"with", "with", "std::string", "",
           "File with the payload to compare with">,
    Option<"seed", "seed", "uint64_t", "0", "First seed of the residues">,
    Option<"seeds", "seeds", "int64_t", "2", "Draws of residues">,
    Option<"timeLimit", "time-limit", "double", "120",
           "Seconds the comparison may take">,
    Option<"memoryLimit", "memory-limit", "int64_t", "6144",
           "MiB of address space the comparison may take">
  ];
}

#endif // EGG_VERIFY_PASSES
