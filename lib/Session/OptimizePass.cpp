//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AgentConfig.h"
#include "SessionDialects.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Session/Passes.h"

namespace egg {

#define GEN_PASS_DEF_OPTIMIZEPASS
#include "egg/Session/Passes.h.inc"

} // namespace egg

using namespace mlir;

namespace {
class OptimizePass
    : public egg::AgentPass<egg::impl::OptimizePassBase<OptimizePass>> {
public:
  using AgentPass::AgentPass;

  void runOnOperation() override {
    if (failed(egg::checkPrintable(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
    if (llvm::Error error = optimize()) {
      getOperation().emitError() << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error optimize() {
    if (out.empty())
      return llvm::createStringError(
          "egg-optimize needs a directory for the artifact; write out=DIR");
    egg::AgentConfig config = readAgentConfig();
    if (llvm::Error error = egg::checkAgentConfig(config))
      return error;
    llvm::Expected<egg::Grade> leastGrade = egg::parseRequiredGrade(require);
    if (!leastGrade)
      return leastGrade.takeError();
    DialectRegistry registry;
    getContext().getDialectRegistry().appendTo(registry);
    llvm::Expected<std::unique_ptr<egg::Agent>> proposer =
        egg::createConfiguredAgent(config, registry);
    if (!proposer)
      return proposer.takeError();
    egg::SessionOptions options = config.search.session;
    options.leastGrade = *leastGrade;
    if (verify)
      options.verifier = egg::makeVerifier(registry, config.verify);
    llvm::Expected<egg::Artifact> artifact =
        egg::runSession(getOperation(), **proposer, options);
    if (!artifact)
      return artifact.takeError();
    return egg::writeArtifact(*artifact, out);
  }
};
} // namespace
