//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a payload's ops ask of its inputs, so that checks can draw some. A
// module that a schedule was applied to no longer shows it: attributes do.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_IMPORT_INPUTRULES_H
#define EGG_IMPORT_INPUTRULES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

namespace egg {

/// On an integer argument of @main: its elements are in [0, bound), or of any
/// value where it is 0.
inline constexpr llvm::StringLiteral kBoundAttrName = "egg.bound";
/// On the same: InputRules::guarded.
inline constexpr llvm::StringLiteral kGuardedAttrName = "egg.guarded";
/// On the module: it multiplies many elements together.
inline constexpr llvm::StringLiteral kLongProductsAttrName =
    "egg.long_products";
/// On the module: the constants of InputRules, i64 and f64.
inline constexpr llvm::StringLiteral kIntegersAttrName = "egg.integers";
inline constexpr llvm::StringLiteral kThresholdsAttrName = "egg.thresholds";

struct InputRules {
  /// For each argument, integers are drawn from [0, bound): the least extent
  /// that they index, the width that they shift, at most 10. 0 where integers
  /// of every value mean something.
  llvm::SmallVector<int64_t> bounds;
  /// For each argument with a bound, further values that its elements may have:
  /// beyond the bound within what it indexes, or anywhere where the payload
  /// guards the index (a label that is ignored, a position from the end).
  llvm::SmallVector<llvm::SmallVector<int64_t>> guarded;
  /// Constants of the payload that integers meet in arithmetic, and float
  /// constants that floats are compared with (comparisons, maxima, minima). The
  /// first ones, without the ends of float types.
  llvm::SmallVector<int64_t> integers;
  llvm::SmallVector<double> thresholds;
  /// Whether many elements are multiplied together. An infinity among them
  /// times a product that underflows is NaN, and which products do depends on
  /// their order, which a schedule may choose.
  bool longProducts = false;
};

/// The rules of a module with a function @main: what its attributes say, else
/// what its ops show.
InputRules readInputRules(mlir::ModuleOp module);

/// Writes the rules into attributes; to be called before the ops go.
void keepInputRules(mlir::ModuleOp payload);

/// Adds the constants of another program with the same arguments to the rules,
/// as attributes: where that one turns is where it may be wrong.
void addInputConstants(mlir::ModuleOp payload, mlir::ModuleOp other);

} // namespace egg

#endif // EGG_IMPORT_INPUTRULES_H
