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
  /// Whether constants that are the number of elements of a sum, such as a
  /// mean's divisor, follow the extents.
  bool scaleCounts = false;
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

/// A copy of the payload with smaller extents: dimensions that must agree
/// shrink together, windows and padding keep their sizes, constants keep their
/// shapes. Deterministic. Fails with a diagnostic when no smaller program
/// within maxWork was found or the payload is malformed. A payload that is
/// small enough comes back with its own extents for Aligned.
///
/// Where a constant meets a number of an iteration (i < 100), Aligned and Odd
/// choose extents at which the constant matters as it does originally, if the
/// work allows it. `unreached` gets the others.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
shrinkPayload(mlir::ModuleOp payload, const ShrinkTarget &target,
              std::vector<UnreachedIndex> *unreached = nullptr);

/// Points of all loops of the payload plus elements of all its tensors: what
/// running it on the CPU costs, in units of a few nanoseconds.
int64_t estimateWork(mlir::ModuleOp payload);

} // namespace egg

#endif // EGG_VERIFY_SHRINKPAYLOAD_H
