//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The search of an agent that works stage by stage: it begins with the expert's
// script, asks for better ones, evaluates each, and keeps the best. First the
// algorithm, then, for the kernels that have most to gain, mapping, tiling and
// memory. Everything goes into the trajectory before it is acted on.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SESSION_SEARCH_H
#define EGG_SESSION_SEARCH_H

#include "egg/Agent/StageAgent.h"
#include "egg/Core/Trajectory.h"
#include <functional>

namespace egg {

/// Which accepted script the next proposal of a stage starts from.
enum class SearchStrategy {
  /// The best so far.
  Greedy,
  /// The best `width` in turn.
  Beam,
  /// The one the stage began with, always: independent proposals.
  BestOfN
};
llvm::StringRef stringifySearchStrategy(SearchStrategy strategy);
std::optional<SearchStrategy> symbolizeSearchStrategy(llvm::StringRef name);

struct SearchOptions {
  SearchStrategy strategy = SearchStrategy::Greedy;
  /// Scripts that a beam keeps.
  int64_t width = 3;
  /// Proposals asked for in a stage, repairs not counted, and repairs of one
  /// that is refused.
  int64_t proposals = 3, repairs = 2;
  /// Kernels whose hardware stages are worked at, most to gain first.
  int64_t kernels = 1;
  /// Which stages to work at.
  std::vector<StageKind> stages = {
      StageKind::Algorithm, StageKind::ParallelMapping, StageKind::TensorTiling,
      StageKind::MemoryOptimization};
  /// The agent does not see the expert's script and starts with its own.
  bool fromScratch = false;
  /// A stage ends where the time is at most so many times the roofline's (the
  /// algorithm's: the payload's memory floor).
  double closeEnough = 1.1;
  /// Whether the agent is shown the attempts of the stage, and what former
  /// stages left.
  bool history = true, handOver = true;
  /// What the attempts and the payload may take of a prompt, in tokens.
  int64_t historyTokens = 1500, payloadTokens = 6000;
  uint64_t seed = 0;
  /// Nothing more is asked when so many seconds of a GPU are spent. A ceiling,
  /// no part of what makes the session another one.
  std::optional<double> gpuSeconds;
};
llvm::json::Value toJSONValue(const SearchOptions &options);

/// What became of a script, and how long a GPU was held to measure it.
struct Evaluation {
  Outcome outcome;
  double gpuSeconds = 0;
};

/// What a search needs done. No null members but `complete`.
struct SearchServices {
  /// A whole script to begin with.
  std::function<llvm::Expected<Proposal>(const ProposalRequest &)> start;
  StageAgent *agent = nullptr;
  /// Who serves the agent's model, for the record.
  std::string provider;
  /// Whether evaluate measures, for the record: measured and predicted times
  /// cannot be compared.
  bool measures = false;
  /// Makes a script whose kernels changed whole again.
  std::function<llvm::Expected<std::string>(mlir::ModuleOp, llvm::StringRef)>
      complete;
  /// Verifies and compiles a script, and measures it where that can be done.
  /// An Error ends the search.
  std::function<llvm::Expected<Evaluation>(mlir::ModuleOp, const Proposal &)>
      evaluate;
  Trajectory *trajectory = nullptr;
};

struct SearchResult {
  std::vector<Attempt> attempts;
  /// Number of the best attempt, by Assessment::seconds(); the first of equals.
  int64_t best = 0;
  std::vector<HandOver> handOvers;
  /// Why the search ended before its stages did; empty if it did not.
  std::string stopped;
};

/// Runs the search. A refused or unusable answer is recorded and the search
/// goes on; a spent budget ends it with what it has. Errors: nothing to begin
/// with, a trajectory that cannot be written or takes another course, and a
/// model that cannot be reached; what was recorded until then stays.
llvm::Expected<SearchResult> runSearch(const ProposalRequest &request,
                                       const SearchServices &services,
                                       const SearchOptions &options);

} // namespace egg

#endif // EGG_SESSION_SEARCH_H
