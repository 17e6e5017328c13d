//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Measurement: the timed runs of one compiled module on one device.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_MEASUREMENT_H
#define EGG_CORE_MEASUREMENT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace egg {

struct Measurement {
  /// The device's name, as its driver gives it.
  std::string device;
  /// Seconds of each timed run, in the order of the runs.
  std::vector<double> samples;
  /// What is known of the clocks: "locked at 1590 MHz", "not controlled".
  std::string clockNote;
  /// Largest absolute error of the timed outputs, and error relative to the
  /// result's scale, against the reference.
  std::optional<double> maxAbsoluteError, maxRelativeError;
  bool operator==(const Measurement &) const = default;

  /// Median of the samples in seconds; there must be at least one.
  double median() const;
  /// Distance between the 90th and the 10th percentile over the median.
  double relativeSpread() const;
};

/// Indented JSON with a final newline, and back; median and spread are written
/// for readers and not read.
std::string toJSON(const Measurement &measurement);
llvm::Expected<Measurement> parseMeasurement(llvm::StringRef text);

/// The same as part of a larger document.
llvm::json::Value toJSONValue(const Measurement &measurement);
bool fromJSON(const llvm::json::Value &value, Measurement &measurement,
              llvm::json::Path path);

} // namespace egg

#endif // EGG_CORE_MEASUREMENT_H
