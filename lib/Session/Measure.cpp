//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Session/Measure.h"
#include "egg/Agent/Prompt.h"
#include "egg/LLM/ApiKey.h"
#include "egg/Support/Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace egg {

/// Far more than the counters of hundreds of kernels.
static constexpr uint64_t kMaxAnswerBytes = uint64_t(8) << 20;

static std::string explain(StringRef command, const Twine &what) {
  return ("the command that measures " + what + "; run '" + command +
          " DIR' by hand with an artifact's directory")
      .str();
}

static Expected<MeasuredOutcome>
measure(const Artifact &artifact, const std::string &command, double seconds) {
  SmallString<128> directory;
  if (std::error_code code =
          sys::fs::createUniqueDirectory("egg-attempt", directory))
    return createStringError(code, "cannot create a temporary directory: " +
                                       code.message());
  auto cleanUp =
      scope_exit([&] { (void)sys::fs::remove_directories(directory); });
  if (Error error = writeArtifact(artifact, directory))
    return std::move(error);
  ProcessRequest process;
  process.program = "/bin/sh";
  process.arguments = {"-c", command + " \"$1\"", "egg-measure",
                       directory.str().str()};
  json::Array counters;
  for (std::string &name : getCounterNames())
    counters.push_back(std::move(name));
  process.input = formatv(
      "{0}\n", json::Value(json::Object{{"counters", std::move(counters)}}));
  process.environment = environmentWithoutKeys();
  process.limits.wallSeconds = seconds;
  process.limits.outputBytes = kMaxAnswerBytes;
  Expected<ProcessResult> result = runProcess(process);
  if (!result)
    return result.takeError();
  if (result->ranOutOfTime()) {
    Rejection rejection;
    rejection.step = kMeasureStep.str();
    rejection.reason =
        formatv("the measurement takes more than {0:f0} s", seconds);
    rejection.remedy = "see that no kernel waits for ever, or raise "
                       "measure-seconds";
    return MeasuredOutcome{result->wallSeconds, std::move(rejection)};
  }
  if (!result->succeeded())
    return createStringError(explain(
        command,
        result->describeEnd() + ": " +
            json::fixUTF8(
                StringRef(result->standardError).trim().take_back(1000))));
  Expected<MeasuredOutcome> outcome =
      parseMeasuredOutcome(result->standardOutput);
  if (!outcome)
    return createStringError(
        explain(command, "answers what cannot be used: " +
                             toString(outcome.takeError())));
  if (auto *rejection = std::get_if<Rejection>(&outcome->outcome))
    rejection->step = kMeasureStep.str();
  return outcome;
}

Measurer makeMeasurer(std::string command, double seconds) {
  return [command = std::move(command), seconds](const Artifact &artifact) {
    return measure(artifact, command, seconds);
  };
}

void addMeasurement(const Measurement &measurement, Assessment &assessment) {
  assessment.measuredSeconds = measurement.seconds;
  for (KernelAssessment &kernel : assessment.kernels) {
    auto found = measurement.kernels.find(kernel.name);
    if (found == measurement.kernels.end())
      continue;
    kernel.measuredSeconds = found->second.seconds;
    kernel.counters = found->second.counters;
  }
}

void takeMeasured(const Outcome &recorded, Outcome &outcome) {
  auto *now = std::get_if<Assessment>(&outcome);
  if (!now)
    return;
  if (const auto *rejection = std::get_if<Rejection>(&recorded)) {
    if (rejection->step == kMeasureStep)
      outcome = *rejection;
    return;
  }
  const auto &then = std::get<Assessment>(recorded);
  now->measuredSeconds = then.measuredSeconds;
  for (auto [kernel, before] : zip(now->kernels, then.kernels)) {
    kernel.measuredSeconds = before.measuredSeconds;
    kernel.counters = before.counters;
  }
}

} // namespace egg
