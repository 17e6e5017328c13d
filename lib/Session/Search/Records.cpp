//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Records.h"
#include "egg/Support/Version.h"

using namespace llvm;

namespace egg {

json::Object makeHeader(const ProposalRequest &request,
                        const SearchServices &services,
                        const SearchOptions &options) {
  json::Object header{{"version", getVersion()},
                      {"payload", request.payloadHash},
                      {"chip", request.chip},
                      {"agent", services.agent->getName()},
                      {"options", toJSONValue(options)},
                      {"provider", services.provider},
                      {"measures", services.measures}};
  if (const json::Object *recorded = services.trajectory->header())
    for (StringRef added : {"provider", "measures"})
      if (!recorded->get(added))
        header.erase(added);
  return header;
}

json::Object makeRecord(const Stage &stage, const Judgement &judgement) {
  return json::Object{{"stage", toJSONValue(stage)},
                      {"worth_optimizing", judgement.worthOptimizing},
                      {"bottleneck", judgement.bottleneck},
                      {"method", judgement.method},
                      {"plan", judgement.plan},
                      {"expected_speedup", judgement.expectedSpeedup}};
}

json::Object makeRecord(const Attempt &refused, const Diagnosis &diagnosis) {
  return json::Object{{"attempt", refused.id},
                      {"critical_issue", diagnosis.criticalIssue},
                      {"why", diagnosis.why},
                      {"plan", diagnosis.plan}};
}

} // namespace egg
