//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a model remembers: within a stage the attempts so far, compacted to a
// budget of tokens; between stages the hand-overs. Values and pure functions;
// each can be switched off, so that its effect can be measured.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_CONTEXT_H
#define EGG_AGENT_CONTEXT_H

#include "egg/Agent/OpNames.h"
#include "egg/Core/Attempt.h"
#include "egg/Core/HandOver.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace egg {

struct ContextOptions {
  /// Show the attempts of the stage; what former stages handed over.
  bool history = true, handOver = true;
  /// Tokens (estimateTokens) that the history, and the payload's text, may
  /// take.
  int64_t historyTokens = 1500, payloadTokens = 6000;
  /// Further tries of the model after an answer that is not what was asked for.
  int64_t repairTurns = 1;
  /// The most tokens of one answer.
  int64_t maxOutputTokens = 8192;
};

/// One attempt as it is remembered.
struct HistoryEntry {
  int64_t id = 0;
  std::string mode;
  bool accepted = false;
  /// The check came to a limit before it could tell.
  bool undecided = false;
  /// What candidates are ranked by; accepted attempts only.
  double seconds = 0;
  /// A refusal: its step and reason, with what would help.
  std::string step, reason;
  /// How many attempts were refused for the same reason.
  int64_t times = 1;
  /// The author's words, and what was proposed for the stage.
  std::string rationale, part;
  bool operator==(const HistoryEntry &) const = default;
};

/// The attempts of a stage: the best, the last, and each kind of failure once;
/// the others as counts.
struct History {
  std::optional<HistoryEntry> best, last;
  /// The newest of each kind, newest first; without `last`.
  std::vector<HistoryEntry> failures;
  int64_t attempts = 0, accepted = 0;
  /// Refusals by step; those whose check came to a limit.
  std::map<std::string, int64_t> refused;
  int64_t undecided = 0;
  bool operator==(const History &) const = default;
};

/// Compacts attempts (the start does not count). Failures are of one kind when
/// their step and reason are the same but for numbers and quoted names. `part`
/// gives what an attempt proposed for the stage.
History compactHistory(llvm::ArrayRef<Attempt> attempts,
                       llvm::function_ref<std::string(const Attempt &)> part);

/// The history as Markdown of at most about `tokens`: counts first, then last,
/// best, failures; what does not fit is counted. Texts of users and models are
/// made safe and fenced. Empty for no attempts.
std::string describeHistory(const History &history, const OpNames &names,
                            int64_t tokens);

/// The hand-overs as Markdown, oldest first. Empty for none.
std::string describeHandOvers(llvm::ArrayRef<HandOver> handOvers,
                              const OpNames &names);

/// A refusal as Markdown: step, place, reason, remedy, notes; fenced.
std::string describeRejection(const Rejection &rejection, const OpNames &names);

} // namespace egg

#endif // EGG_AGENT_CONTEXT_H
