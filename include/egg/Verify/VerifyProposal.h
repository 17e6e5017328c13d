//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Verifying a proposal: from a payload's and a schedule's text to a Verdict
// with evidence or a Rejection. Runs in a child process with limits.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_VERIFY_VERIFYPROPOSAL_H
#define EGG_VERIFY_VERIFYPROPOSAL_H

#include "egg/Core/Rejection.h"
#include "egg/Core/Verdict.h"
#include "egg/Host/HostArithmetic.h"
#include "egg/Host/HostTensor.h"
#include "egg/Support/Subprocess.h"
#include "egg/Verify/Inputs.h"
#include "egg/Verify/ShrinkPayload.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace egg {

/// What the verification of a proposal came to: a Rejection, or a Verdict (of
/// grade Unverified when nothing could be compared; its `skipped` says why).
struct Verification {
  std::optional<Rejection> rejection;
  Verdict verdict;

  bool accepted() const { return !rejection; }
};

/// JSON: {"verdict": ...} or {"rejection": ...}.
std::string toJSON(const Verification &verification);
llvm::Expected<Verification> parseVerification(llvm::StringRef text);

struct VerifyOptions {
  /// Seed of the first inputs; further seeds follow it.
  uint64_t seed = 0;
  /// Inputs drawn from each of the distributions uniform, normal and wide; the
  /// others are drawn from once.
  int64_t seeds = 2;
  /// Extents to check at.
  std::vector<ShrinkVariant> variants = {ShrinkVariant::Aligned,
                                         ShrinkVariant::Odd};
  std::vector<Distribution> distributions = {std::begin(kDistributions),
                                             std::end(kDistributions)};
  /// Work of a shrunken payload (see ShrinkTarget).
  int64_t maxWork = 2000000;
  /// Compare in exact arithmetic as well, for the grade `exact`.
  bool exact = true;
  /// Refuse the schedule when it names another payload.
  bool checkPayload = true;
  /// How the schedule is called in messages.
  std::string scheduleName = "schedule.mlir";

  /// Called on the materialized kernels, at the payload's own extents and at
  /// each variant's, before they are looked at: the self-check's way to break
  /// them.
  std::function<void(mlir::ModuleOp)> changeKernels;

  /// Called on the inputs of every run, floats or residues: what a kernel may
  /// rely on, such as values that tf32 holds.
  std::function<void(std::vector<HostTensor> &, HostArithmetic)> changeInputs;

  /// Refuse results whose error, over all elements, is more than twice that of
  /// the payload in its own precision: the rule for kernels that claim f32.
  bool matchPrecision = false;

  /// The kernels may compute by other laws of algebra than the payload, as a
  /// substitution does: laws that fail on infinities and denormals, which then
  /// are placed nowhere, and the signs of zeros are not compared. A NaN of a
  /// special input may reach more elements than in the payload; the same inputs
  /// with numbers in place of NaN must agree as ever.
  bool otherAlgebra = false;

  /// With otherAlgebra: whether NaN may spread, and whether infinities are
  /// placed after all; both follow from what is replaced (Special/ReplacedOps).
  /// Where infinities are placed, numbers of the payload's must be the
  /// kernels', and what is none there is none here.
  bool nanMaySpread = true, placesInfinities = false;

  /// Of the numeric inputs.
  SpecialNumbers specialNumbers() const {
    return {!otherAlgebra || placesInfinities, !otherAlgebra};
  }

  /// The kernels are somebody's own, made by no schedule, and run at their own
  /// extents: what messages speak of.
  bool handWritten = false;

  /// Limits of the child process.
  double wallSeconds = 120;
  uint64_t memoryBytes = uint64_t(6) << 30;
  /// What to try where the check takes too long, and where it crashes.
  std::string ifSlow = "use a schedule whose kernels do less work a block",
              ifCrashed =
                  "try the schedule's steps one at a time to find which "
                  "one it is";
  /// How whoever asks sets these limits, for messages.
  std::string timeOption = "time-limit", memoryOption = "memory-limit";
};

/// Steps, each of which may refuse: accept (the script is a schedule), apply
/// (at the payload's own extents), check (the kernels keep the rules and the
/// limits of the target), then for each variant of small extents: apply,
/// emulate (every kernel thread by thread, see SimtExecution.h) and numeric
/// (compared with fp64, see Compare.h), exact (compared bit for bit in exact
/// arithmetic, see Residue.h). A crash or a limit exceeded in the
/// child is a Rejection of the step it happened in. The Error is for a child
/// that could not be started.
///
/// `registry` holds the dialects of payloads and schedules with their
/// interfaces.
llvm::Expected<Verification>
verifyProposal(llvm::StringRef payloadText, llvm::StringRef scheduleText,
               const mlir::DialectRegistry &registry,
               const VerifyOptions &options);

/// The same in this process, without limits. For tests and debuggers.
Verification verifyInProcess(llvm::StringRef payloadText,
                             llvm::StringRef scheduleText,
                             const mlir::DialectRegistry &registry,
                             const VerifyOptions &options, StepListener onStep);

/// Runs a check in a child with the options' limits, as verifyProposal does. A
/// context that the check uses must have multithreading disabled.
llvm::Expected<Verification>
verifyInChild(const VerifyOptions &options,
              llvm::function_ref<Verification(StepListener)> check);

} // namespace egg

#endif // EGG_VERIFY_VERIFYPROPOSAL_H
