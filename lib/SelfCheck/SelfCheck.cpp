//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/SelfCheck/SelfCheck.h"
#include "egg/Agent/Agent.h"
#include "egg/Emulator/Emulation.h"
#include "egg/Import/NameOps.h"
#include "egg/Lowering/LoweredProgram.h"
#include "egg/Schedule/ApplySchedule.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Support/Subprocess.h"
#include "egg/Target/TargetInfo.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace egg;

namespace {

/// One workload with the expert's script for it.
struct Subject {
  std::string name, payload, script;
};

class SelfCheck {
public:
  SelfCheck(const DialectRegistry &registry, const SelfCheckOptions &options)
      : registry(registry), options(options) {}

  llvm::Error check(const WorkloadClass &workload);
  SelfCheckResult result;

private:
  llvm::Expected<Subject> prepare(const WorkloadClass &workload);
  llvm::Error checkMutants(const Subject &subject, const Mutation &mutation);
  llvm::Expected<std::string> compareAtFullSize(const Subject &subject,
                                                const Mutation &mutation,
                                                uint64_t number);
  OwningOpRef<ModuleOp> materialize(const Subject &subject,
                                    OwningOpRef<ModuleOp> &payload,
                                    MLIRContext &context);

  const DialectRegistry &registry;
  const SelfCheckOptions &options;
};

} // namespace

/// The payload as the importer would leave it.
static OwningOpRef<ModuleOp> makePayload(const WorkloadClass &workload,
                                         uint64_t seed, MLIRContext &context) {
  OwningOpRef<ModuleOp> payload = parseSourceString<ModuleOp>(
      workload.generate(seed), &context, workload.name);
  assert(payload && "workloads are valid payloads");
  nameComputeOps(*payload);
  return payload;
}

llvm::Expected<Subject> SelfCheck::prepare(const WorkloadClass &workload) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> payload = makePayload(workload, options.seed, context);
  Subject subject{workload.name.str(), printPayload(*payload), ""};
  ProposalRequest request;
  request.payload = *payload;
  request.payloadHash = hashPayload(*payload);
  request.chip = options.chip;
  request.seed = options.seed;
  llvm::Expected<Proposal> proposal = createExpertAgent()->propose(request);
  if (!proposal)
    return proposal.takeError();
  subject.script = std::move(proposal->script);
  return subject;
}

OwningOpRef<ModuleOp> SelfCheck::materialize(const Subject &subject,
                                             OwningOpRef<ModuleOp> &payload,
                                             MLIRContext &context) {
  payload = parseSourceString<ModuleOp>(subject.payload, &context);
  auto schedule = parseSchedule(subject.script, "schedule.mlir", &context);
  assert(payload && succeeded(schedule) && "the subject was accepted");
  OwningOpRef<ModuleOp> scheduled = payload->clone();
  if (failed(applySchedule(*scheduled, **schedule)))
    return {};
  return scheduled;
}

/// Runs the kernels with and without the mutation at the workload's own
/// extents. Empty when nothing differs, else what does.
llvm::Expected<std::string>
SelfCheck::compareAtFullSize(const Subject &subject, const Mutation &mutation,
                             uint64_t number) {
  auto body = [&](llvm::raw_ostream &os) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    OwningOpRef<ModuleOp> payload;
    OwningOpRef<ModuleOp> right = materialize(subject, payload, context);
    auto target = llvm::cantFail(lookupTarget(options.chip));
    auto rightProgram = llvm::cantFail(lowerProgram(*right, target));
    applyMutation(mutation, *right, number);
    auto wrongProgram = lowerProgram(*right, target);
    if (!wrongProgram) {
      os << llvm::toString(wrongProgram.takeError());
      return 0;
    }
    for (Distribution distribution : kDistributions)
      for (uint64_t draw = 0; draw < 2; ++draw) {
        // Other inputs than the check has seen.
        auto inputs = llvm::cantFail(
            makeInputs(*payload, distribution, options.seed + 1000 + draw));
        auto expected = llvm::cantFail(
            runOnCPU(*rightProgram.module, rightProgram.plan, inputs));
        auto got = runOnCPU(*wrongProgram->module, wrongProgram->plan, inputs);
        if (!got) {
          os << llvm::toString(got.takeError());
          return 0;
        }
        for (auto [number, pair] :
             llvm::enumerate(llvm::zip_equal(expected, *got)))
          if (std::get<0>(pair).bytes != std::get<1>(pair).bytes) {
            os << "result " << number << " differs at the workload's extents";
            return 0;
          }
      }
    return 0;
  };
  ProcessLimits limits;
  limits.wallSeconds = options.verify.wallSeconds;
  auto process = runInChild(body, limits);
  if (!process)
    return process.takeError();
  if (!process->succeeded())
    return "running it at the workload's extents " + process->describeEnd();
  return process->standardOutput;
}

llvm::Error SelfCheck::checkMutants(const Subject &subject,
                                    const Mutation &mutation) {
  std::set<size_t> places;
  for (int64_t mutant = 0; mutant < options.mutants; ++mutant) {
    std::string key = llvm::formatv("{0}/{1}/{2}/{3}", subject.name,
                                    mutation.name, options.seed, mutant);
    uint64_t number = llvm::xxh3_64bits(key) >> 1;
    MutantResult outcome;
    outcome.workload = subject.name;
    outcome.mutation = mutation.name.str();
    {
      MLIRContext context(registry, MLIRContext::Threading::DISABLED);
      OwningOpRef<ModuleOp> payload;
      OwningOpRef<ModuleOp> module = materialize(subject, payload, context);
      size_t count = mutation.findSites(*module).size();
      if (count == 0)
        return llvm::Error::success();
      if (places.size() == count)
        return llvm::Error::success();
      while (!places.insert(number % count).second)
        ++number;
      outcome.what = *applyMutation(mutation, *module, number);
    }
    VerifyOptions verify = options.verify;
    verify.seed = options.seed;
    verify.changeKernels = [&](ModuleOp module) {
      applyMutation(mutation, module, number);
    };
    auto verification =
        verifyProposal(subject.payload, subject.script, registry, verify);
    if (!verification)
      return verification.takeError();
    if (verification->rejection) {
      outcome.fate = MutantResult::Fate::Refused;
      outcome.step = verification->rejection->step;
      outcome.reason = verification->rejection->reason;
    } else {
      auto difference = compareAtFullSize(subject, mutation, number);
      if (!difference)
        return difference.takeError();
      outcome.fate = difference->empty() ? MutantResult::Fate::Neutral
                                         : MutantResult::Fate::Survived;
      outcome.reason = *difference;
    }
    result.mutants.push_back(std::move(outcome));
  }
  return llvm::Error::success();
}

llvm::Error SelfCheck::check(const WorkloadClass &workload) {
  auto subject = prepare(workload);
  if (!subject)
    return subject.takeError();
  VerifyOptions verify = options.verify;
  verify.seed = options.seed;
  auto verification =
      verifyProposal(subject->payload, subject->script, registry, verify);
  if (!verification)
    return verification.takeError();
  if (verification->rejection)
    result.falseRefusals.emplace_back(subject->name,
                                      verification->rejection->step + ": " +
                                          verification->rejection->reason);
  else if (verification->verdict.grade == Grade::Unverified)
    result.falseRefusals.emplace_back(subject->name, "nothing was compared");
  for (const Mutation &mutation : getMutations())
    if (options.kinds.empty() ||
        llvm::is_contained(options.kinds, mutation.name))
      if (llvm::Error error = checkMutants(*subject, mutation))
        return error;
  return llvm::Error::success();
}

/// Each name must be one of those there are.
template <typename Range>
static llvm::Error checkNames(llvm::StringRef what,
                              const std::vector<std::string> &names,
                              const Range &known) {
  for (const std::string &name : names)
    if (llvm::none_of(known,
                      [&](const auto &each) { return each.name == name; }))
      return llvm::createStringError(llvm::formatv(
          "there is no {0} '{1}'; there are {2}", what, name,
          llvm::join(
              llvm::map_range(known,
                              [](const auto &each) { return each.name.str(); }),
              ", ")));
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::pair<std::string, std::string>>>
egg::generatePayloads(const DialectRegistry &registry,
                      const SelfCheckOptions &options) {
  if (llvm::Error error =
          checkNames("class", options.classes, getWorkloadClasses()))
    return std::move(error);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::vector<std::pair<std::string, std::string>> payloads;
  for (const WorkloadClass &workload : getWorkloadClasses())
    if (options.classes.empty() ||
        llvm::is_contained(options.classes, workload.name))
      payloads.emplace_back(
          workload.name.str(),
          printPayload(*makePayload(workload, options.seed, context)));
  return payloads;
}

llvm::Expected<SelfCheckResult>
egg::runSelfCheck(const DialectRegistry &registry,
                  const SelfCheckOptions &options) {
  if (llvm::Error error =
          checkNames("class", options.classes, getWorkloadClasses()))
    return std::move(error);
  if (llvm::Error error = checkNames("mutation", options.kinds, getMutations()))
    return std::move(error);
  auto target = lookupTarget(options.chip);
  if (!target)
    return target.takeError();
  SelfCheck check(registry, options);
  for (const WorkloadClass &workload : getWorkloadClasses())
    if (options.classes.empty() ||
        llvm::is_contained(options.classes, workload.name))
      if (llvm::Error error = check.check(workload))
        return std::move(error);
  return std::move(check.result);
}
