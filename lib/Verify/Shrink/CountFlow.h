//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which sums a constant divides, by data flow: what such a constant is at other
// extents follows from the loops of these sums. Its value alone does not tell,
// as sums over different extents may have equal numbers of elements.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SHRINK_COUNTFLOW_H
#define EGG_LIB_VERIFY_SHRINK_COUNTFLOW_H

#include "DimSystem.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace egg {

/// From here on a constant that equals a sum's number of elements, twice or
/// half of it, is taken for it wherever it stands. What divides the very sum is
/// taken for its number from 2, but for twice or half of it from here as well.
constexpr int64_t kLeastCount = 16;

/// A number of elements, or one over it, as constants hold it.
inline double toFloat(double value) { return double(float(value)); }

/// Whether the operation's result adds floats over its reduction loops.
bool isFloatSum(mlir::linalg::LinalgOp op, unsigned result);

/// The float that a constant is, or that all its elements are.
mlir::FloatAttr getFloat(mlir::arith::ConstantOp constant);

class CountFlow {
public:
  using Loops = llvm::SmallVector<DimSystem::Var, 6>;
  using GetLoops = llvm::function_ref<llvm::ArrayRef<DimSystem::Var>(
      mlir::linalg::LinalgOp)>;
  /// By constant: what it is at the new extents; none where two uses or two
  /// ways to it want different numbers.
  using Numbers = llvm::MapVector<mlir::Operation *, std::optional<double>>;

  /// `originals` and `extents` are the numbers of iterations of loops, by
  /// variable, that getLoops names the outermost first.
  CountFlow(llvm::ArrayRef<int64_t> originals, llvm::ArrayRef<int64_t> extents,
            GetLoops getLoops)
      : originals(originals), extents(extents), getLoops(getLoops) {}

  Numbers run(mlir::func::FuncOp function);

private:
  /// Loops that values were added over on a way to or from a value, the nearest
  /// first, without those whose number the way has been divided by. `owed` are
  /// such numbers whose sum comes later.
  struct Way {
    Loops sums, owed;
    bool operator==(const Way &) const = default;
  };
  using Ways = llvm::SmallVector<Way, 2>;
  struct Choice {
    Loops loops;
    double number;
  };
  enum class Found { Nothing, One, Several };

  Ways findSumsBefore(mlir::Value value);
  Ways computeSumsBefore(mlir::Value value);
  Ways findSumsBeforeResult(mlir::linalg::LinalgOp op, unsigned number);
  Ways findSumsAfter(mlir::Value value);
  Ways findSumsAfterUse(mlir::OpOperand &use);
  Loops getSumLoops(mlir::linalg::LinalgOp op) const;
  std::optional<Choice> match(llvm::ArrayRef<DimSystem::Var> loops,
                              double value, bool isFactor,
                              double multiple) const;
  Found choose(const Ways &ways, double value, bool isFactor, double multiple,
               Choice &choice) const;
  void visitQuotient(mlir::Operation *op, unsigned operand);

  llvm::ArrayRef<int64_t> originals, extents;
  GetLoops getLoops;
  Numbers numbers;
  /// By quotient or product: the loops whose number it divides by.
  llvm::DenseMap<mlir::Operation *, Loops> dividedBy;
  llvm::DenseMap<mlir::Value, Ways> before, after;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_SHRINK_COUNTFLOW_H
