//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Measurement.h"
#include "JSON.h"
#include <cmath>

using namespace llvm;

namespace egg {

/// Written so that NaN fails too.
static bool isTime(double seconds, StringRef field, json::Path path) {
  if (seconds > 0 && std::isfinite(seconds))
    return true;
  path.field(field).report("expected a positive number of seconds");
  return false;
}

bool fromJSON(const json::Value &value, KernelMeasurement &kernel,
              json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.mapOptional("seconds", kernel.seconds) ||
      (kernel.seconds && !isTime(*kernel.seconds, "seconds", path)))
    return false;
  kernel.counters.clear();
  if (const json::Object *read = value.getAsObject()->getObject("counters"))
    for (const auto &[name, number] : *read)
      if (!detail::numberFromJSON(number, kernel.counters[name.str()],
                                  path.field("counters").field(name)))
        return false;
  return true;
}

bool fromJSON(const json::Value &value, Measurement &measurement,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("seconds", measurement.seconds) &&
         isTime(measurement.seconds, "seconds", path) &&
         map.map("kernels", measurement.kernels);
}

bool fromJSON(const json::Value &value, MeasuredOutcome &outcome,
              json::Path path) {
  json::ObjectMapper map(value, path);
  std::optional<Measurement> measured;
  std::optional<Rejection> refused;
  if (!map || !map.map("gpu_seconds", outcome.gpuSeconds) ||
      !map.mapOptional("measured", measured) ||
      !map.mapOptional("refused", refused))
    return false;
  if (!(outcome.gpuSeconds >= 0) || !std::isfinite(outcome.gpuSeconds)) {
    path.field("gpu_seconds").report("expected a number of seconds");
    return false;
  }
  if (measured.has_value() == refused.has_value()) {
    path.report("expected either 'measured' or 'refused'");
    return false;
  }
  if (measured)
    outcome.outcome = std::move(*measured);
  else
    outcome.outcome = std::move(*refused);
  return true;
}

Expected<MeasuredOutcome> parseMeasuredOutcome(StringRef text) {
  return detail::parseDocument<MeasuredOutcome>(text, "measurement");
}

} // namespace egg
