//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What EGG takes from MLIR: the dialects, extensions and passes on the way from
// linalg to NVVM and to the CPU. Other targets' (and with them their backends)
// stay out, so that the statically linked egg-opt is small enough to carry.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_INITALL_UPSTREAM_H
#define EGG_INITALL_UPSTREAM_H

#include "mlir/IR/DialectRegistry.h"

namespace egg {

/// Dialects, with the interfaces that are attached to their ops.
void registerUpstreamDialects(mlir::DialectRegistry &registry);

/// Transform-dialect extensions, conversions to LLVM and translations to LLVM
/// IR of those dialects.
void registerUpstreamExtensions(mlir::DialectRegistry &registry);

/// Passes on those dialects.
void registerUpstreamPasses();

} // namespace egg

#endif // EGG_INITALL_UPSTREAM_H
