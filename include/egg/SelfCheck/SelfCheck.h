//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The self-check: for each class of workloads and each kind of mutation, is
// the mutant refused? It tests the checker, not the kernels.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SELFCHECK_SELFCHECK_H
#define EGG_SELFCHECK_SELFCHECK_H

#include "egg/SelfCheck/Mutation.h"
#include "egg/SelfCheck/Workloads.h"
#include "egg/Verify/VerifyProposal.h"
#include <map>

namespace egg {

struct SelfCheckOptions {
  /// Names of classes and kinds; empty means all.
  std::vector<std::string> classes, kinds;
  /// Mutants of each kind for each class with a schedule.
  int64_t mutants = 2;
  /// Draws extents, places of mutations and inputs.
  uint64_t seed = 0;
  std::string chip = "sm_90a";
  VerifyOptions verify;
};

/// What became of one mutant.
struct MutantResult {
  enum class Fate {
    /// A step of the check refused it.
    Refused,
    /// Accepted, and at the workload's own extents its results equal those of
    /// the unmutated kernels bit for bit, without a fault: not a wrong kernel.
    Neutral,
    /// Accepted and different: the checker let a wrong kernel through.
    Survived
  };
  Fate fate = Fate::Survived;
  std::string workload, mutation;
  /// What was changed.
  std::string what;
  /// The step that refused and why; for a survivor, how it differs.
  std::string step, reason;
};
llvm::StringRef stringifyFate(MutantResult::Fate fate);

struct SelfCheckResult {
  std::vector<MutantResult> mutants;
  /// Unmutated workloads that were refused or not compared: class and reason.
  std::vector<std::pair<std::string, std::string>> falseRefusals;
  int64_t count(MutantResult::Fate fate) const;
  bool passed() const {
    return falseRefusals.empty() && count(MutantResult::Fate::Survived) == 0;
  }
};

/// Errors: an unknown name, or a workload that the expert has no script for.
llvm::Expected<SelfCheckResult>
runSelfCheck(const mlir::DialectRegistry &registry,
             const SelfCheckOptions &options);

/// The payloads of the classes asked for: name and text. Errors: an unknown
/// name.
llvm::Expected<std::vector<std::pair<std::string, std::string>>>
generatePayloads(const mlir::DialectRegistry &registry,
                 const SelfCheckOptions &options);

/// A line a kind, a column a class; each cell says how many of how many mutants
/// were refused.
std::string formatTable(const SelfCheckResult &result);
/// JSON: {"mutants": [...], "false_refusals": [...], "passed": bool}.
std::string toJSON(const SelfCheckResult &result);

} // namespace egg

#endif // EGG_SELFCHECK_SELFCHECK_H
