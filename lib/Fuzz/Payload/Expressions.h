//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random expressions on scalars: the bodies of operations.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_FUZZ_EXPRESSIONS_H
#define EGG_LIB_FUZZ_EXPRESSIONS_H

#include "../Choices.h"
#include "mlir/IR/Builders.h"

namespace egg::fuzz {

/// What a body may do and what it did.
struct ExpressionRules {
  /// Whether the arguments are exact: then it may compare, round, and turn into
  /// integers. Where they are right up to rounding only, two right programs
  /// could differ by a jump.
  bool mayJump = true;
  /// Loops whose linalg.index it may read; 0 for none.
  unsigned loops = 0;
  /// Set when the value is right only up to rounding.
  bool rounds = false;
};

/// A value of the type from the arguments, each used at least once.
mlir::Value buildExpression(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::ValueRange arguments, mlir::Type type,
                            Choices &choices, ExpressionRules &rules);

/// The value in another type; NaN and what is out of range becomes zero.
mlir::Value convertTo(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                      mlir::Type type);

} // namespace egg::fuzz

#endif // EGG_LIB_FUZZ_EXPRESSIONS_H
