//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Registration of the egg dialect's operations and attributes.
//
//===----------------------------------------------------------------------===//
#include "egg/Dialect/EggDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace egg;

#include "egg/Dialect/EggDialect.cpp.inc"
#include "egg/Dialect/EggEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "egg/Dialect/EggAttributes.cpp.inc"

void EggDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "egg/Dialect/EggOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "egg/Dialect/EggAttributes.cpp.inc"
      >();
}
