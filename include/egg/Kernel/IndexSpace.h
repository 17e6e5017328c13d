//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// IndexSpace: index arithmetic that knows the range of every variable.
// Indices are AffineExprs over dims; each dim has a range and, once code is
// emitted, an SSA value. Simplification uses the ranges, so that for instance
// (8 * a + b) floordiv 8 with b in [0, 7] becomes a: the form in which a fused
// chain of reshapes costs nothing.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_INDEXSPACE_H
#define EGG_KERNEL_INDEXSPACE_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

namespace egg {

/// The dims of one kernel and the arithmetic over them. Every dim is a
/// non-negative integer.
class IndexSpace {
public:
  explicit IndexSpace(mlir::MLIRContext *context) : context(context) {}

  /// An inclusive range.
  struct Range {
    int64_t lo, hi;
  };

  /// Adds a dim that takes the values 0 .. size - 1. The value, of the space's
  /// integer type, may be null for a dim that is only reasoned about or is
  /// substituted before emission.
  mlir::AffineExpr addDim(int64_t size, mlir::Value value = {});

  mlir::AffineExpr constant(int64_t value) const {
    return mlir::getAffineConstantExpr(value, context);
  }

  /// Simplifies with the ranges. Two equal sums simplify to the same uniqued
  /// expression.
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;

  /// The tightest range that interval arithmetic over the terms gives.
  Range range(mlir::AffineExpr expr) const;

  /// The largest known divisor of the expression's value; 0 for the constant 0.
  int64_t divisor(mlir::AffineExpr expr) const;

  /// If the simplified expr is base + coefficient * dim with base independent
  /// of dim, returns the two; the coefficient is 0 when dim does not occur.
  std::optional<std::pair<mlir::AffineExpr, int64_t>>
  splitLinear(mlir::AffineExpr expr, mlir::AffineExpr dim) const;

  /// Row-major position of the point idx in a box of the given extents.
  mlir::AffineExpr linearize(llvm::ArrayRef<mlir::AffineExpr> idx,
                             llvm::ArrayRef<int64_t> extents) const;

  /// The point at a row-major position.
  llvm::SmallVector<mlir::AffineExpr>
  delinearize(mlir::AffineExpr position, llvm::ArrayRef<int64_t> extents) const;

  /// Emits the expression as arithmetic on the given integer type.
  mlir::Value emit(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                   mlir::AffineExpr expr) const;

  mlir::MLIRContext *getContext() const { return context; }

private:
  struct Dim {
    int64_t size;
    mlir::Value value;
  };
  /// A sum: constant + sum of coefficient * atom, atoms being dims, floordivs
  /// and mods, in order of first occurrence.
  struct Sum {
    int64_t constant = 0;
    llvm::SmallVector<std::pair<mlir::AffineExpr, int64_t>, 4> terms;
    void add(mlir::AffineExpr atom, int64_t coefficient);
    void add(const Sum &other, int64_t factor);
  };

  Sum toSum(mlir::AffineExpr expr) const;
  mlir::AffineExpr fromSum(const Sum &sum) const;
  Range rangeOfAtom(mlir::AffineExpr atom) const;
  Range rangeOfSum(const Sum &sum) const;
  Sum atomOrSum(mlir::AffineExprKind kind, const Sum &sum, int64_t c) const;
  Sum floorDiv(const Sum &sum, int64_t divisor) const;
  Sum mod(const Sum &sum, int64_t modulus) const;
  void recombine(Sum &sum) const;
  /// Splits sum = factor * quotient + rest with rest in [0, factor), if the
  /// ranges prove it.
  std::optional<std::pair<Sum, Sum>> splitBy(const Sum &sum,
                                             int64_t factor) const;

  mlir::MLIRContext *context;
  llvm::SmallVector<Dim> dims;
};

} // namespace egg

#endif // EGG_KERNEL_INDEXSPACE_H
