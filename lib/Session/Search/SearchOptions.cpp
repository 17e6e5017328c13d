//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Session/Search.h"

using namespace llvm;

namespace egg {

static constexpr std::pair<SearchStrategy, StringLiteral> kStrategies[] = {
    {SearchStrategy::Greedy, "greedy"},
    {SearchStrategy::Beam, "beam"},
    {SearchStrategy::BestOfN, "best-of-n"}};

StringRef stringifySearchStrategy(SearchStrategy strategy) {
  for (auto [known, name] : kStrategies)
    if (known == strategy)
      return name;
  llvm_unreachable("all strategies are listed");
}

std::optional<SearchStrategy> symbolizeSearchStrategy(StringRef name) {
  for (auto [strategy, known] : kStrategies)
    if (known == name)
      return strategy;
  return std::nullopt;
}

json::Value toJSONValue(const SearchOptions &options) {
  json::Array stages;
  for (StageKind stage : options.stages)
    stages.push_back(stringifyStageKind(stage));
  return json::Object{{"strategy", stringifySearchStrategy(options.strategy)},
                      {"width", options.width},
                      {"proposals", options.proposals},
                      {"repairs", options.repairs},
                      {"kernels", options.kernels},
                      {"stages", std::move(stages)},
                      {"from_scratch", options.fromScratch},
                      {"close_enough", options.closeEnough},
                      {"history", options.history},
                      {"hand_over", options.handOver},
                      {"history_tokens", options.historyTokens},
                      {"payload_tokens", options.payloadTokens},
                      {"seed", static_cast<int64_t>(options.seed)}};
}

} // namespace egg
