//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-verify-schedule: the verdict as remarks, a rejection as an error.
//
//===----------------------------------------------------------------------===//
#include "egg/Verify/Passes.h"
#include "egg/Verify/VerifyProposal.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

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
  void report(const Verdict &verdict);
  void report(const Rejection &rejection);
};

} // namespace

void VerifySchedulePass::report(const Verdict &verdict) {
  Location location = getOperation().getLoc();
  if (verdict.grade == Grade::Unverified)
    emitWarning(location) << "verdict: " << stringifyGrade(verdict.grade);
  else
    emitRemark(location) << "verdict: " << stringifyGrade(verdict.grade);
  for (const Evidence &evidence : verdict.evidence) {
    InFlightDiagnostic remark = emitRemark(location)
                                << evidence.step << ": " << evidence.statement;
    if (evidence.maxAbsoluteError)
      remark << "; largest error "
             << llvm::formatv("{0}",
                              llvm::format("%.3g", *evidence.maxAbsoluteError))
                    .str();
  }
  for (const std::string &skipped : verdict.skipped)
    emitRemark(location) << "skipped: " << skipped;
}

void VerifySchedulePass::report(const Rejection &rejection) {
  InFlightDiagnostic error = emitError(getOperation().getLoc())
                             << "refused at step '" << rejection.step << "'";
  if (!rejection.location.empty())
    error << " at " << rejection.location;
  error << ": " << rejection.reason;
  if (!rejection.remedy.empty())
    error << "; " << rejection.remedy;
  for (const std::string &note : rejection.notes)
    error.attachNote() << note;
}

void VerifySchedulePass::runOnOperation() {
  ModuleOp module = getOperation();
  auto fail = [&](const Twine &message) {
    emitError(module.getLoc()) << message;
    signalPassFailure();
  };
  if (schedule.empty())
    return fail("no schedule given: use schedule=FILE");
  auto file = llvm::MemoryBuffer::getFile(schedule);
  if (!file)
    return fail("cannot read the schedule '" + schedule +
                "': " + file.getError().message());
  VerifyOptions options;
  options.seed = seed;
  options.seeds = seeds;
  options.maxWork = maxWork;
  options.checkPayload = checkPayload;
  options.scheduleName = schedule;
  options.wallSeconds = timeLimit;
  options.memoryBytes = uint64_t(memoryLimit) << 20;
  if (seeds < 1)
    return fail("seeds is " + Twine(int64_t(seeds)) + "; use at least 1");
  // Written so that NaN fails too.
  if (!(timeLimit > 0))
    return fail("time-limit must be a positive number of seconds");
  if (memoryLimit < 1)
    return fail("memory-limit is " + Twine(int64_t(memoryLimit)) +
                "; use at least 1 MiB");

  // With locations, so that messages point into the file it came from.
  std::string payload;
  llvm::raw_string_ostream os(payload);
  module.print(os, OpPrintingFlags().enableDebugInfo());
  DialectRegistry registry;
  getContext().getDialectRegistry().appendTo(registry);
  auto verification =
      verifyProposal(payload, (*file)->getBuffer(), registry, options);
  if (!verification)
    return fail("the check could not be started: " +
                llvm::toString(verification.takeError()));
  if (verification->rejection) {
    report(*verification->rejection);
    return signalPassFailure();
  }
  report(verification->verdict);
}
