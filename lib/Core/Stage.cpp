//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Stage.h"
#include "JSON.h"
#include "egg/Core/ScheduleFormat.h"

using namespace llvm;

namespace egg {

static constexpr StageKind kStageKinds[] = {
    StageKind::Algorithm, StageKind::ParallelMapping, StageKind::TensorTiling,
    StageKind::MemoryOptimization};

StringRef stringifyStageKind(StageKind kind) {
  if (kind == StageKind::Algorithm)
    return kAlgorithmName;
  return kHardwareStages[static_cast<int>(kind) - 1];
}

std::optional<StageKind> symbolizeStageKind(StringRef name) {
  for (StageKind kind : kStageKinds)
    if (stringifyStageKind(kind) == name)
      return kind;
  return std::nullopt;
}

std::string Stage::str() const {
  std::string text = stringifyStageKind(kind).str();
  return kernel.empty() ? text : text + " of @" + kernel;
}

json::Value toJSONValue(const Stage &stage) {
  json::Object object{{"kind", stringifyStageKind(stage.kind)}};
  if (!stage.kernel.empty())
    object["kernel"] = detail::textToJSON(stage.kernel);
  return object;
}

bool fromJSON(const json::Value &value, Stage &stage, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string kind;
  stage.kernel.clear();
  if (!map || !map.map("kind", kind) ||
      !map.mapOptional("kernel", stage.kernel))
    return false;
  std::optional<StageKind> known = symbolizeStageKind(kind);
  if (!known) {
    path.field("kind").report("unknown stage");
    return false;
  }
  stage.kind = *known;
  return true;
}

} // namespace egg
