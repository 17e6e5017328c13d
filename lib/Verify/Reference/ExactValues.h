//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which values of a payload are computed without rounding, whatever the order
// of operations: those that have one right value.
//
// Comparisons, selections, extrema, signs, copies, roundings to integers,
// widening and all integer arithmetic are exact on exact operands. Sums,
// products, narrowing and conversions of integers are where each result is a
// multiple of a power of two (its quantum) and so small (its bound) that the
// type holds all such multiples. The bound of a reduction is that of the sum of
// all magnitudes, which no order exceeds. The rest rounds.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_REFERENCE_EXACTVALUES_H
#define EGG_LIB_VERIFY_REFERENCE_EXACTVALUES_H

#include "egg/Verify/PayloadProgram.h"
#include "llvm/ADT/DenseMap.h"

namespace egg {

class ExactValues {
public:
  ExactValues(mlir::ModuleOp payload, ExactOn inputs);

  /// Whether a scalar, or each element of a tensor, is exact.
  bool contains(mlir::Value value) const { return get(value).exact; }

private:
  /// What the finite ones of a value can be.
  struct Range {
    bool exact = false;
    /// Largest magnitude, and the power of two that all are multiples of.
    double bound = 0, quantum = 0;
    /// The float types that hold each, as bits of getFormat.
    unsigned formats = 0;

    bool operator==(const Range &other) const {
      return exact == other.exact && bound == other.bound &&
             quantum == other.quantum && formats == other.formats;
    }
  };

  Range get(mlir::Value value) const { return ranges.lookup(value); }
  static Range getArgument(mlir::Type type, bool isBuffer, int64_t bound,
                           ExactOn inputs);
  static Range getConstant(mlir::Attribute attribute);
  static Range getInteger(mlir::Type type);
  static Range join(const Range &a, const Range &b);
  /// What becomes of numbers of this range in a type that rounds.
  static Range store(Range range, mlir::Type type);

  void visit(mlir::Operation *op);
  void visitLinalg(mlir::Operation *op);
  Range evaluate(mlir::Operation *op) const;
  Range evaluateFloat(mlir::Operation *op, mlir::Type type) const;
  Range evaluateInteger(mlir::Operation *op, mlir::Type type) const;
  Range evaluateTensor(mlir::Operation *op) const;

  llvm::DenseMap<mlir::Value, Range> ranges;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_REFERENCE_EXACTVALUES_H
