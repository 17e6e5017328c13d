//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AgentConfig.h"
#include "SessionDialects.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Session/Passes.h"
#include "egg/Support/Files.h"

namespace egg {

#define GEN_PASS_DEF_PROPOSEPASS
#include "egg/Session/Passes.h.inc"

} // namespace egg

using namespace mlir;

namespace {
class ProposePass
    : public egg::AgentPass<egg::impl::ProposePassBase<ProposePass>> {
public:
  using AgentPass::AgentPass;

  void runOnOperation() override {
    if (failed(egg::checkPrintable(getOperation())))
      return signalPassFailure();
    if (llvm::Error error = propose()) {
      getOperation().emitError()
          << "[propose] " << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }

private:
  llvm::Error propose() {
    egg::AgentConfig config = readAgentConfig();
    if (llvm::Error error = egg::checkAgentConfig(config))
      return error;
    DialectRegistry registry;
    getContext().getDialectRegistry().appendTo(registry);
    llvm::Expected<std::unique_ptr<egg::Agent>> proposer =
        egg::createConfiguredAgent(config, registry);
    if (!proposer)
      return proposer.takeError();
    egg::ProposalRequest request;
    request.payload = getOperation();
    request.payloadHash = egg::hashPayload(getOperation());
    request.chip = chip;
    request.seed = seed;
    llvm::Expected<egg::Proposal> proposal = (*proposer)->propose(request);
    if (!proposal)
      return proposal.takeError();
    if (output != "-")
      return egg::writeFileAtomically(output, proposal->script);
    llvm::outs() << proposal->script;
    return llvm::Error::success();
  }
};
} // namespace
