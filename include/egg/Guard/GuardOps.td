//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The op that the guard puts before upstream transform ops.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_GUARD_GUARDOPS_TD
#define EGG_GUARD_GUARDOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def CheckNextOp : Op<Transform_Dialect, "egg.check_next",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Checks that the next transform op is safe on its payload";
  let description = [{
    Applies the rule of the op that follows (docs/Verification.md, "Upstream
    scripts") to the payload of its handles. Fails definitely, before anything
    changed, when that op would crash or make a wrong program; warns when that
    depends on something that cannot be seen. Changes nothing.

    `transform-interpreter` puts it before each upstream op, with the handles
    that the op reads; scripts need not hold it.

    Example:

    ```mlir
    transform.egg.check_next %op : !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    ```
  }];
  let cppNamespace = "::egg";
  let arguments = (ins Variadic<AnyType>:$handles);
  let assemblyFormat = "($handles^ `:` type($handles))? attr-dict";
}

#endif // EGG_GUARD_GUARDOPS_TD
