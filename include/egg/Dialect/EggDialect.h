//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The egg dialect and its operations (documented in EggOps.td).
//
//===----------------------------------------------------------------------===//
#ifndef EGG_DIALECT_EGGDIALECT_H
#define EGG_DIALECT_EGGDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "egg/Dialect/EggDialect.h.inc"
#include "egg/Dialect/EggEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "egg/Dialect/EggAttributes.h.inc"
#define GET_OP_CLASSES
#include "egg/Dialect/EggOps.h.inc"

#endif // EGG_DIALECT_EGGDIALECT_H
