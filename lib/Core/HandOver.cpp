//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/HandOver.h"
#include "JSON.h"

using namespace llvm;

namespace egg {

json::Value toJSONValue(const HandOver &handOver) {
  return json::Object{
      {"stage", toJSONValue(handOver.stage)},
      {"decisions", detail::textsToJSON(handOver.decisions)},
      {"invariants", detail::textsToJSON(handOver.invariants)},
      {"bottlenecks", detail::textsToJSON(handOver.bottlenecks)},
      {"seconds_before", handOver.secondsBefore},
      {"seconds_after", handOver.secondsAfter},
      {"attempts", handOver.attempts},
      {"accepted", handOver.accepted}};
}

bool fromJSON(const json::Value &value, HandOver &handOver, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("stage", handOver.stage) &&
         map.map("decisions", handOver.decisions) &&
         map.map("invariants", handOver.invariants) &&
         map.map("bottlenecks", handOver.bottlenecks) &&
         map.map("seconds_before", handOver.secondsBefore) &&
         map.map("seconds_after", handOver.secondsAfter) &&
         map.map("attempts", handOver.attempts) &&
         map.map("accepted", handOver.accepted);
}

} // namespace egg
