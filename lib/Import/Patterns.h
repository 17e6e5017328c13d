//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The groups of rewrites that egg-import-torch applies together.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_IMPORT_PATTERNS_H
#define EGG_LIB_IMPORT_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace egg {

/// Scalars inside bodies: rounding of double constants.
void populateScalarPatterns(mlir::RewritePatternSet &patterns);

/// Operands of linalg.generic: splats, affine gathers, unread inits.
void populateOperandPatterns(mlir::RewritePatternSet &patterns);

/// Flips and shifts around egg.scan.
void populateScanPatterns(mlir::RewritePatternSet &patterns);

/// Turns constants in resource sections into plain ones.
void inlineResourceConstants(mlir::Operation *root);

/// Removes the loops and dimensions of extent one of linalg.generic.
void dropUnitExtents(mlir::Operation *root);

} // namespace egg

#endif // EGG_LIB_IMPORT_PATTERNS_H
