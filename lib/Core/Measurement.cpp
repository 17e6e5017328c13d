//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Measurement.h"
#include "JSON.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <cmath>

using namespace llvm;

namespace egg {

/// Quantile by linear interpolation between the neighbouring samples.
static double quantile(std::vector<double> samples, double fraction) {
  assert(!samples.empty() && "a measurement has at least one sample");
  llvm::sort(samples);
  double position = fraction * (samples.size() - 1);
  size_t below = std::floor(position);
  size_t above = std::min(below + 1, samples.size() - 1);
  return samples[below] +
         (position - below) * (samples[above] - samples[below]);
}

double Measurement::median() const { return quantile(samples, 0.5); }

double Measurement::relativeSpread() const {
  return (quantile(samples, 0.9) - quantile(samples, 0.1)) / median();
}

json::Value toJSONValue(const Measurement &measurement) {
  json::Array samples;
  for (double sample : measurement.samples)
    samples.push_back(detail::numberToJSON(sample));
  json::Object object{{"device", detail::textToJSON(measurement.device)},
                      {"samples", std::move(samples)},
                      {"clockNote", detail::textToJSON(measurement.clockNote)}};
  if (!measurement.samples.empty()) {
    object["median"] = detail::numberToJSON(measurement.median());
    object["relativeSpread"] =
        detail::numberToJSON(measurement.relativeSpread());
  }
  if (measurement.maxAbsoluteError)
    object["maxAbsoluteError"] =
        detail::numberToJSON(*measurement.maxAbsoluteError);
  if (measurement.maxRelativeError)
    object["maxRelativeError"] =
        detail::numberToJSON(*measurement.maxRelativeError);
  return object;
}

bool fromJSON(const json::Value &value, Measurement &measurement,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("device", measurement.device) &&
         map.map("samples", measurement.samples) &&
         map.map("clockNote", measurement.clockNote) &&
         detail::mapNumber(*value.getAsObject(), "maxAbsoluteError",
                           measurement.maxAbsoluteError, path) &&
         detail::mapNumber(*value.getAsObject(), "maxRelativeError",
                           measurement.maxRelativeError, path);
}

std::string toJSON(const Measurement &measurement) {
  return detail::printIndented(toJSONValue(measurement));
}

Expected<Measurement> parseMeasurement(StringRef text) {
  return detail::parseDocument<Measurement>(text, "measurement");
}

} // namespace egg
