//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Facts.h"
#include "Figures.h"
#include "egg/Agent/Prompt.h"
#include "egg/Agent/SafeText.h"
#include "egg/Core/ScheduleFormat.h"
#include "egg/TransformOps/Vocabulary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace egg {

std::string describeVocabulary(StageKind stage) {
  StringRef sequence = stringifyStageKind(stage);
  std::string text;
  for (const ScriptWord &word : scriptVocabulary()) {
    bool substitutes = stage == StageKind::Algorithm &&
                       llvm::is_contained(word.stages, kSubstitutionName);
    if (!llvm::is_contained(word.stages, sequence) && !substitutes)
      continue;
    text += "- `" + word.name + "`: " + word.summary;
    if (substitutes && !llvm::is_contained(word.stages, sequence))
      text += " (in @substitution)";
    text += "\n";
    for (const std::string &range : word.ranges)
      text += "  - " + range + "\n";
    text += fence(word.example, "mlir") + "\n";
  }
  return text;
}

std::string describeTarget(const TargetInfo &target) {
  auto tera = [](double rate) { return countText(rate) + "FLOP/s"; };
  return target.product + " (" + target.chip +
         "): " + std::to_string(target.multiprocessors) +
         " multiprocessors (SMs), " +
         std::to_string(target.maxThreadsPerMultiprocessor) +
         " threads and at most " +
         std::to_string(target.maxBlocksPerMultiprocessor) +
         " blocks each, blocks of at most " +
         std::to_string(target.maxThreadsPerBlock) + " threads, " +
         std::to_string(target.registersPerMultiprocessor) +
         " registers an SM, " + std::to_string(target.maxRegistersPerThread) +
         " a thread; " + bytesText(double(target.staticSharedMemoryPerBlock)) +
         " of shared memory a block, " +
         bytesText(double(target.sharedMemoryPerMultiprocessor)) +
         " an SM; L2 " + bytesText(double(target.l2Bytes)) +
         "; device memory " + bytesText(target.copyBytesPerSecond) +
         "/s (bytes read plus bytes written); fp32 " +
         tera(target.f32FlopsPerSecond) + "; a launch costs at least " +
         secondsText(target.launchSeconds) + ".\n";
}

std::string describeRoofline(const TargetInfo &target, const Work &work,
                             StageKind stage) {
  RooflineEstimate estimated = estimate(target, work);
  bool whole = stage == StageKind::Algorithm;
  std::string text =
      (whole ? "the program as written" : "the kernel") +
      std::string(" moves at least ") + bytesText(work.bytes) + " (" +
      secondsText(estimated.memorySeconds) +
      ": each argument read and each "
      "result written once) and does " +
      countText(work.flops) + " FLOPs (" +
      secondsText(estimated.computeSeconds) + " at the peak). No schedule of " +
      (whole ? "these ops" : "it") + " can be expected to be faster than " +
      secondsText(estimated.seconds) +
      " (bound: " + stringifyBound(estimated.bound).str() + ").";
  // Of what a substitution can change nothing is left but the bytes.
  double floor = std::max(estimated.memorySeconds, estimated.launchSeconds);
  if (whole && floor < estimated.seconds)
    text += " A substitution that computes the same with less arithmetic can "
            "go below that, down to " +
            secondsText(floor) + ".";
  return text + "\n";
}

static std::string describeKernel(const KernelAssessment &kernel) {
  auto extents = [](const std::array<int64_t, 3> &e) {
    return std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" +
           std::to_string(e[2]);
  };
  std::string text = "- @" + safeLine(kernel.name, 64) + " (" +
                     safeLine(kernel.structure, 16) + "): predicted " +
                     secondsText(kernel.predictedSeconds) +
                     (kernel.measuredSeconds
                          ? ", measured " + secondsText(*kernel.measuredSeconds)
                          : "") +
                     ", roofline " + secondsText(kernel.rooflineSeconds) +
                     ", bound by " + safeLine(kernel.bound, 16) + ", " +
                     bytesText(kernel.movedBytes) +
                     " through device memory, grid " + extents(kernel.grid) +
                     ", block " + extents(kernel.block);
  if (kernel.registers)
    text += ", " + std::to_string(*kernel.registers) + " registers a thread";
  if (kernel.sharedMemory)
    text += ", " + std::to_string(*kernel.sharedMemory) + " B of shared memory";
  if (kernel.spilledBytes && *kernel.spilledBytes > 0)
    text += ", SPILLS " + std::to_string(*kernel.spilledBytes) + " B";
  return text + "\n";
}

std::string describeAssessment(const Assessment &assessment, StringRef only) {
  if (assessment.kernels.empty() && assessment.predictedSeconds == 0)
    return "not assessed\n";
  std::string text = "The current script: predicted " +
                     secondsText(assessment.predictedSeconds);
  if (assessment.measuredSeconds)
    text += ", measured on a GPU " + secondsText(*assessment.measuredSeconds);
  text += "; roofline of the program as written " +
          secondsText(assessment.rooflineSeconds) + "; grade " +
          stringifyGrade(assessment.grade).str() + ".\n";
  double others = 0;
  int64_t count = 0;
  for (const KernelAssessment &kernel : assessment.kernels) {
    if (only.empty() || kernel.name == only) {
      text += describeKernel(kernel);
    } else {
      others += kernel.seconds();
      ++count;
    }
  }
  if (count > 0)
    text += "- the other launches (" + std::to_string(count) +
            "): " + secondsText(others) + "\n";
  return text;
}

namespace {
constexpr struct {
  const char *path, *content;
} kCounterFiles[] = {
#include "CounterData.inc"
};
} // namespace

static const llvm::json::Array &counterTable() {
  static const llvm::json::Value document =
      llvm::cantFail(llvm::json::parse(kCounterFiles[0].content));
  return *document.getAsObject()->getArray("counters");
}

std::vector<std::string> getCounterNames() {
  std::vector<std::string> names;
  for (const llvm::json::Value &counter : counterTable())
    names.push_back(counter.getAsObject()->getString("name")->str());
  return names;
}

std::string describeCounters(const Assessment &assessment, const Stage &stage) {
  std::string text;
  for (const KernelAssessment &kernel : assessment.kernels) {
    if (!stage.kernel.empty() && kernel.name != stage.kernel)
      continue;
    std::string counters;
    for (const llvm::json::Value &value : counterTable()) {
      const llvm::json::Object &counter = *value.getAsObject();
      auto found = kernel.counters.find(counter.getString("name")->str());
      bool ofStage = llvm::any_of(
          *counter.getArray("stages"), [&](const llvm::json::Value &name) {
            return name.getAsString() == stringifyStageKind(stage.kind);
          });
      if (!ofStage || found == kernel.counters.end())
        continue;
      StringRef unit = *counter.getString("unit");
      counters += (counters.empty() ? "" : ", ") +
                  counter.getString("title")->str() + " " +
                  numberText(found->second) +
                  (unit.empty() || unit == "%" ? "" : " ") + unit.str();
    }
    if (!counters.empty())
      text += "- @" + safeLine(kernel.name, 64) + ": " + counters + "\n";
  }
  return text;
}

} // namespace egg
