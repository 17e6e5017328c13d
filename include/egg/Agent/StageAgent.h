//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// StageAgent: an agent that works at a schedule stage by stage: it judges
// whether a stage is worth its price, proposes and repairs scripts, and
// explains refusals. What it says is untrusted.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_STAGEAGENT_H
#define EGG_AGENT_STAGEAGENT_H

#include "egg/Agent/Agent.h"
#include "egg/Core/Attempt.h"
#include "egg/Core/HandOver.h"
#include "egg/Target/TargetInfo.h"

namespace egg {

/// What a stage agent is shown. Only values and IR of the payload: no
/// services.
struct StageView {
  /// The normalised payload. Agents do not change it.
  mlir::ModuleOp payload;
  TargetInfo target;
  Stage stage;
  /// The best attempt so far, whose script is to be improved; at a start from
  /// scratch, null.
  const Attempt *best = nullptr;
  /// All attempts of this stage, in order; what the model is told of them,
  /// ContextOptions says.
  llvm::ArrayRef<Attempt> attempts;
  /// What former stages left, in order. Empty where hand-over is switched off.
  llvm::ArrayRef<HandOver> handOvers;
  /// The payload's hash, which a script from scratch must name.
  std::string payloadHash;
};

/// The analyst's answer.
struct Judgement {
  /// No ends the stage.
  bool worthOptimizing = false;
  /// What bounds the time, by what method it could be lowered, and how.
  std::string bottleneck, method, plan;
  /// Time before over time after that the plan promises.
  double expectedSpeedup = 1;
  bool operator==(const Judgement &) const = default;
};

/// The debugger's answer.
struct Diagnosis {
  std::string criticalIssue, why, plan;
  bool operator==(const Diagnosis &) const = default;
};

class StageAgent {
public:
  virtual ~StageAgent() = default;

  /// Name for records: "llm: MODEL".
  virtual llvm::StringRef getName() const = 0;

  /// Whether the stage is worth optimising, and how.
  llvm::Expected<Judgement> judge(const StageView &view) {
    return judgeImpl(view);
  }

  /// A first script of the stage, from scratch.
  llvm::Expected<Proposal> seed(const StageView &view,
                                const Judgement &judgement) {
    return sign(seedImpl(view, judgement));
  }

  /// A better script than the best one.
  llvm::Expected<Proposal> optimise(const StageView &view,
                                    const Judgement &judgement) {
    return sign(optimiseImpl(view, judgement));
  }

  /// Why an attempt was refused, and how to mend it.
  llvm::Expected<Diagnosis> diagnose(const StageView &view,
                                     const Attempt &refused) {
    return diagnoseImpl(view, refused);
  }

  /// The refused script mended.
  llvm::Expected<Proposal> repair(const StageView &view, const Attempt &refused,
                                  const Diagnosis &diagnosis) {
    return sign(repairImpl(view, refused, diagnosis));
  }

private:
  llvm::Expected<Proposal> sign(llvm::Expected<Proposal> proposal) {
    if (proposal)
      proposal->author = getName().str();
    return proposal;
  }

  virtual llvm::Expected<Judgement> judgeImpl(const StageView &view) = 0;
  virtual llvm::Expected<Proposal> seedImpl(const StageView &view,
                                            const Judgement &judgement) = 0;
  virtual llvm::Expected<Proposal> optimiseImpl(const StageView &view,
                                                const Judgement &judgement) = 0;
  virtual llvm::Expected<Diagnosis> diagnoseImpl(const StageView &view,
                                                 const Attempt &refused) = 0;
  virtual llvm::Expected<Proposal> repairImpl(const StageView &view,
                                              const Attempt &refused,
                                              const Diagnosis &diagnosis) = 0;
};

} // namespace egg

#endif // EGG_AGENT_STAGEAGENT_H
