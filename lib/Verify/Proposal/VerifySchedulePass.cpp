//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-verify-schedule: the verdict as remarks, a rejection as an error.
//
//===----------------------------------------------------------------------===//
#include "egg/Guard/RunOnCopy.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Verify/Passes.h"
#include "egg/Verify/VerifyProposal.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"

namespace egg {
#define GEN_PASS_DEF_VERIFYSCHEDULE
#include "egg/Verify/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

class VerifySchedulePass
    : public egg::impl::VerifyScheduleBase<VerifySchedulePass> {
public:
  using VerifyScheduleBase::VerifyScheduleBase;
  void runOnOperation() override;

private:
  Location scheduleStart() {
    return FileLineColLoc::get(&getContext(), schedule, 1, 1);
  }
  void report(const Verdict &verdict, Grade least);
  void report(const Rejection &rejection);
};

} // namespace

/// One remark with the evidence as its notes; an error instead where the
/// verdict is not what was asked for.
void VerifySchedulePass::report(const Verdict &verdict, Grade least) {
  std::optional<Rejection> refused = refuseBelow(verdict, least, "require");
  DiagnosticSeverity severity = refused ? DiagnosticSeverity::Error
                                : verdict.grade == Grade::Unverified
                                    ? DiagnosticSeverity::Warning
                                    : DiagnosticSeverity::Remark;
  InFlightDiagnostic diagnostic =
      getContext().getDiagEngine().emit(scheduleStart(), severity);
  if (refused)
    diagnostic << refused->reason << "; " << refused->remedy;
  else
    diagnostic << "verdict: " << stringifyGrade(verdict.grade) << ": "
               << explainGrade(verdict.grade);
  for (const Evidence &evidence : verdict.evidence) {
    diagnostic.attachNote() << evidence.step << ": " << evidence.statement;
    for (const std::string &line : describeErrors(evidence.errors))
      diagnostic.attachNote() << evidence.step << ": " << line;
  }
  for (const std::string &skipped : verdict.skipped)
    diagnostic.attachNote() << "skipped: " << skipped;
  if (!verdict.versions.empty()) {
    Diagnostic &note = diagnostic.attachNote();
    note << "versions:";
    for (const auto &[name, version] : verdict.versions)
      note << " " << name << " " << version;
  }
  if (refused)
    signalPassFailure();
}

/// "file:line:column" as a location.
static std::optional<Location> parseLocation(MLIRContext *context,
                                             StringRef text) {
  auto [rest, columnText] = text.rsplit(':');
  auto [file, lineText] = rest.rsplit(':');
  unsigned line = 0, column = 0;
  if (file.empty() || lineText.getAsInteger(10, line) ||
      columnText.getAsInteger(10, column))
    return std::nullopt;
  return FileLineColLoc::get(context, file, line, column);
}

void VerifySchedulePass::report(const Rejection &rejection) {
  std::optional<Location> place =
      parseLocation(&getContext(), rejection.location);
  InFlightDiagnostic error = emitError(place ? *place : scheduleStart())
                             << "refused at step '" << rejection.step << "'";
  if (!place && !rejection.location.empty())
    error << " at " << rejection.location;
  error << ": " << rejection.reason;
  if (!rejection.remedy.empty())
    error << "; " << rejection.remedy;
  for (const std::string &note : rejection.notes)
    error.attachNote() << note;
}

void VerifySchedulePass::runOnOperation() {
  ModuleOp module = getOperation();
  if (failed(checkPrintable(module)))
    return signalPassFailure();
  auto fail = [&](const Twine &message) {
    emitError(module.getLoc()) << message;
    signalPassFailure();
  };
  llvm::Expected<Grade> least = parseRequiredGrade(require);
  if (!least)
    return fail(llvm::toString(least.takeError()));
  FailureOr<std::string> script = readScheduleText(schedule, module.getLoc());
  if (failed(script))
    return signalPassFailure();
  VerifyOptions options;
  options.seed = seed;
  options.seeds = seeds;
  options.maxWork = maxWork;
  options.exact = exact;
  options.checkPayload = checkPayload;
  options.scheduleName = schedule;
  options.wallSeconds = timeLimit;
  options.memoryBytes = uint64_t(memoryLimit) << 20;
  if (seeds < 1)
    return fail("seeds is " + Twine(int64_t(seeds)) + "; use at least 1");
  if (maxWork < 1)
    return fail("max-work is " + Twine(int64_t(maxWork)) + "; use at least 1");
  if (failed(checkLimits(timeLimit, memoryLimit, module.getLoc())))
    return signalPassFailure();

  // With locations, so that messages point into the file it came from.
  std::string payload;
  llvm::raw_string_ostream os(payload);
  module.print(os, OpPrintingFlags().enableDebugInfo());
  DialectRegistry registry;
  getContext().getDialectRegistry().appendTo(registry);
  auto verification = verifyProposal(payload, *script, registry, options);
  if (!verification)
    return fail("the check could not be started: " +
                llvm::toString(verification.takeError()));
  if (verification->rejection) {
    report(*verification->rejection);
    return signalPassFailure();
  }
  report(verification->verdict, *least);
}
