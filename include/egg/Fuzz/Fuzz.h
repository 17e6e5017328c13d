//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fuzzing: random programs through the steps that take untrusted ones. Each
// case runs in a child process with limits, and follows from the seed and its
// number alone.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_FUZZ_FUZZ_H
#define EGG_FUZZ_FUZZ_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace egg {

enum class FuzzMode {
  /// Valid schedules and payloads, broken, through acceptance, application and
  /// lowering: a refusal needs a diagnostic with a place, and what is accepted
  /// must lower.
  Scripts,
  /// Random small payloads with random legal schedules through all steps of
  /// verifyProposal: the kernels compute the payload, or a step before they
  /// run has refused them.
  Kernels
};

llvm::StringRef stringifyFuzzMode(FuzzMode mode);
std::optional<FuzzMode> symbolizeFuzzMode(llvm::StringRef name);

/// What one case runs on. Untrusted: only children parse it.
struct FuzzPrograms {
  std::string payload, schedule;
  bool operator==(const FuzzPrograms &) const = default;
};

struct FuzzOutcome {
  enum class Fate {
    Accepted,
    /// By a diagnostic, where a refusal is right.
    Refused,
    /// A crash, a limit reached, a refusal that says nothing, kernels that do
    /// not lower or do not agree with the payload.
    Finding
  };
  Fate fate = Fate::Finding;
  /// Where it ended.
  std::string step;
  /// Why it was refused, or what was found.
  std::string reason;
  /// Kernels that were accepted: the grade, and what kept it from `exact`.
  std::string grade;
  std::vector<std::string> skipped;
  double seconds = 0;

  /// The step and the reason without what differs from case to case (numbers,
  /// names): equal for findings of one cause, mostly.
  std::string kind() const;
};

struct FuzzOptions {
  FuzzMode mode = FuzzMode::Scripts;
  /// The cases `first` to `first + count - 1` of the seed.
  uint64_t seed = 0, first = 0, count = 100;
  std::string chip = "sm_90a";
  /// Limits of a case.
  double wallSeconds = 60;
  uint64_t memoryBytes = uint64_t(4) << 30;
  /// Attempts at making a finding smaller; 0 leaves it as it is. None begins
  /// after so many seconds: each may take as long as a case.
  int64_t reductionTrials = 150;
  double reductionSeconds = 300;
};

/// One finding, as small as it became.
struct FuzzFinding {
  uint64_t number = 0;
  FuzzOutcome outcome;
  FuzzPrograms programs;
  /// What ended its reduction before nothing more could go: "300 s".
  std::string reductionLimit;
};

struct FuzzResult {
  FuzzOptions options;
  /// Cases that have run.
  uint64_t done = 0;
  uint64_t accepted = 0, refused = 0;
  /// Broken payloads that crashed MLIR's parser or verifier while they were
  /// read: nothing of EGG has run, and only the program that reads its own
  /// input is lost.
  uint64_t parserCrashes = 0;
  /// Times that a step refused, a grade was given, or a reason kept a schedule
  /// from `exact`.
  std::map<std::string, uint64_t> refusals, grades, skipped;
  /// Every one; of those of one kind only the first is made smaller.
  std::vector<FuzzFinding> findings;
  double seconds = 0, longestSeconds = 0;
  uint64_t longestNumber = 0;
};

/// The programs of one case. Runs in a child; the Error is for one that ends
/// before it has them.
llvm::Expected<FuzzPrograms>
makeFuzzPrograms(const mlir::DialectRegistry &registry,
                 const FuzzOptions &options, uint64_t number);

/// Runs the programs through the steps of the mode, in a child.
llvm::Expected<FuzzOutcome>
runFuzzPrograms(const FuzzPrograms &programs,
                const mlir::DialectRegistry &registry,
                const FuzzOptions &options);

/// Makes the finding's programs smaller while it stays of its kind, within
/// `reductionTrials` children and `reductionSeconds`. `keep` is called whenever
/// they have become smaller.
llvm::Error reduceFinding(FuzzFinding &finding,
                          const mlir::DialectRegistry &registry,
                          const FuzzOptions &options,
                          llvm::function_ref<llvm::Error()> keep);

/// Runs all cases. The Error is for a child that could not be started, an
/// unknown chip or one of `keep`, which is given what there is at least every
/// few seconds and whenever it has another finding, or a smaller one.
llvm::Expected<FuzzResult>
runFuzz(const mlir::DialectRegistry &registry, const FuzzOptions &options,
        llvm::function_ref<llvm::Error(const FuzzResult &)> keep);

/// A finding as a file that split-file takes apart (payload.mlir,
/// schedule.mlir), with what was found and the command that repeats it.
std::string formatFinding(const FuzzFinding &finding,
                          const FuzzOptions &options);
/// The programs of such a file.
std::optional<FuzzPrograms> parseFinding(llvm::StringRef text);

/// JSON: the counts, and each finding with the text of its file.
std::string toJSON(const FuzzResult &result);

} // namespace egg

#endif // EGG_FUZZ_FUZZ_H
