//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/Agent.h"
#include "egg/Support/Files.h"

namespace egg {

namespace {
class ReplayAgent : public Agent {
public:
  explicit ReplayAgent(llvm::StringRef scriptPath) : scriptPath(scriptPath) {}
  llvm::StringRef getName() const override { return "replay"; }

private:
  llvm::Expected<Proposal> proposeImpl(const ProposalRequest &) override {
    llvm::Expected<std::string> script = readFile(scriptPath);
    if (!script)
      return script.takeError();
    Proposal proposal;
    proposal.script = std::move(*script);
    proposal.rationale = "Recorded in " + scriptPath + ".";
    return proposal;
  }

  std::string scriptPath;
};
} // namespace

std::unique_ptr<Agent> createReplayAgent(llvm::StringRef scriptPath) {
  return std::make_unique<ReplayAgent>(scriptPath);
}

llvm::Expected<std::unique_ptr<Agent>> createAgent(llvm::StringRef name,
                                                   llvm::StringRef scriptPath) {
  if (name == "expert")
    return createExpertAgent();
  if (name != "replay")
    return llvm::createStringError("no agent is named '" + name +
                                   "'; the agents are expert, replay and llm");
  if (scriptPath.empty())
    return llvm::createStringError(
        "the replay agent needs a script; write schedule=FILE");
  return createReplayAgent(scriptPath);
}

} // namespace egg
