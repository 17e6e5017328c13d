//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Subject.h"
#include "egg/Agent/Agent.h"
#include "egg/Emulator/Emulation.h"
#include "egg/Import/NameOps.h"
#include "egg/Lowering/LoweredProgram.h"
#include "egg/Schedule/ApplySchedule.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Support/Subprocess.h"
#include "egg/Target/TargetInfo.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace egg;
using namespace egg::selfcheck;

OwningOpRef<ModuleOp> egg::selfcheck::parsePayload(llvm::StringRef text,
                                                   MLIRContext &context) {
  OwningOpRef<ModuleOp> payload = parseSourceString<ModuleOp>(text, &context);
  assert(payload && "workloads are valid payloads");
  nameComputeOps(*payload);
  return payload;
}

std::vector<std::string>
Subject::describeSites(const Mutation &mutation) const {
  std::vector<std::string> whats;
  for (MutationSite &site : mutation.findSites(*kernels))
    whats.push_back(std::move(site.what));
  return whats;
}

namespace {

class ScheduledSubject : public Subject {
public:
  ScheduledSubject(const DialectRegistry &registry,
                   const WorkloadClass &workload,
                   const SelfCheckOptions &options)
      : Subject(registry, workload.name, options), registry(registry) {
    payload = parsePayload(workload.generate(options.seed), context);
    payloadText = printPayload(*payload);
  }

  llvm::Error propose();
  size_t countMutants(size_t sites) const override {
    return std::min<size_t>(sites, options.mutants);
  }
  llvm::Expected<Verification> verify(const Mutation *mutation,
                                      uint64_t number) override;
  llvm::Expected<std::string> findDifference(const Mutation &mutation,
                                             uint64_t number) override;

private:
  void compareAtFullSize(const Mutation &mutation, uint64_t number,
                         llvm::raw_ostream &os);

  const DialectRegistry &registry;
  std::string payloadText, script;
};

} // namespace

llvm::Error ScheduledSubject::propose() {
  ProposalRequest request;
  request.payload = *payload;
  request.payloadHash = hashPayload(*payload);
  request.chip = options.chip;
  request.seed = options.seed;
  llvm::Expected<Proposal> proposal = createExpertAgent()->propose(request);
  if (!proposal)
    return proposal.takeError();
  script = std::move(proposal->script);
  auto schedule = parseSchedule(script, "schedule.mlir", &context);
  kernels = payload->clone();
  if (failed(schedule) || failed(applySchedule(*kernels, **schedule)))
    return llvm::createStringError("the expert's script for " + name +
                                   " does not apply");
  return llvm::Error::success();
}

llvm::Expected<Verification> ScheduledSubject::verify(const Mutation *mutation,
                                                      uint64_t number) {
  VerifyOptions verify = options.verify;
  verify.seed = options.seed;
  if (mutation)
    verify.changeKernels = [=](ModuleOp module) {
      applyMutation(*mutation, module, number);
    };
  return verifyProposal(payloadText, script, registry, verify);
}

/// Runs the kernels with and without the mutation at the workload's own
/// extents, and writes what differs. Leaves the kernels lowered.
void ScheduledSubject::compareAtFullSize(const Mutation &mutation,
                                         uint64_t number,
                                         llvm::raw_ostream &os) {
  OwningOpRef<ModuleOp> wrong = kernels->clone();
  auto target = llvm::cantFail(lookupTarget(options.chip));
  auto rightProgram = llvm::cantFail(lowerProgram(*kernels, target));
  applyMutation(mutation, *wrong, number);
  auto wrongProgram = lowerProgram(*wrong, target);
  if (!wrongProgram) {
    os << llvm::toString(wrongProgram.takeError());
    return;
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
        return;
      }
      for (auto [result, pair] :
           llvm::enumerate(llvm::zip_equal(expected, *got)))
        if (std::get<0>(pair).bytes != std::get<1>(pair).bytes) {
          os << "result " << result << " differs at the workload's extents";
          return;
        }
    }
}

llvm::Expected<std::string>
ScheduledSubject::findDifference(const Mutation &mutation, uint64_t number) {
  ProcessLimits limits;
  limits.wallSeconds = options.verify.wallSeconds;
  auto process = runInChild(
      [&](llvm::raw_ostream &os) {
        compareAtFullSize(mutation, number, os);
        return 0;
      },
      limits);
  if (!process)
    return process.takeError();
  if (!process->succeeded())
    return "running it at the workload's extents " + process->describeEnd();
  return process->standardOutput;
}

llvm::Expected<std::unique_ptr<Subject>>
egg::selfcheck::makeScheduledSubject(const DialectRegistry &registry,
                                     const WorkloadClass &workload,
                                     const SelfCheckOptions &options) {
  auto subject =
      std::make_unique<ScheduledSubject>(registry, workload, options);
  if (llvm::Error error = subject->propose())
    return std::move(error);
  return subject;
}
