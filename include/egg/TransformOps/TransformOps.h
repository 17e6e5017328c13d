//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The transform.egg.* operations and the extension that registers them.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TRANSFORMOPS_TRANSFORMOPS_H
#define EGG_TRANSFORMOPS_TRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "egg/TransformOps/TransformOps.h.inc"

namespace egg {

/// Adds the transform.egg.* operations to the transform dialect.
void registerTransformOps(mlir::DialectRegistry &registry);

} // namespace egg

#endif // EGG_TRANSFORMOPS_TRANSFORMOPS_H
