//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One call each to register everything a tool of EGG needs.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_INITALL_H
#define EGG_INITALL_H

#include "mlir/IR/DialectRegistry.h"

namespace egg {

/// Registers the upstream and EGG dialects, extensions and interfaces.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers the upstream passes that scripts use and EGG's own.
void registerAllPasses();

} // namespace egg

#endif // EGG_INITALL_H
