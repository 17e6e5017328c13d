//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations of the algorithm stage: they choose what is computed together.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TRANSFORMOPS_ALGORITHMOPS_TD
#define EGG_TRANSFORMOPS_ALGORITHMOPS_TD

include "egg/TransformOps/ScriptWord.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def SelectOp : Op<Transform_Dialect, "egg.select",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>,
    ScriptWord<["substitution", "algorithm"]> {
  let summary = "Selects compute ops of a function by their names";
  let description = [{
    Returns the operations in the target function whose `egg.name` is listed,
    in the order listed.

    Fails silenceably when the target is not one function, when a name is
    listed twice, or when no operation has the name; the message then gives the
    closest names, and says so where the operation already moved to a kernel.

    Why an op of our own: `transform.structured.match` finds operations by kind
    and attribute, so one op for each name would be needed, and it returns an
    empty handle, silently, where nothing matches.

    Example:

    ```mlir
    %ops = transform.egg.select %f ["matmul_0", "add_1"]
        : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let cppNamespace = "::egg";
  let arguments = (ins TransformHandleTypeInterface:$target,
                       StrArrayAttr:$names);
  let results = (outs TransformHandleTypeInterface:$selected);
  let assemblyFormat =
      "$target $names attr-dict `:` functional-type(operands, results)";
}

def FormKernelOp : Op<Transform_Dialect, "egg.form_kernel",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>,
    ScriptWord<["algorithm"],
      ["name: a plain identifier that no other kernel has"]> {
  let summary = "Outlines compute ops into one kernel function";
  let description = [{
    Moves the given operations of one function into a new private function
    marked `egg.kernel` and named by `name`; a call takes their place. One
    kernel is one launch.

    Besides the operations the kernel gets copies of
    - the operations of `recompute`: producers that are cheaper computed again
      than read back from memory;
    - what costs nothing: constants, tensor.empty, linalg.fill, ops on scalars
      (tensor.extract too), and the reshapes and casts between the kernel's
      operations.

    The results are the values used outside the kernel, in program order; the
    arguments are the values the kernel reads, in the order in which its body
    first uses them. What is dead afterwards is removed.

    Consumes `ops`; returns the kernel function. Fails silenceably, changing
    nothing, when
    - an operation is not a named compute op of the body of one function, or is
      given twice;
    - the name is no plain identifier, already taken, or reserved: in PTX
      (WARP_SZ) or for functions that the compiler or the driver calls (malloc,
      memset);
    - a value would leave the kernel and come back through an operation outside
      it: the message names that operation, which must be in the kernel too;
    - an argument or a result would not be a ranked tensor;
    - the kernel has no structure that can be materialized (map, rows,
      contraction, scan).

    Why an op of our own: upstream outlines contiguous regions of structured
    control flow (`transform.loop.outline`) and fuses along tiled loops
    (`structured.fuse`); nothing outlines a convex set of tensor ops.

    Example:

    ```mlir
    %ops = transform.egg.select %f ["matmul_0", "add_1", "gelu_2"]
        : (!transform.any_op) -> !transform.any_op
    %pad = transform.egg.select %f ["pad_0"]
        : (!transform.any_op) -> !transform.any_op
    %k = transform.egg.form_kernel %ops recompute(%pad) {name = "matmul_bias_gelu"}
        : (!transform.any_op, !transform.any_op) -> !transform.any_op
    ```
  }];
  let cppNamespace = "::egg";
  let arguments = (ins TransformHandleTypeInterface:$ops,
                       Optional<TransformHandleTypeInterface>:$recompute,
                       StrAttr:$name);
  let results = (outs TransformHandleTypeInterface:$kernel);
  let assemblyFormat = [{
    $ops (`recompute` `(` $recompute^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def SplitReductionOp : Op<Transform_Dialect, "egg.split_reduction",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>,
    ScriptWord<["algorithm"],
      ["parts: from 2; a divisor of a reduced extent up to parts is used",
       "the partial results have the parts where the split loop was: with the reduced loop first (iterator_types reduction, parallel) neighbouring columns stay neighbours in memory"]> {
  let summary = "Splits a reduction into partial results and their combination";
  let description = [{
    Rewrites one reduction as two: the first reduces `parts` shares of the
    reduced elements on their own, the second combines the partial results. The
    shares are slices of the outermost reduction dimensions: a dimension of at
    most `parts` elements becomes parallel whole if there are others to reduce; a
    larger one is divided by its largest divisor up to `parts`. Where no
    dimension has such a divisor (primes, ones), one of at most 4096 elements
    stays one share, so that a script applies at small extents too. With few rows
    and many columns this is what keeps the whole GPU busy.

    The first keeps the name of the operation with `_partial` appended, the
    second the name itself. Sums and products of floats are reassociated.

    Consumes `target`; returns both reductions. Fails silenceably, changing
    nothing, when the target is not one linalg op with a reduction, when its
    body has no combiner with a neutral element, when it uses `linalg.index`
    (the index would change its meaning), or when no reduction dimension has a
    divisor between 2 and `parts`, or few elements, and reaches its operands
    unmixed.

    Why an op of our own: `transform.structured.split_reduction` is silently
    wrong on bodies with `linalg.index`, keeps `nsw` on reassociated integer
    sums, and splits one dimension by one factor that must divide it.

    Example:

    ```mlir
    %parts = transform.param.constant 128 : i64 -> !transform.param<i64>
    %partial, %final = transform.egg.split_reduction %sum parts(%parts)
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    ```
  }];
  let cppNamespace = "::egg";
  let arguments = (ins TransformHandleTypeInterface:$target,
                       TransformParamTypeInterface:$parts);
  let results = (outs TransformHandleTypeInterface:$partial,
                      TransformHandleTypeInterface:$combined);
  let assemblyFormat = [{
    $target `parts` `(` $parts `)` attr-dict
    `:` functional-type(operands, results)
  }];
}

def SubstituteOp : Op<Transform_Dialect, "egg.substitute",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>,
    ScriptWord<["substitution"],
      ["function: a func.func private of the script, equal in exact arithmetic"]> {
  let summary = "Replaces a computation by another that is said to be equal";
  let description = [{
    Replaces the given operations of one function by the body of `function`, a
    function of the script that computes the same in another way. Whether it
    does is not known here: verification accepts such a script only when the
    whole program equals the payload in exact arithmetic (grade `exact`).

    The function takes the values that the operations read, in the order in
    which they, in program order, first use them, and returns the values of
    theirs that are used elsewhere, in program order. Each of its compute ops
    has an `egg.name`, which no other operation of the payload has; later
    sequences select them by these names. Constants, fills, reshapes and
    arithmetic on scalars belong to the operations that use them and are not
    arguments.

    Consumes `ops`. Fails silenceably, changing nothing, when
    - an operation is not a named compute op of the body of one function, or is
      given twice;
    - a value would leave the operations and come back through one that stays:
      the message names it;
    - the script has no such function, or its type is another: the message
      gives the type that it should have, with where each value comes from;
    - a compute op of the function has no name or one that is taken.

    Why an op of our own: upstream has rewrites of given kinds
    (`structured.transpose_conv2d`, `structured.winograd_conv2d`), and nothing
    that takes the equal computation itself as data, to be proved afterwards.

    Example, the sum of each row of a product as a product with a sum:

    ```mlir
    func.func private @row_sums(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>)
        -> tensor<64xf32> { ... }
    transform.named_sequence @substitution(%f: !transform.any_op) {
      %ops = transform.egg.select %f ["matmul_0", "reduce_add_0"]
          : (!transform.any_op) -> !transform.any_op
      transform.egg.substitute %ops with @row_sums : !transform.any_op
      transform.yield
    }
    ```
  }];
  let cppNamespace = "::egg";
  let arguments = (ins TransformHandleTypeInterface:$ops,
                       FlatSymbolRefAttr:$function);
  let assemblyFormat = "$ops `with` $function attr-dict `:` type($ops)";
}

#endif // EGG_TRANSFORMOPS_ALGORITHMOPS_TD
