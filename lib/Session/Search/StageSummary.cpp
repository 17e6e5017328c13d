//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "StageSummary.h"
#include "egg/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace egg {

/// Kernels that are handed over as bottlenecks.
static constexpr size_t kMostBottlenecks = 3;
/// Characters kept of an author's words.
static constexpr size_t kMostWords = 400;

namespace {
/// The launches of one kernel together.
struct KernelTimes {
  double seconds = 0, roofline = 0;
  std::string bound;
  /// Whether a GPU timed one by itself.
  bool timed = false;
};
} // namespace

static std::map<std::string, KernelTimes> addUp(const Assessment &assessment) {
  std::map<std::string, KernelTimes> kernels;
  for (const KernelAssessment &launch : assessment.kernels) {
    KernelTimes &kernel = kernels[launch.name];
    kernel.seconds += launch.seconds();
    kernel.roofline += launch.rooflineSeconds;
    kernel.bound = launch.bound;
    kernel.timed |= launch.measuredSeconds.has_value();
  }
  return kernels;
}

std::vector<std::string> rankKernels(const Assessment &assessment) {
  std::map<std::string, KernelTimes> kernels = addUp(assessment);
  std::vector<std::string> names;
  for (const auto &entry : kernels)
    names.push_back(entry.first);
  llvm::sort(names, [&](const std::string &a, const std::string &b) {
    auto rank = [&](const std::string &name) {
      return std::pair(kernels[name].roofline - kernels[name].seconds, name);
    };
    return rank(a) < rank(b);
  });
  return names;
}

double distanceToRoofline(const Assessment &assessment, const Stage &stage) {
  double seconds = assessment.seconds();
  // Another algorithm may do less arithmetic.
  double roofline = assessment.memoryFloorSeconds;
  if (!stage.kernel.empty()) {
    KernelTimes kernel = addUp(assessment)[stage.kernel];
    seconds = kernel.seconds;
    roofline = kernel.roofline;
    // Where the GPU timed the whole alone, its part of that.
    if (assessment.measuredSeconds && !kernel.timed)
      seconds *= *assessment.measuredSeconds / assessment.predictedSeconds;
  }
  return roofline > 0 ? seconds / roofline
                      : std::numeric_limits<double>::infinity();
}

std::string structureOf(const Assessment &assessment, const Stage &stage) {
  for (const KernelAssessment &kernel : assessment.kernels)
    if (kernel.name == stage.kernel)
      return kernel.structure;
  return "";
}

HandOver summarizeStage(const Stage &stage, const Attempt &before,
                        const Attempt &best,
                        ArrayRef<const Attempt *> attempts) {
  HandOver handOver;
  handOver.stage = stage;
  handOver.secondsBefore = before.assessment().seconds();
  handOver.secondsAfter = best.assessment().seconds();
  handOver.attempts = attempts.size();
  handOver.accepted = count_if(
      attempts, [](const Attempt *attempt) { return attempt->accepted(); });

  std::map<std::string, KernelTimes> kernels = addUp(best.assessment());
  if (best.id == before.id)
    handOver.decisions.push_back(
        "kept what it began with: " +
        (attempts.empty()
             ? "nothing was tried"
             : "nothing of " + countOf(attempts.size(), "attempt", "attempts") +
                   " was faster"));
  else
    handOver.decisions.push_back(
        StringRef(best.rationale).take_front(kMostWords).str());
  if (stage.kind == StageKind::Algorithm) {
    std::vector<std::string> names;
    for (const KernelAssessment &kernel : best.assessment().kernels)
      names.push_back("@" + kernel.name + " (" + kernel.structure + ")");
    handOver.invariants.push_back("the kernels, in order: " +
                                  join(names, ", "));
  } else {
    handOver.invariants.push_back("the " + stage.str());
  }
  double total = 0;
  for (const KernelAssessment &launch : best.assessment().kernels)
    total += launch.seconds();
  for (const std::string &name : rankKernels(best.assessment())) {
    const KernelTimes &kernel = kernels[name];
    if (handOver.bottlenecks.size() == kMostBottlenecks)
      break;
    handOver.bottlenecks.push_back(formatv(
        "@{0} takes {1:f1} % of the time, {2:f1} times its roofline, bound by "
        "{3}",
        name, total > 0 ? 100 * kernel.seconds / total : 0,
        kernel.roofline > 0 ? kernel.seconds / kernel.roofline : 0,
        kernel.bound));
  }
  return handOver;
}

} // namespace egg
