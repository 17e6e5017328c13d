//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What can be said of materialized kernels before anything runs: for each
// property, how many of its places are proved, violated or undecided. A
// violation comes with a witness that exact machine arithmetic confirms; what
// is undecided is left to the emulator. docs/Verification.md lists the rules.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LEGALITY_LEGALITY_H
#define EGG_LEGALITY_LEGALITY_H

#include "egg/Core/Rejection.h"
#include "egg/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace egg {

enum class Property {
  /// Every element read or written lies in its memref.
  Bounds,
  /// Vector accesses start at a multiple of their size, at most 16 bytes.
  Alignment,
  /// Index arithmetic does not leave its type.
  IndexWidth,
  /// Barriers are met by all threads of a block, shuffles by all of a warp.
  Barriers,
  /// No two threads write one element of global memory.
  Conflicts,
  /// A barrier is between a write of shared memory and another thread's access.
  SharedRaces,
  /// Partial results start with the combiner's identity and are all counted.
  Accumulators,
  /// Threads, shared memory and grid are within the limits of the chip.
  Resources
};
inline constexpr size_t kProperties = 8;
/// "bounds", "alignment", ...
llvm::StringRef stringifyProperty(Property property);

enum class Outcome { Proved, Violated, Undecided };
llvm::StringRef stringifyOutcome(Outcome outcome);

/// Something that is violated or undecided.
struct LegalityFinding {
  Property property = Property::Bounds;
  Outcome outcome = Outcome::Undecided;
  /// The operation's name, and where the kernel's source has it; diagnostics
  /// of egg-check-legality are emitted there.
  std::string operation;
  mlir::Location location;
  std::string reason;
  /// Threads, blocks and indices that show it; empty where undecided.
  std::string witness;
  std::string remedy;
};

struct PropertyCount {
  int64_t proved = 0, violated = 0, undecided = 0;
  int64_t total() const { return proved + violated + undecided; }
};

struct KernelLegality {
  std::string kernel;
  std::array<PropertyCount, kProperties> counts;
  /// What is violated or undecided, in program order within a property.
  std::vector<LegalityFinding> findings;

  const PropertyCount &operator[](Property property) const {
    return counts[size_t(property)];
  }
};

struct LegalityReport {
  std::vector<KernelLegality> kernels;

  /// The first violation with its kernel; null if there is none.
  std::pair<const KernelLegality *, const LegalityFinding *>
  firstViolation() const;
  PropertyCount total(Property property) const;
  /// "14 of 14 accesses proved in bounds, ...; left to emulation: ...".
  std::string summary() const;
};

/// "kernel 'k': ..." with the witness.
std::string describe(const KernelLegality &kernel,
                     const LegalityFinding &finding);
llvm::json::Value toJSONValue(const LegalityReport &report);
/// The refusal at step "legality" for the first violation, the others in its
/// notes; nothing if there is none.
std::optional<Rejection> toRejection(const LegalityReport &report);

/// Checks every gpu.func of the module's gpu.modules that says its launch
/// (known_block_size and known_grid_size); of others all is undecided. The
/// module is not changed.
LegalityReport checkLegality(mlir::ModuleOp module, const TargetInfo &target);

} // namespace egg

#endif // EGG_LEGALITY_LEGALITY_H
