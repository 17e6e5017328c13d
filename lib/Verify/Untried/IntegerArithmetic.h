//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// IntegerArithmetic: what an operation makes of the ranges of its operands, and
// whether it does something at full size that the small extents did not try.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_UNTRIED_INTEGERARITHMETIC_H
#define EGG_LIB_VERIFY_UNTRIED_INTEGERARITHMETIC_H

#include "Findings.h"
#include "IntegerValue.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace egg {

/// Bits of a type's elements; index has 64.
unsigned getIntegerWidth(mlir::Type type);

class IntegerArithmetic {
public:
  using Operands = llvm::ArrayRef<IntegerValue>;
  explicit IntegerArithmetic(Findings &findings) : findings(findings) {}

  /// Of a scalar operation with one result. The payload's own promises (nsw)
  /// are believed.
  IntegerValue evaluate(mlir::Operation *op, Operands operands, bool isPayload);
  /// Of an operation whose result is no integer.
  void checkUse(mlir::Operation *op, Operands operands) const;
  /// The result of an op, before it is brought into its type.
  IntegerValue settle(mlir::Operation *op, IntegerValue value,
                      unsigned width) const;

private:
  enum class Rounding { Zero, Down, Up };
  IntegerValue evaluateCast(mlir::Operation *op, const IntegerValue &a) const;
  IntegerValue evaluateAffine(mlir::AffineExpr expr,
                              mlir::affine::AffineApplyOp op,
                              Operands operands) const;
  IntegerValue shiftLeft(mlir::Operation *op, const IntegerValue &a,
                         const IntegerValue &amount) const;
  IntegerValue divide(mlir::Operation *op, const IntegerValue &a,
                      const IntegerValue &b, Rounding rounding) const;
  IntegerValue remainder(mlir::Operation *op, const IntegerValue &a,
                         const IntegerValue &b) const;
  IntegerValue bits(mlir::Operation *op, const IntegerValue &a,
                    const IntegerValue &b) const;
  IntegerValue bitsWithConstant(mlir::Operation *op, const IntegerValue &a,
                                const Integer &constant) const;
  IntegerValue compare(mlir::Operation *op, Operands operands) const;
  IntegerValue unknown(mlir::Operation *op, Operands operands) const;

  IntegerValue asUnsigned(mlir::Operation *op, IntegerValue value,
                          unsigned width) const;
  void checkAllBits(mlir::Operation *op, Operands operands) const;
  /// Of an operation that takes one or the other; `result` keeps the turns.
  void checkThreshold(mlir::Operation *op, const IntegerValue &a,
                      const IntegerValue &b, IntegerValue &result) const;
  void checkBitsTried(mlir::Operation *op, const IntegerValue &a) const;

  Findings &findings;
  bool isPayload = false;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_UNTRIED_INTEGERARITHMETIC_H
