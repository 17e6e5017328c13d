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

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace egg {

/// Scalars inside bodies: rounding of double constants.
void populateScalarPatterns(mlir::RewritePatternSet &patterns);

/// Operands of linalg.generic: splats, affine gathers, unread inits.
void populateOperandPatterns(mlir::RewritePatternSet &patterns);

/// Ops without elements and reductions over none.
void populateEmptyExtentPatterns(mlir::RewritePatternSet &patterns);

/// Positions of the greatest and least element where there are NaNs.
void populateExtremePatterns(mlir::RewritePatternSet &patterns);

/// Flips and shifts around egg.scan.
void populateScanPatterns(mlir::RewritePatternSet &patterns);

/// Turns constants in resource sections into plain ones.
void inlineResourceConstants(mlir::Operation *root);

/// Whether the type is a tensor of static shape with an extent of zero.
bool hasNoElements(mlir::Type type);

/// Copies the fills and constants that the function returns.
void copyReturnedConstants(mlir::func::FuncOp function);

/// Removes the loops and dimensions of extent one of linalg.generic.
void dropUnitExtents(mlir::Operation *root);

} // namespace egg

#endif // EGG_LIB_IMPORT_PATTERNS_H
