//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Comparison of a result with the fp64 reference.
//
// The rule for an element g of a float result, with r the reference and o what
// the payload itself gives in its own precision:
//
//     |g - r| <= max(2 max|o - r|, 4 u sqrt(K) max(|r|, rms(r)))
//
// with u the unit roundoff of the result's dtype, K the longest reduction of
// the payload, and max and rms taken over the tensor. The first term is the
// yardstick of the policy `match`: a schedule may be twice as far from the
// truth as the program it replaces, wherever that is. The second allows what
// another order of additions can do when the payload happens to be lucky:
// rounding errors of K terms add up like sqrt(K) u times the size of the
// terms, for which the result's own scale stands. NaN matches NaN, and an
// infinity its like or what the payload gives in its own precision.
//
// Integers agree bit for bit with the payload in its own precision or in fp64:
// where an integer depends on floats (argmax, a comparison) both are right.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_VERIFY_COMPARE_H
#define EGG_VERIFY_COMPARE_H

#include "egg/Verify/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

namespace egg {

/// What the comparison of one result showed.
struct Comparison {
  /// Elements beyond their tolerance.
  int64_t mismatches = 0;
  /// The element furthest beyond (or nearest to) its tolerance, the values
  /// there and what was allowed.
  int64_t worst = 0;
  double got = 0, expected = 0, native = 0, tolerance = 0;
  /// Largest absolute error, and the same relative to the reference's rms; of
  /// the result and of the payload in its own precision.
  double maxError = 0, maxRelativeError = 0, nativeError = 0;
  /// Elements whose reference is a finite number.
  int64_t finite = 0;

  bool matches() const { return mismatches == 0; }
};

/// Compares one result. `reference` is f64 for floats; `native` and `got` have
/// the payload's dtype. `nativeError` is the payload's largest error over
/// earlier runs, taken into the tolerance and updated.
Comparison compareResult(const HostTensor &reference, const HostTensor &native,
                         const HostTensor &got, int64_t reductionLength,
                         double &nativeError);

/// The longest reduction of the payload: the product of the reduction extents
/// of a linalg op, or the length of a scan; at least 1.
int64_t getLongestReduction(mlir::ModuleOp payload);

} // namespace egg

#endif // EGG_VERIFY_COMPARE_H
