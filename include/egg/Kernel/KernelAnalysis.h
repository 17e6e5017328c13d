//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// KernelAnalysis: what a kernel function computes, in the terms its schedule
// needs: rows, columns, reductions, and for every result which element belongs
// to which row and column.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_KERNELANALYSIS_H
#define EGG_KERNEL_KERNELANALYSIS_H

#include "egg/Kernel/IndexSpace.h"
#include "egg/Kernel/KernelConfig.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace egg {

/// One op with a reduction, or a scan.
struct AnchorInfo {
  mlir::Operation *op = nullptr;
  /// Loop numbers of the parallel and reduction dims, in loop order, and their
  /// extents. A scan has all dims parallel.
  llvm::SmallVector<unsigned> parallelDims, reductionDims;
  llvm::SmallVector<int64_t> parallelExtents, reductionExtents;
  /// Product of the reduction extents.
  int64_t columns = 1;
  /// For each result the op that combines two partial results (for instance
  /// arith.addf), or null: then one thread must do the whole reduction.
  llvm::SmallVector<mlir::Operation *> combiners;

  bool isCombinable() const {
    return !combiners.empty() &&
           llvm::all_of(combiners, [](auto *op) { return op != nullptr; });
  }
};

/// Where the elements of one result lie.
struct ResultInfo {
  /// Index of the element that belongs to row d0 and column d1.
  llvm::SmallVector<mlir::AffineExpr> idx;
  /// Elements a row: 1, or the number of columns.
  int64_t columns = 1;
  /// Rows; differs between the results only in a kernel without anchors.
  int64_t rows = 1;
};

/// A sum of products of two operands.
struct ContractionInfo {
  /// Operand numbers of the row operand (M) and the column operand (N); N owns
  /// the innermost parallel dim that only one operand has.
  unsigned rowOperand = 0, columnOperand = 1;
  /// Loop numbers and extents: in both operands, in one, summed over.
  llvm::SmallVector<unsigned> batchDims, rowDims, columnDims, reductionDims;
  int64_t batch = 1, m = 1, n = 1, k = 1;
};

/// What analyzeKernel finds out.
struct KernelAnalysis {
  /// The common rows of all anchors; without anchors, the largest number of
  /// elements of a result.
  int64_t rows = 1;
  llvm::SmallVector<AnchorInfo, 1> anchors;
  llvm::SmallVector<ResultInfo, 2> results;
  /// Set if the one anchor is a contraction.
  std::optional<ContractionInfo> contraction;

  /// True if the kernel can be materialized with this structure.
  bool supports(Structure structure) const;
};

/// Analyzes a kernel function (unit attribute egg.kernel, static tensors).
/// On failure says why through emitError, if given.
mlir::FailureOr<KernelAnalysis> analyzeKernel(
    mlir::func::FuncOp kernel,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError = nullptr);

} // namespace egg

#endif // EGG_KERNEL_KERNELANALYSIS_H
