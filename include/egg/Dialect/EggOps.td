//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The egg dialect: operations of a payload that upstream MLIR lacks.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_DIALECT_EGGOPS
#define EGG_DIALECT_EGGOPS

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Egg_Dialect : Dialect {
  let name = "egg";
  let cppNamespace = "::egg";
  let summary = "What a payload needs and upstream MLIR does not have";
  let useDefaultAttributePrinterParser = 1;
}

def Egg_ScanKind : I32EnumAttr<"ScanKind", "how a scan combines elements", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Max", 2, "max">,
    I32EnumAttrCase<"Min", 3, "min">]> {
  let cppNamespace = "::egg";
  let genSpecializedAttr = 0;
}

def Egg_ScanKindAttr : EnumAttr<Egg_Dialect, Egg_ScanKind, "scan_kind"> {
  // Bare after the op's name, in angle brackets as an attribute.
  let assemblyFormat = "`<` $value `>`";
}

def Egg_ScanOp : Op<Egg_Dialect, "scan",
    [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "prefix sums, products, maxima or minima along one dimension";
  let description = [{
    Element i of the result along `dim` combines the elements 0 to i of the
    input (i itself not if `exclusive`), starting from the neutral element of
    the kind (0, 1, -inf, +inf; for integers the least and the greatest signed
    value). With `reverse` it combines the elements i to the last instead.

    Max and min propagate NaN. The order in which elements are combined is not
    specified: sums and products of floats may be reassociated.

    ```mlir
    %r = egg.scan <add> %x dim = 1 {exclusive, reverse} : tensor<4x8xf32>
    ```

    Why an op: a linalg op computes each element of its result from the
    operands alone or accumulates over a dimension that the result lacks; a
    scan needs the neighbour's result. Written as a loop on tensors it would be
    a recurrence whose associativity has to be rediscovered.
  }];
  let arguments = (ins Egg_ScanKindAttr:$kind,
      AnyRankedTensor:$input,
      ConfinedAttr<I64Attr, [IntNonNegative]>:$dim,
      UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $kind $input `dim` `=` $dim attr-dict `:` type($input)
  }];
  let extraClassDeclaration = [{
    /// The neutral element of the kind in the element type.
    ::mlir::TypedAttr getNeutralElement();
    /// Builds the combination of two elements.
    ::mlir::Value buildCombine(::mlir::OpBuilder &builder, ::mlir::Location loc,
                               ::mlir::Value lhs, ::mlir::Value rhs);
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // EGG_DIALECT_EGGOPS
