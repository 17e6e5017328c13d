//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HardwareRules.h"
#include "KernelCutter.h"
#include "ScheduleWriter.h"
#include "egg/Agent/Agent.h"

using namespace mlir;

namespace egg {

namespace {
class ExpertAgent : public Agent {
public:
  llvm::StringRef getName() const override { return "expert"; }

private:
  llvm::Expected<Proposal>
  proposeImpl(const ProposalRequest &request) override {
    ScheduleText schedule;
    schedule.chip = request.chip;
    schedule.payloadHash = request.payloadHash;
    ModuleOp payload = request.payload;
    OwningOpRef<ModuleOp> scratch(payload.clone());
    llvm::Expected<std::vector<CutKernel>> kernels = cutIntoKernels(*scratch);
    if (!kernels)
      return kernels.takeError();
    schedule.kernels = std::move(*kernels);
    for (const CutKernel &kernel : schedule.kernels)
      schedule.plans.push_back(chooseHardware(kernel));

    Proposal proposal;
    proposal.script = writeSchedule(schedule);
    proposal.rationale =
        "Reductions, products and scans become kernels with what is around "
        "them element by element; the rest is fused by size. The comments of "
        "the script give the rule behind each decision.";
    return proposal;
  }
};
} // namespace

std::unique_ptr<Agent> createExpertAgent() {
  return std::make_unique<ExpertAgent>();
}

} // namespace egg
