//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Session/Session.h"
#include "egg/Support/Hash.h"
#include "egg/Support/Text.h"
#include "egg/Support/Version.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using llvm::formatv;
namespace json = llvm::json;

namespace egg {

static json::Array extents(const std::array<int64_t, 3> &values) {
  return json::Array{values[0], values[1], values[2]};
}

static json::Object toObject(const KernelResources &resources) {
  return json::Object{{"kernel", resources.kernel},
                      {"registers", resources.registers},
                      {"shared_memory", resources.sharedMemory},
                      {"stack", resources.stack},
                      {"spill_stores", resources.spillStores},
                      {"spill_loads", resources.spillLoads}};
}

static json::Object toObject(const KernelSummary &kernel) {
  return json::Object{{"name", kernel.name},
                      {"structure", kernel.structure},
                      {"why", json::Array(kernel.why)},
                      {"grid", extents(kernel.grid)},
                      {"block", extents(kernel.block)},
                      {"bytes", kernel.bytes},
                      {"flops", kernel.flops},
                      {"roofline_seconds", kernel.rooflineSeconds},
                      {"predicted_seconds", kernel.predictedSeconds},
                      {"predicted_bytes", kernel.movedBytes},
                      {"bound", kernel.bound}};
}

static double predictedSeconds(const Artifact &artifact) {
  double seconds = 0;
  for (const KernelSummary &kernel : artifact.kernels)
    seconds += kernel.predictedSeconds;
  return seconds;
}

std::string writeReport(const Artifact &artifact) {
  json::Array kernels, resources;
  for (const KernelSummary &kernel : artifact.kernels)
    kernels.push_back(toObject(kernel));
  for (const KernelResources &kernel : artifact.image.resources)
    resources.push_back(toObject(kernel));
  json::Object report{
      {"version", getVersion()},
      {"chip", artifact.image.chip},
      {"agent", artifact.agent},
      {"rationale", artifact.rationale},
      {"seed", static_cast<int64_t>(artifact.seed)},
      {"payload_sha256", sha256(artifact.payload)},
      {"schedule_sha256", sha256(artifact.schedule)},
      {"ptx_sha256", sha256(artifact.image.ptx)},
      {"cubin_sha256", artifact.image.cubin.empty()
                           ? json::Value(nullptr)
                           : json::Value(sha256(artifact.image.cubin))},
      {"plan_sha256", sha256(toJSON(artifact.plan))},
      {"libdevice_sha256", artifact.image.libdeviceHash},
      {"verdict", toJSONValue(artifact.verdict)},
      {"kernels", std::move(kernels)},
      {"ptxas", artifact.image.cubin.empty() ? "absent" : "accepted"},
      {"resources", std::move(resources)},
      {"warnings", json::Array(artifact.image.warnings)},
      {"roofline_seconds", artifact.rooflineSeconds},
      {"predicted_seconds", predictedSeconds(artifact)},
      {"measured", false}};
  std::string text;
  llvm::raw_string_ostream(text)
      << formatv("{0:2}", json::Value(std::move(report))) << "\n";
  return text;
}

static std::string launchText(const KernelSummary &kernel) {
  auto box = [](const std::array<int64_t, 3> &e, const char *noun) {
    std::string text = std::to_string(e[0]);
    for (int i : {1, 2})
      if (e[1] != 1 || e[2] != 1)
        if (i == 1 || e[2] != 1)
          text += " x " + std::to_string(e[i]);
    return text + " " + noun + (text == "1" ? "" : "s");
  };
  return box(kernel.grid, "block") + " of " + box(kernel.block, "thread");
}

static void describeTimes(llvm::raw_ostream &os, const Artifact &artifact) {
  if (artifact.kernels.empty()) {
    os << "Nothing is launched, so no time is predicted. Not timed.\n\n";
    return;
  }
  os << formatv(
      "Predicted: {0:f3} ms in {1}, {2:f1} MiB of temporaries; the "
      "roofline (the least bytes and operations at the rates measured "
      "on the chip) is {3:f3} ms. Not timed.\n\n",
      predictedSeconds(artifact) * 1e3,
      countOf(artifact.kernels.size(), "launch", "launches"),
      static_cast<double>(artifact.plan.arenaBytes) / (1 << 20),
      artifact.rooflineSeconds * 1e3);
}

std::string writeSummary(const Artifact &artifact) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "# What EGG made\n\n";
  os << "For " << artifact.image.chip << ", "
     << (artifact.agent == "replay"
             ? "by a schedule that was given. "
             : "proposed by the agent `" + artifact.agent + "`. ")
     << artifact.rationale << "\n\n";
  describeTimes(os, artifact);
  os << "Verdict: " << stringifyGrade(artifact.verdict.grade) << ": "
     << explainGrade(artifact.verdict.grade) << ".\n\n";
  for (const Evidence &evidence : artifact.verdict.evidence)
    os << "- " << evidence.step << ": " << evidence.statement << "\n";
  for (const std::string &skipped : artifact.verdict.skipped)
    os << "- skipped: " << skipped << "\n";
  os << "\n";
  for (const KernelSummary &kernel : artifact.kernels) {
    os << "## " << kernel.name << "\n\n";
    os << formatv("{0}: {1}; {2:f3} MB, {3:f3} GFLOP; predicted {4:f4} ms, "
                  "bound by {5}, moving {6:f3} MB; roofline {7:f4} ms.\n",
                  kernel.structure, launchText(kernel), kernel.bytes / 1e6,
                  kernel.flops / 1e9, kernel.predictedSeconds * 1e3,
                  kernel.bound, kernel.movedBytes / 1e6,
                  kernel.rooflineSeconds * 1e3);
    for (const KernelResources &resources : artifact.image.resources) {
      if (resources.kernel != kernel.name)
        continue;
      os << countOf(resources.registers, "register", "registers") << ", "
         << countOf(resources.sharedMemory, "byte", "bytes")
         << " of shared memory";
      if (resources.spills())
        os << "; SPILLS " << countOf(resources.spillStores, "byte", "bytes")
           << " stored, " << resources.spillLoads << " loaded";
      os << ".\n";
    }
    os << "\n";
    for (const std::string &why : kernel.why)
      os << "- " << why << "\n";
    os << "\n";
  }
  for (const std::string &warning : artifact.image.warnings)
    os << "ptxas warns: " << warning << "\n";
  if (artifact.image.cubin.empty() && !artifact.kernels.empty())
    os << "ptxas was not found: resources are unknown.\n";
  return text;
}

} // namespace egg
