//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FuzzCase.h"
#include "egg/Import/Passes.h"
#include "egg/Lowering/BuildPlan.h"
#include "egg/Lowering/LowerToNVVM.h"
#include "egg/Schedule/ApplySchedule.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Support/Nesting.h"
#include "egg/Target/TargetInfo.h"
#include "egg/Verify/CheckKernelRules.h"
#include "egg/Verify/VerifyProposal.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace egg;
using namespace egg::fuzz;
using Fate = FuzzOutcome::Fate;

/// What egg-opt accepts in its input.
static constexpr int64_t kMostBrackets = 256;

namespace {

/// One pair of programs on its way to lowered kernels.
class ScriptCase {
public:
  ScriptCase(const FuzzPrograms &programs, const DialectRegistry &registry,
             OnStep onStep)
      : programs(programs), onStep(onStep),
        context(registry, MLIRContext::Threading::DISABLED),
        handler(&context,
                [this](Diagnostic &diagnostic) { keep(diagnostic); }) {}

  FuzzOutcome run();

private:
  void keep(Diagnostic &diagnostic);
  void enter(llvm::StringRef name) {
    step = name.str();
    onStep(name);
    firstError.clear();
    errors = 0;
    hasPlace = false;
  }
  FuzzOutcome end(Fate fate, std::string reason) {
    FuzzOutcome outcome;
    outcome.fate = fate;
    outcome.step = step;
    outcome.reason = std::move(reason);
    return outcome;
  }
  /// A refusal is right, if it says why and where.
  FuzzOutcome refuse() {
    if (errors == 0)
      return end(Fate::Finding, "refused without a diagnostic");
    if (firstError.empty())
      return end(Fate::Finding, "refused with an empty diagnostic");
    if (!hasPlace)
      return end(Fate::Finding, "refused without a place: " + firstError);
    return end(Fate::Refused, firstError);
  }
  /// What was applied must go on, if the payload was one.
  FuzzOutcome refuseLate(std::string reason) {
    if (reason.empty() || isPayload)
      return end(Fate::Finding,
                 "applied, but: " + (reason.empty() ? "(no reason)" : reason));
    return end(Fate::Refused, reason);
  }

  const FuzzPrograms &programs;
  OnStep onStep;
  MLIRContext context;
  ScopedDiagnosticHandler handler;
  std::string step, firstError;
  int64_t errors = 0;
  bool hasPlace = false, isPayload = false;
};

} // namespace

void ScriptCase::keep(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  if (errors++ == 0) {
    firstError = diagnostic.str();
    // A name that the text itself gives is one.
    hasPlace = !isa<UnknownLoc>(diagnostic.getLocation());
  }
}

FuzzOutcome ScriptCase::run() {
  enter(kParsePayload);
  // As egg-opt refuses it before it parses.
  if (findDeepNesting(programs.payload, kMostBrackets))
    return end(Fate::Refused, "the payload has too many brackets open");
  auto payload =
      parseSourceString<ModuleOp>(programs.payload, &context, "payload.mlir");
  if (!payload)
    return refuse();
  enter("check-payload");
  isPayload = succeeded(checkPayload(*payload));
  if (!isPayload)
    if (FuzzOutcome outcome = refuse(); outcome.fate == Fate::Finding)
      return outcome;
  enter("accept");
  auto schedule = parseSchedule(programs.schedule, "schedule.mlir", &context);
  if (failed(schedule))
    return refuse();
  enter("target");
  auto target = lookupTarget(
      (**schedule)->getAttrOfType<StringAttr>(kTargetAttrName).getValue());
  if (!target)
    return end(Fate::Refused, llvm::toString(target.takeError()));
  enter("payload-hash");
  // Only that it says something: mutants of payloads go on.
  if (failed(egg::checkPayload(*payload, **schedule)))
    if (FuzzOutcome outcome = refuse(); outcome.fate == Fate::Finding)
      return outcome;
  enter("apply");
  ApplyOptions applyOptions;
  applyOptions.checkPayload = false;
  if (failed(applySchedule(*payload, **schedule, applyOptions)))
    return refuse();
  enter("check");
  if (failed(checkKernelRules(*payload, *target)))
    return refuse();
  enter("plan");
  if (auto plan = buildPlan(*payload, *target); !plan)
    return refuseLate(llvm::toString(plan.takeError()));
  enter("lower");
  if (failed(lowerToNVVM(*payload, *target)))
    return refuseLate(firstError);
  return end(Fate::Accepted, "");
}

/// Small programs need few inputs; the whole ladder runs.
static FuzzOutcome runKernels(const FuzzPrograms &programs,
                              const DialectRegistry &registry, OnStep onStep) {
  VerifyOptions verify;
  verify.seeds = 1;
  verify.maxWork = 100000;
  // Smaller payloads keep the script.
  verify.checkPayload = false;
  verify.distributions = {Distribution::Uniform, Distribution::Normal,
                          Distribution::Ties, Distribution::Special};
  Verification verification = verifyInProcess(
      programs.payload, programs.schedule, registry, verify, onStep);
  FuzzOutcome outcome;
  if (!verification.rejection) {
    outcome.fate = Fate::Accepted;
    outcome.step = "verdict";
    outcome.grade = stringifyGrade(verification.verdict.grade).str();
    outcome.skipped = verification.verdict.skipped;
    return outcome;
  }
  const Rejection &rejection = *verification.rejection;
  outcome.step = rejection.step;
  outcome.reason = rejection.reason;
  // A schedule that is legal at the payload's extents need not be at others.
  bool isShrunken = llvm::any_of(rejection.notes, [](llvm::StringRef note) {
    return note.contains("the payload was shrunk");
  });
  outcome.fate =
      rejection.step == "apply" && isShrunken ? Fate::Refused : Fate::Finding;
  if (!rejection.location.empty())
    outcome.reason = rejection.location + ": " + outcome.reason;
  return outcome;
}

FuzzOutcome egg::fuzz::evaluate(const FuzzPrograms &programs,
                                const DialectRegistry &registry,
                                const FuzzOptions &options, OnStep onStep) {
  if (options.mode == FuzzMode::Kernels)
    return runKernels(programs, registry, onStep);
  return ScriptCase(programs, registry, onStep).run();
}
