//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transform.egg.check_next and its extension; see GuardOps.td.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_GUARD_GUARDOPS_H
#define EGG_GUARD_GUARDOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "egg/Guard/GuardOps.h.inc"

namespace egg {

/// Adds transform.egg.check_next to the transform dialect.
void registerGuardOps(mlir::DialectRegistry &registry);

/// Puts a transform.egg.check_next before each upstream transform op within
/// `script`.
void insertChecks(mlir::Operation *script);

} // namespace egg

#endif // EGG_GUARD_GUARDOPS_H
