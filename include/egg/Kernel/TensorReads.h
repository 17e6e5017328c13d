//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where the elements of tensor values come from: for one element of a value,
// which elements of which operands it is computed from, as index expressions.
// The symbolic half of evaluating a kernel's fused expressions.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_TENSORREADS_H
#define EGG_KERNEL_TENSORREADS_H

#include "egg/Kernel/IndexSpace.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace egg {

/// An element of a tensor value; idx has one expression a dimension.
struct ElementRead {
  mlir::Value tensor;
  llvm::SmallVector<mlir::AffineExpr> idx;
};

/// Extents of a tensor value of static shape.
llvm::ArrayRef<int64_t> extentsOf(mlir::Value tensor);

/// True for the ops that need a schedule of their own: linalg ops with a
/// reduction iterator, and scans. All other ops are evaluated where used.
bool isAnchor(mlir::Operation *op);

/// The loop indices at which op writes the element idx of its result number
/// resultNumber; null for the reduction dims of an anchor. Fails when the
/// result's map is no projected permutation.
mlir::FailureOr<llvm::SmallVector<mlir::AffineExpr>>
loopsWriting(mlir::linalg::LinalgOp op, unsigned resultNumber,
             llvm::ArrayRef<mlir::AffineExpr> idx);

/// The operand index that map gives at these loop indices.
llvm::SmallVector<mlir::AffineExpr>
applyMap(mlir::AffineMap map, llvm::ArrayRef<mlir::AffineExpr> loops,
         const IndexSpace &space);

/// The expression of an index-typed or integer value inside the body of op, if
/// it is affine in the loop indices and constants.
std::optional<mlir::AffineExpr>
affineIndex(mlir::Value value, llvm::ArrayRef<mlir::AffineExpr> loops,
            const IndexSpace &space);

/// The element of a reshape's source that becomes the element idx of result.
llvm::SmallVector<mlir::AffineExpr>
reshapeSourceIndex(mlir::Operation *reshape,
                   llvm::ArrayRef<mlir::AffineExpr> idx,
                   const IndexSpace &space);

/// The operand elements that the element idx of the result of a pointwise op
/// is computed from. Indices that depend on data or on a bounds test become
/// fresh dims of the space. Fails on ops that cannot be evaluated.
mlir::FailureOr<llvm::SmallVector<ElementRead>>
operandReads(mlir::OpResult result, llvm::ArrayRef<mlir::AffineExpr> idx,
             IndexSpace &space);

} // namespace egg

#endif // EGG_KERNEL_TENSORREADS_H
