//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Timing of a search's candidates on a GPU. Kernels that nobody has run before
// may fault or hang, so a command of its own does it: `COMMAND DIR` gets an
// artifact's directory, on standard input the counters that are of use,
// {"counters": [NAME, ...]}, and prints a MeasuredOutcome.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SESSION_MEASURE_H
#define EGG_SESSION_MEASURE_H

#include "egg/Core/Measurement.h"
#include "egg/Session/Session.h"

namespace egg {

/// The step of rejections that come from a GPU.
inline constexpr llvm::StringLiteral kMeasureStep = "measure";

/// An artifact's outcome on a GPU. The Error is for a command that cannot
/// measure anything: no GPU, no such program, an answer that makes no sense.
using Measurer =
    std::function<llvm::Expected<MeasuredOutcome>(const Artifact &artifact)>;

/// Runs a shell command for each artifact, at most `seconds` long; one that
/// takes longer is a rejection, as a kernel may hang. The command inherits the
/// environment but for the keys of models.
Measurer makeMeasurer(std::string command, double seconds);

/// Puts what was measured into what is known of the artifact: times and
/// counters go to the launches of the kernel of that name.
void addMeasurement(const Measurement &measurement, Assessment &assessment);

/// Gives an outcome what a GPU showed of the same script before: times and
/// counters, or its rejection.
void takeMeasured(const Outcome &recorded, Outcome &outcome);

} // namespace egg

#endif // EGG_SESSION_MEASURE_H
