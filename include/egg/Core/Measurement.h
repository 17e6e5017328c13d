//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Measurement: what a run of one artifact on one GPU showed. Whoever measures
// (egg.measure.attempt) prints it as JSON:
//
//   {"gpu_seconds": 3.1, "measured": {"seconds": 1.2e-5, "kernels":
//     {"NAME": {"seconds": 8e-6, "counters": {"COUNTER": 93.5, ...}}, ...}}}
//   {"gpu_seconds": 3.1, "refused": REJECTION}
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_MEASUREMENT_H
#define EGG_CORE_MEASUREMENT_H

#include "egg/Core/Rejection.h"
#include <map>
#include <optional>
#include <variant>

namespace egg {

/// Of the launches of one kernel: one of them, if there are several.
struct KernelMeasurement {
  /// Duration of a launch, if it was taken by itself.
  std::optional<double> seconds;
  /// Nsight Compute's counters by their names, where it ran.
  std::map<std::string, double> counters;
  bool operator==(const KernelMeasurement &) const = default;
};

struct Measurement {
  /// Median of the timed runs of the whole program.
  double seconds = 0;
  /// By the kernels' names.
  std::map<std::string, KernelMeasurement> kernels;
  bool operator==(const Measurement &) const = default;
};

struct MeasuredOutcome {
  /// How long the GPU was held for it, whatever came out.
  double gpuSeconds = 0;
  /// A rejection for results that are wrong on the GPU, faults and hangs.
  std::variant<Measurement, Rejection> outcome;
  bool operator==(const MeasuredOutcome &) const = default;
};

/// Seconds must be positive and finite; errors name the field.
llvm::Expected<MeasuredOutcome> parseMeasuredOutcome(llvm::StringRef text);

bool fromJSON(const llvm::json::Value &value, KernelMeasurement &kernel,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Measurement &measurement,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, MeasuredOutcome &outcome,
              llvm::json::Path path);

} // namespace egg

#endif // EGG_CORE_MEASUREMENT_H
