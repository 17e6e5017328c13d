//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// IndexRange: how far a value reaches that follows from loop indices and
// constants alone, as a function of the loops' extents.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SHRINK_INDEXRANGES_H
#define EGG_LIB_VERIFY_SHRINK_INDEXRANGES_H

#include "DimSystem.h"
#include "mlir/IR/Location.h"
#include <map>
#include <optional>

namespace egg {

/// A constant plus, for each loop, its last index times a factor.
struct IndexBound {
  std::map<DimSystem::Var, double> factors;
  double constant = 0;

  double evaluate(const DimSystem &system) const;
};
IndexBound operator+(IndexBound a, const IndexBound &b);
IndexBound operator*(IndexBound a, double factor);

struct IndexRange {
  /// The upper bound's factors are positive, the lower one's negative.
  IndexBound low, high;
  /// Nothing but the loops is known.
  bool isOpaque = false;
  /// The largest of the constants that it is computed from.
  std::optional<std::pair<double, mlir::Location>> largest;

  static IndexRange ofLoop(DimSystem::Var loop);
  static IndexRange ofConstant(double value, mlir::Location loc);
  /// Of values that are computed from both in some way.
  static IndexRange opaque(const IndexRange &a, const IndexRange &b);

  bool dependsOnLoops() const {
    return !low.factors.empty() || !high.factors.empty();
  }
  /// The value, where there is only one.
  std::optional<double> getConstant() const;
};
IndexRange operator+(const IndexRange &a, const IndexRange &b);
IndexRange operator-(const IndexRange &a, const IndexRange &b);
IndexRange operator*(const IndexRange &a, const IndexRange &b);
IndexRange scale(IndexRange range, double factor);
/// From the lower of the lower bounds to the higher of the higher ones, at the
/// original extents.
IndexRange unite(const IndexRange &a, const IndexRange &b,
                 const DimSystem &system);

} // namespace egg

#endif // EGG_LIB_VERIFY_SHRINK_INDEXRANGES_H
