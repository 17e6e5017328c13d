//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Attempt.h"
#include "JSON.h"

using namespace llvm;

namespace egg {

static json::Value extentsToJSON(const std::array<int64_t, 3> &extents) {
  return json::Array{extents[0], extents[1], extents[2]};
}

static bool extentsFromJSON(const json::Object &object, StringRef field,
                            std::array<int64_t, 3> &extents, json::Path path) {
  const json::Array *array = object.getArray(field);
  if (!array || array->size() != extents.size()) {
    path.field(field).report("expected an array of three integers");
    return false;
  }
  for (auto [extent, value] : llvm::zip_equal(extents, *array)) {
    std::optional<int64_t> number = value.getAsInteger();
    if (!number) {
      path.field(field).report("expected an array of three integers");
      return false;
    }
    extent = *number;
  }
  return true;
}

json::Value toJSONValue(const KernelAssessment &kernel) {
  json::Object counters;
  for (const auto &[name, value] : kernel.counters)
    counters[detail::textToJSON(name).getAsString()->str()] =
        detail::numberToJSON(value);
  json::Object object{{"name", detail::textToJSON(kernel.name)},
                      {"structure", detail::textToJSON(kernel.structure)},
                      {"grid", extentsToJSON(kernel.grid)},
                      {"block", extentsToJSON(kernel.block)},
                      {"predicted_seconds", kernel.predictedSeconds},
                      {"roofline_seconds", kernel.rooflineSeconds},
                      {"moved_bytes", kernel.movedBytes},
                      {"bound", detail::textToJSON(kernel.bound)},
                      {"counters", std::move(counters)}};
  if (kernel.registers)
    object["registers"] = *kernel.registers;
  if (kernel.sharedMemory)
    object["shared_memory"] = *kernel.sharedMemory;
  if (kernel.spilledBytes)
    object["spilled_bytes"] = *kernel.spilledBytes;
  if (kernel.measuredSeconds)
    object["measured_seconds"] = *kernel.measuredSeconds;
  return object;
}

bool fromJSON(const json::Value &value, KernelAssessment &kernel,
              json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map)
    return false;
  const json::Object &object = *value.getAsObject();
  std::map<std::string, json::Value> counters;
  if (!map.map("name", kernel.name) ||
      !map.map("structure", kernel.structure) ||
      !extentsFromJSON(object, "grid", kernel.grid, path) ||
      !extentsFromJSON(object, "block", kernel.block, path) ||
      !map.map("predicted_seconds", kernel.predictedSeconds) ||
      !map.map("roofline_seconds", kernel.rooflineSeconds) ||
      !map.map("moved_bytes", kernel.movedBytes) ||
      !map.map("bound", kernel.bound) ||
      !map.mapOptional("registers", kernel.registers) ||
      !map.mapOptional("shared_memory", kernel.sharedMemory) ||
      !map.mapOptional("spilled_bytes", kernel.spilledBytes) ||
      !map.mapOptional("measured_seconds", kernel.measuredSeconds))
    return false;
  kernel.counters.clear();
  if (const json::Object *read = object.getObject("counters"))
    for (const auto &[name, number] : *read)
      if (!detail::numberFromJSON(number, kernel.counters[name.str()],
                                  path.field("counters").field(name)))
        return false;
  return true;
}

json::Value toJSONValue(const Assessment &assessment) {
  json::Object object{{"grade", stringifyGrade(assessment.grade)},
                      {"predicted_seconds", assessment.predictedSeconds},
                      {"roofline_seconds", assessment.rooflineSeconds},
                      {"memory_floor_seconds", assessment.memoryFloorSeconds},
                      {"ptx_sha256", assessment.ptxHash},
                      {"kernels", detail::arrayToJSON(assessment.kernels)}};
  if (assessment.measuredSeconds)
    object["measured_seconds"] = *assessment.measuredSeconds;
  return object;
}

bool fromJSON(const json::Value &value, Assessment &assessment,
              json::Path path) {
  json::ObjectMapper map(value, path);
  std::string grade;
  if (!map || !map.map("grade", grade) ||
      !map.map("predicted_seconds", assessment.predictedSeconds) ||
      !map.map("roofline_seconds", assessment.rooflineSeconds) ||
      !map.map("memory_floor_seconds", assessment.memoryFloorSeconds) ||
      !map.map("ptx_sha256", assessment.ptxHash) ||
      !map.mapOptional("measured_seconds", assessment.measuredSeconds) ||
      !map.map("kernels", assessment.kernels))
    return false;
  std::optional<Grade> known = symbolizeGrade(grade);
  if (!known) {
    path.field("grade").report("unknown grade");
    return false;
  }
  assessment.grade = *known;
  return true;
}

json::Value toJSONValue(const Attempt &attempt) {
  json::Object object{{"id", attempt.id},
                      {"stage", toJSONValue(attempt.stage)},
                      {"author", detail::textToJSON(attempt.author)},
                      {"mode", detail::textToJSON(attempt.mode)},
                      {"script", detail::textToJSON(attempt.script)},
                      {"rationale", detail::textToJSON(attempt.rationale)}};
  if (attempt.parent)
    object["parent"] = *attempt.parent;
  if (attempt.gpuSeconds > 0)
    object["gpu_seconds"] = attempt.gpuSeconds;
  if (attempt.accepted())
    object["accepted"] = toJSONValue(attempt.assessment());
  else
    object["refused"] = toJSONValue(attempt.rejection());
  return object;
}

bool fromJSON(const json::Value &value, Attempt &attempt, json::Path path) {
  json::ObjectMapper map(value, path);
  std::optional<Assessment> accepted;
  std::optional<Rejection> refused;
  if (!map || !map.map("id", attempt.id) ||
      !map.mapOptional("parent", attempt.parent) ||
      !map.mapOptional("gpu_seconds", attempt.gpuSeconds) ||
      !map.map("stage", attempt.stage) || !map.map("author", attempt.author) ||
      !map.map("mode", attempt.mode) || !map.map("script", attempt.script) ||
      !map.map("rationale", attempt.rationale) ||
      !map.mapOptional("accepted", accepted) ||
      !map.mapOptional("refused", refused))
    return false;
  if (accepted.has_value() == refused.has_value()) {
    path.report("expected either 'accepted' or 'refused'");
    return false;
  }
  if (accepted)
    attempt.outcome = std::move(*accepted);
  else
    attempt.outcome = std::move(*refused);
  return true;
}

} // namespace egg
