//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shrinking: the same program on smaller tensors, so that a CPU can run it and
// its kernels in a second.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_VERIFY_SHRINKPAYLOAD_H
#define EGG_VERIFY_SHRINKPAYLOAD_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace egg {

/// Which small extents to choose.
enum class ShrinkVariant {
  /// Extents keep their remainder modulo the largest multiple that fits, so
  /// that whole tiles and aligned accesses occur.
  Aligned,
  /// Extents just past a multiple, and primes, different for unrelated
  /// dimensions: remainders everywhere.
  Odd,
  /// The least extents there can be, mostly one.
  Least
};
llvm::StringRef stringifyShrinkVariant(ShrinkVariant variant);
std::optional<ShrinkVariant> symbolizeShrinkVariant(llvm::StringRef name);

/// Which constants follow the extents, as they are the number of elements of a
/// sum, such as a mean's divisor.
enum class CountRule {
  /// None.
  Keep,
  /// Those that have the value of one such number.
  Value,
  /// Those that divide sums, by the extents of these very sums; where that does
  /// not tell, as Value.
  DataFlow
};

struct ShrinkTarget {
  ShrinkVariant variant = ShrinkVariant::Aligned;
  /// Tile sizes and vector widths that extents should stay (or stop being)
  /// multiples of, in any order.
  std::vector<int64_t> multiples = {4, 8, 16, 32, 64, 128};
  /// Elements that a group of threads covers of a reduced or scanned dimension
  /// in one step, all parts of a split together. Such dimensions get at least
  /// two steps where the work allows.
  std::vector<int64_t> steps;
  /// Number of parts that the schedule splits a reduction into, 1 for none:
  /// such dimensions stay multiples of it, and larger.
  int64_t splitParts = 1;
  CountRule countRule = CountRule::Keep;
  /// The payload holds two programs: its results are those of one, then those
  /// of the other, of the same extents.
  bool resultsComeTwice = false;
  /// Upper bound of the work (see estimateWork); the largest extents that stay
  /// below are taken.
  int64_t maxWork = 2000000;
};

/// What an index meets at the original extents and not at the smaller ones.
struct UnreachedIndex {
  mlir::Location location;
  /// Such as "the constant 100".
  std::string what;
};

/// A constant that is likely the number of elements of a sum, or one over it.
struct CountConstant {
  /// Of an operation that uses it.
  mlir::Location location;
  double value;
  /// At the smaller extents; none where it stayed, as it was not clear whose
  /// number it is.
  std::optional<double> scaled;
  /// Whether CountRule::Value gives it another number.
  bool isDisputed = false;
};

/// A copy of the payload with smaller extents: dimensions that must agree
/// shrink together, windows and padding keep their sizes, constants keep their
/// shapes. Deterministic. Fails with a diagnostic when no smaller program
/// within maxWork was found or the payload is malformed. A payload that is
/// small enough comes back with its own extents for Aligned.
///
/// Where a constant meets a number of an iteration (i < 100), Aligned and Odd
/// choose extents at which the constant matters as it does originally, if the
/// work allows it. `unreached` gets the others. `counts` gets the constants
/// that the count rule looked at.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
shrinkPayload(mlir::ModuleOp payload, const ShrinkTarget &target,
              std::vector<UnreachedIndex> *unreached = nullptr,
              std::vector<CountConstant> *counts = nullptr);

/// Points of all loops of the payload plus elements of all its tensors: what
/// running it on the CPU costs, in units of a few nanoseconds.
int64_t estimateWork(mlir::ModuleOp payload);

} // namespace egg

#endif // EGG_VERIFY_SHRINKPAYLOAD_H
