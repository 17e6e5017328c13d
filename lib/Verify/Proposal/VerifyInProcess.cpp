//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../Numeric/NumericCheck.h"
#include "../Numeric/NumericRejections.h"
#include "Conclude.h"
#include "DiagnosticCollector.h"
#include "ExactCheck.h"
#include "RefuseSubstitution.h"
#include "SubstitutedPayload.h"
#include "egg/Kernel/KernelConfig.h"
#include "egg/Kernel/Materialize.h"
#include "egg/Kernel/ThreadWork.h"
#include "egg/Legality/Legality.h"
#include "egg/Lowering/BuildPlan.h"
#include "egg/Proof/ProveKernels.h"
#include "egg/Schedule/ApplySchedule.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Verify/CheckKernelRules.h"
#include "egg/Verify/VerifyProposal.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;

namespace {

/// One proposal on its way through the steps.
class ProposalCheck {
public:
  ProposalCheck(const DialectRegistry &registry, const VerifyOptions &options,
                llvm::function_ref<void(llvm::StringRef)> onStep,
                CountRule countRule)
      : context(registry, MLIRContext::Threading::DISABLED),
        diagnostics(&context), options(options), onStep(onStep) {
    shrinkTarget.countRule = countRule;
  }

  Verification run(StringRef payloadText, StringRef scheduleText);
  /// Whether another rule gives constants other numbers at the small extents.
  bool hasDisputedCounts() const { return disputedCounts; }

private:
  std::optional<Rejection> accept(StringRef payloadText,
                                  StringRef scheduleText);
  std::optional<Rejection> applyAtFullSize();
  std::optional<Rejection> checkKernels(ModuleOp materialized);
  int64_t estimateKernels(ModuleOp small);
  std::optional<Rejection> compareAt(ShrinkVariant variant);
  void readTileSizes(ModuleOp scheduled);
  void noteUntried();
  std::optional<Rejection> checkSubstitution();
  void addProof();

  MLIRContext context;
  DiagnosticCollector diagnostics;
  const VerifyOptions &options;
  llvm::function_ref<void(llvm::StringRef)> onStep;
  OwningOpRef<ModuleOp> payload, schedule;
  TargetInfo target;
  ShrinkTarget shrinkTarget;
  NumericSummary summary;
  ExactSummary exact;
  /// Whether every variant was compared.
  bool complete = true;
  /// Whether there was one whose smallest extents are beyond what is run.
  bool isTooLarge = false;
  /// What differs at full size and at no small extents so far.
  std::optional<DistinctPairs> alwaysMerged;
  /// What integers do at full size and at no small extents so far.
  std::optional<UntriedIntegers> alwaysUntried;
  bool disputedCounts = false;
  /// Of the kernels at full size, where it was tried.
  std::optional<ProofResult> proof;
  Verdict verdict;
};

} // namespace

std::optional<Rejection> ProposalCheck::accept(StringRef payloadText,
                                               StringRef scheduleText) {
  onStep("accept");
  payload = parseSourceString<ModuleOp>(payloadText, &context, "payload.mlir");
  if (!payload)
    return diagnostics.takeRejection("accept", "the payload does not parse",
                                     "import the module again");
  auto parsed = parseSchedule(scheduleText, options.scheduleName, &context);
  if (failed(parsed))
    return diagnostics.takeRejection("accept", "the script is not a schedule",
                                     "");
  schedule = std::move(*parsed);
  auto chip = (*schedule)->getAttrOfType<StringAttr>(kTargetAttrName);
  // An unknown one is not accepted.
  target = cantFail(lookupTarget(chip.getValue()));
  verdict.addEvidence("accept",
                      "the script holds only ops and choices of a schedule");
  for (const ScheduleWarning &warning : findUnusedKnobs(*schedule)) {
    std::string statement = "warning: " + warning.text;
    if (auto place = dyn_cast<FileLineColLoc>(warning.place))
      statement = "line " + std::to_string(place.getLine()) + ": " + statement;
    verdict.addEvidence("accept", statement);
  }
  return std::nullopt;
}

/// Sizes at whose boundaries the kernels change what they do.
void ProposalCheck::readTileSizes(ModuleOp scheduled) {
  auto &multiples = shrinkTarget.multiples;
  auto &steps = shrinkTarget.steps;
  multiples = {4};
  scheduled.walk([&](func::FuncOp function) {
    FailureOr<KernelConfig> config = getKernelConfig(function);
    if (failed(config))
      return;
    multiples.push_back(config->vectorWidth);
    switch (config->structure) {
    case Structure::Map:
      multiples.push_back(config->threads * config->vectorWidth);
      break;
    case Structure::Rows:
      multiples.push_back(config->rowsPerBlock);
      steps.push_back(config->threadsPerRow * config->vectorWidth);
      break;
    case Structure::Contraction:
      llvm::append_values(multiples, config->tileM, config->tileN,
                          config->tileK, config->threadM, config->threadN);
      // Each part of a split sum has its own loop over tiles.
      if (shrinkTarget.splitParts > 1)
        steps.push_back(config->tileK * shrinkTarget.splitParts);
      break;
    case Structure::Scan:
      multiples.push_back(config->itemsPerThread);
      steps.push_back(config->threads * config->itemsPerThread);
      break;
    }
  });
  for (auto *sizes : {&multiples, &steps}) {
    llvm::erase_if(*sizes, [](int64_t size) { return size < 2; });
    llvm::sort(*sizes);
    sizes->erase(llvm::unique(*sizes), sizes->end());
  }
}

std::optional<Rejection> ProposalCheck::checkKernels(ModuleOp materialized) {
  onStep("check");
  if (failed(verify(materialized)) ||
      failed(checkKernelRules(materialized, target)))
    return diagnostics.takeRejection("check", "a kernel breaks a rule",
                                     "choose other values for the knobs of "
                                     "this kernel");
  auto plan = buildPlan(materialized, target);
  if (!plan)
    return toRejection(plan.takeError(), "check");
  return std::nullopt;
}

std::optional<Rejection> ProposalCheck::applyAtFullSize() {
  onStep("apply");
  OwningOpRef<ModuleOp> scheduled = payload->clone();
  ApplyOptions applyOptions;
  applyOptions.checkPayload = options.checkPayload;
  applyOptions.materialize = false;
  if (failed(applySchedule(*scheduled, *schedule, applyOptions)))
    return diagnostics.takeRejection("apply", "the schedule does not apply",
                                     "");
  shrinkTarget.splitParts = getMostSplitParts(*schedule);
  readTileSizes(*scheduled);
  if (failed(materializeKernels(*scheduled)))
    return diagnostics.takeRejection(
        "apply", "a kernel cannot be built as the schedule says",
        "choose another mapping for this kernel, or cut it differently");
  if (options.changeKernels)
    options.changeKernels(*scheduled);
  if (std::optional<Rejection> rejection = checkKernels(*scheduled))
    return rejection;
  Evidence &evidence = verdict.addEvidence(
      "apply", "the script applies at the payload's own extents; "
               "kernels keep the limits of " +
                   target.chip);
  if (auto signature = getPayloadSignature(*payload))
    evidence.extents.push_back({"own", signature->arguments});
  else
    llvm::consumeError(signature.takeError());
  onStep("legality");
  LegalityReport legality = checkLegality(*scheduled, target);
  verdict.addEvidence("legality", legality.summary());
  if (auto rejection = toRejection(legality))
    return rejection;
  // What a substitution keeps are values of numbers, not operations.
  if (options.exact && !hasSubstitution(*schedule)) {
    onStep("proof");
    proof = proveKernels(*payload, *scheduled, legality);
  }
  return std::nullopt;
}

/// Operations of threads that are one of max-work: the loops of ordinary
/// kernels take a few for each of the payload's.
static constexpr double kOperationsAUnit = 200;

/// The payload's hash is that of its own extents, and what the schedule
/// substitutes has been made small with it.
static ApplyOptions getSmallApplyOptions() {
  ApplyOptions result;
  result.checkPayload = false;
  result.substitute = false;
  return result;
}

/// What running the kernels of a small payload costs, in units of its loops; 0
/// where it has none, which comparing says. Starting a thread costs as much as
/// some hundred of its operations.
int64_t ProposalCheck::estimateKernels(ModuleOp small) {
  ScopedDiagnosticHandler unheard(&context,
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> scheduled = small.clone();
  if (failed(applySchedule(*scheduled, *schedule, getSmallApplyOptions())))
    return 0;
  ThreadWork work = measureThreadWork(*scheduled);
  return work.threads + int64_t(work.operations / kOperationsAUnit);
}

std::optional<Rejection> ProposalCheck::compareAt(ShrinkVariant variant) {
  onStep("shrink");
  shrinkTarget.variant = variant;
  shrinkTarget.maxWork = options.maxWork;
  auto small =
      shrinkForKernels(*payload, *schedule, shrinkTarget,
                       [&](ModuleOp small) { return estimateKernels(small); });
  if (failed(small)) {
    complete = false;
    isTooLarge = true;
    verdict.skipped.push_back(
        "numeric (" + stringifyShrinkVariant(variant).str() + "): " +
        diagnostics.takeRejection("", "the payload cannot be shrunk", "")
            .reason);
    return std::nullopt;
  }
  for (const UnreachedIndex &index : small->unreached) {
    complete = false;
    verdict.skipped.push_back(llvm::formatv(
        "exact ({0}): {1} at {2} was never reached: no index that meets it is "
        "so large at the small extents; raise max-work (it is {3})",
        stringifyShrinkVariant(variant), index.what,
        printLocation(index.location), options.maxWork));
  }
  if (!alwaysMerged)
    alwaysMerged = small->pairs;
  std::erase_if(*alwaysMerged,
                [&](const auto &pair) { return !small->merged.count(pair); });
  if (!alwaysUntried)
    alwaysUntried = small->untried;
  std::erase_if(*alwaysUntried, [&](const auto &op) {
    return !small->untried.count(op.first);
  });
  disputedCounts |=
      llvm::any_of(small->counts, std::mem_fn(&CountConstant::isDisputed));
  onStep("apply");
  ModuleOp reference = *small->original;
  ModuleOp scheduled = *small->substituted;
  if (failed(applySchedule(scheduled, *schedule, getSmallApplyOptions()))) {
    Rejection rejection = diagnostics.takeRejection(
        "apply", "the schedule does not apply at small extents",
        "write it so that it does not depend on the extents");
    rejection.notes.push_back(
        "the payload was shrunk for the check on the CPU (variant " +
        stringifyShrinkVariant(variant).str() + ")");
    return rejection;
  }
  if (options.changeKernels)
    options.changeKernels(scheduled);
  std::string shapes = formatShapes(reference, variant);
  onStep("legality");
  if (auto rejection = toRejection(checkLegality(scheduled, target))) {
    rejection->notes.push_back("at the small extents " + shapes);
    return rejection;
  }
  onStep("emulate");
  // What runs is what the GPU would get.
  auto program = lowerProgram(scheduled, target);
  if (!program)
    return explainFailure(program.takeError(), "emulate", shapes,
                          /*handWritten=*/false, diagnostics);
  VerifyOptions numeric = options;
  if (hasSubstitution(*schedule)) {
    numeric.otherAlgebra = true;
    numeric.nanMaySpread = small->handsOnNaN;
    numeric.placesInfinities = small->makesNumbersOfInfinities;
  }
  auto rejection = checkNumerically(reference, *program, variant, numeric,
                                    diagnostics, onStep, summary);
  if (!rejection && options.exact && exact.inconclusive.empty()) {
    onStep("exact");
    rejection =
        checkExactly(reference, *program, shapes, options, diagnostics, exact);
  }
  if (rejection && (rejection->step == "numeric" || rejection->step == "exact"))
    explainCounts(small->counts, *rejection);
  return rejection;
}

/// Operations that are named of those whose integers were not tried.
static constexpr int64_t kMaxNoted = 8;

void ProposalCheck::noteUntried() {
  if (!alwaysUntried)
    return;
  int64_t noted = 0;
  for (const auto &[number, op] : *alwaysUntried) {
    complete = false;
    if (++noted > kMaxNoted)
      continue;
    verdict.skipped.push_back(llvm::formatv(
        "exact: at the payload's own extents {0}, at {1}; at the small extents "
        "nothing shows whether that is right",
        op.what, printLocation(op.location)));
  }
  if (noted > kMaxNoted)
    verdict.skipped.push_back(llvm::formatv(
        "exact: the same of {0} more operations", noted - kMaxNoted));
}

/// A substitution is believed only when it is shown to be equal.
std::optional<Rejection> ProposalCheck::checkSubstitution() {
  bool isMerged = alwaysMerged && !alwaysMerged->empty();
  if (!hasSubstitution(*schedule))
    return std::nullopt;
  if (verdict.grade < Grade::Exact)
    return refuseUnproved(verdict, isTooLarge);
  if (!alwaysMerged || isMerged)
    return refuseMerged(alwaysMerged.value_or(DistinctPairs()));
  return std::nullopt;
}

/// What is exact and has the payload's own operations is proved.
void ProposalCheck::addProof() {
  if (verdict.grade < Grade::Exact)
    return;
  if (!proof) {
    verdict.skipped.push_back(
        "proved: the schedule substitutes part of the payload by other "
        "operations");
  } else if (proof->gap) {
    std::string place = printLocation(proof->gap->location);
    verdict.skipped.push_back("proved: " + describe(*proof->gap) +
                              (place.empty() ? "" : ", at " + place));
  } else {
    verdict.addEvidence("proof", proof->summary());
    verdict.grade = Grade::Proved;
  }
}

Verification ProposalCheck::run(StringRef payloadText, StringRef scheduleText) {
  Verification verification;
  auto refuse = [&](std::optional<Rejection> rejection) {
    verification.rejection = std::move(rejection);
    return verification.rejection.has_value();
  };
  if (refuse(accept(payloadText, scheduleText)) || refuse(applyAtFullSize()))
    return verification;
  if (hasSubstitution(*schedule) &&
      refuse(refuseNarrowerFloats(*payload, *schedule)))
    return verification;
  for (ShrinkVariant variant : options.variants)
    if (refuse(compareAt(variant)))
      return verification;
  noteUntried();
  conclude(options, summary, exact, complete, verdict);
  if (refuse(checkSubstitution()))
    return verification;
  addProof();
  verification.verdict = std::move(verdict);
  return verification;
}

Verification
egg::verifyInProcess(StringRef payloadText, StringRef scheduleText,
                     const DialectRegistry &registry,
                     const VerifyOptions &options,
                     llvm::function_ref<void(llvm::StringRef)> onStep) {
  auto check = [&](CountRule rule) {
    ProposalCheck check(registry, options, onStep, rule);
    Verification found = check.run(payloadText, scheduleText);
    return std::pair(std::move(found), check.hasDisputedCounts());
  };
  auto [found, isDisputed] = check(CountRule::DataFlow);
  if (!found.rejection || found.rejection->undecided || !isDisputed)
    return std::move(found);
  // Either rule makes both programs smaller ones that are the given ones at
  // full size, so one by which they are equal is enough: a number that two sums
  // share may divide either.
  Verification other = check(CountRule::Value).first;
  return other.rejection ? std::move(found) : std::move(other);
}
