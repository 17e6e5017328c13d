//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Agent: anything that proposes a script for a payload. What it hands over is
// untrusted text; nothing in it is believed before verification.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_AGENT_H
#define EGG_AGENT_AGENT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace egg {

/// What an agent is asked.
struct ProposalRequest {
  /// The normalised payload, with named compute ops. Agents do not change it.
  mlir::ModuleOp payload;
  /// The payload's hash, which the script must name.
  std::string payloadHash;
  /// Chip the script is for, e.g. "sm_90a".
  std::string chip;
  /// Seed of every random choice.
  uint64_t seed = 0;
};

/// What it answers. Text, nothing more.
struct Proposal {
  /// A schedule file.
  std::string script;
  /// Why, in a few sentences.
  std::string rationale;
  /// Name of the agent.
  std::string author;
};

class Agent {
public:
  virtual ~Agent() = default;

  /// Proposes a script. The error says what the agent could not handle, where,
  /// and what would help.
  llvm::Expected<Proposal> propose(const ProposalRequest &request) {
    llvm::Expected<Proposal> proposal = proposeImpl(request);
    if (proposal)
      proposal->author = getName().str();
    return proposal;
  }

  virtual llvm::StringRef getName() const = 0;

private:
  virtual llvm::Expected<Proposal>
  proposeImpl(const ProposalRequest &request) = 0;
};

/// Rules written by us: no model, no network, no GPU. Deterministic.
std::unique_ptr<Agent> createExpertAgent();

/// Answers with the script in the file.
std::unique_ptr<Agent> createReplayAgent(llvm::StringRef scriptPath);

/// The agent of that name ("expert"; "replay", which needs a script path); the
/// error lists the names.
llvm::Expected<std::unique_ptr<Agent>> createAgent(llvm::StringRef name,
                                                   llvm::StringRef scriptPath);

} // namespace egg

#endif // EGG_AGENT_AGENT_H
