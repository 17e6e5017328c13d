//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Session/Session.h"
#include "Prediction.h"
#include "ScriptReasons.h"
#include "Steps.h"
#include "egg/Kernel/KernelConfig.h"
#include "egg/Kernel/KernelWork.h"
#include "egg/Kernel/Materialize.h"
#include "egg/Lowering/BuildPlan.h"
#include "egg/Lowering/EmitPTX.h"
#include "egg/Lowering/LowerToNVVM.h"
#include "egg/Schedule/ApplySchedule.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Support/Files.h"
#include "egg/Support/Hash.h"
#include "egg/Support/Version.h"
#include "egg/Target/Roofline.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace egg {
namespace {

class SessionRun {
public:
  SessionRun(ModuleOp payload, const Proposal &proposal,
             const SessionOptions &options)
      : payload(payload), proposal(proposal), options(options) {}

  llvm::Expected<Artifact> run() {
    llvm::Expected<TargetInfo> found = lookupTarget(options.chip);
    if (!found)
      return inStep(found.takeError(), "target");
    target = *found;
    artifact.payload = printPayload(payload);
    artifact.schedule = proposal.script;
    artifact.agent = proposal.author;
    artifact.rationale = proposal.rationale;
    artifact.seed = options.seed;
    for (auto step :
         {&SessionRun::accept, &SessionRun::verify, &SessionRun::apply,
          &SessionRun::materialize, &SessionRun::lower})
      if (llvm::Error error = (this->*step)())
        return std::move(error);
    return std::move(artifact);
  }

private:
  llvm::Error accept() {
    if (llvm::Error error = parse())
      return error;
    warnUnusedKnobs(*schedule);
    return llvm::Error::success();
  }

  llvm::Error parse() {
    return runStep(payload.getContext(), "accept", [&]() -> LogicalResult {
      auto parsed =
          parseSchedule(proposal.script, "schedule.mlir", payload.getContext());
      if (failed(parsed))
        return failure();
      schedule = std::move(*parsed);
      auto chip = (*schedule)->getAttrOfType<StringAttr>(kTargetAttrName);
      if (chip.getValue() != options.chip)
        return emitError((*schedule)->getLoc())
               << "[accept] the script is for " << chip.getValue()
               << ", and this session compiles for " << options.chip
               << "; give that chip, or propose a script for this one";
      return checkPayload(payload, *schedule);
    });
  }

  llvm::Error verify() {
    if (!options.verifier) {
      artifact.verdict.skipped.push_back(
          "numeric: verification was not asked for");
    } else {
      llvm::Expected<Verdict> verdict = options.verifier(payload, proposal);
      if (!verdict)
        return inStep(verdict.takeError(), "verify");
      artifact.verdict = std::move(*verdict);
    }
    auto &versions = artifact.verdict.versions;
    versions["egg"] = getVersion();
    versions["commit"] = getRevision();
    versions["llvm"] = getLLVMVersion();
    std::optional<Rejection> rejection =
        refuseBelow(artifact.verdict, options.leastGrade, "require");
    if (!rejection)
      return llvm::Error::success();
    rejection->location = "schedule.mlir";
    return llvm::make_error<RejectionError>(std::move(*rejection));
  }

  llvm::Error apply() {
    module = payload.clone();
    ApplyOptions apply;
    apply.materialize = false;
    if (llvm::Error error = runStep(payload.getContext(), "apply", [&] {
          return applySchedule(*module, *schedule, apply);
        }))
      return error;
    RooflineEstimate whole = estimate(
        target, measureWork(payload.lookupSymbol<func::FuncOp>("main")));
    artifact.rooflineSeconds = whole.seconds;
    artifact.memoryFloorSeconds =
        std::max(whole.memorySeconds, whole.launchSeconds);
    llvm::StringMap<std::vector<std::string>> reasons =
        readReasons(proposal.script);
    module->lookupSymbol<func::FuncOp>("main").walk([&](func::CallOp call) {
      auto kernel = module->lookupSymbol<func::FuncOp>(call.getCallee());
      FailureOr<KernelConfig> config = getKernelConfig(kernel);
      KernelSummary summary;
      summary.name = kernel.getSymName().str();
      if (succeeded(config))
        summary.structure = stringifyStructure(config->structure).str();
      summary.why = reasons.lookup(summary.name);
      Work work = measureWork(kernel);
      summary.bytes = work.bytes;
      summary.flops = work.flops;
      summary.rooflineSeconds = estimate(target, work).seconds;
      artifact.kernels.push_back(std::move(summary));
    });
    return llvm::Error::success();
  }

  llvm::Error materialize() {
    if (llvm::Error error = runStep(payload.getContext(), "materialize", [&] {
          return materializeKernels(*module);
        }))
      return error;
    llvm::Expected<Plan> plan = buildPlan(*module, target);
    if (!plan)
      return inStep(plan.takeError(), "plan");
    artifact.plan = std::move(*plan);
    auto gpuModules = llvm::to_vector(module->getOps<gpu::GPUModuleOp>());
    size_t next = 0;
    for (const PlanStep &step : artifact.plan.steps) {
      if (step.kind != PlanStep::Kind::Launch)
        continue;
      assert(next < artifact.kernels.size() && "one launch a call");
      KernelSummary &kernel = artifact.kernels[next++];
      kernel.grid = step.grid;
      kernel.block = step.block;
      auto function =
          gpuModules.front().lookupSymbol<gpu::GPUFuncOp>(step.kernel);
      assert(function && "a launch is of a kernel of the module");
      Prediction predicted = predict(function, step.grid, step.block, target);
      kernel.predictedSeconds = predicted.seconds;
      kernel.movedBytes = predicted.memoryBytes;
      kernel.bound = predicted.bound.str();
    }
    return llvm::Error::success();
  }

  llvm::Error lower() {
    artifact.image.chip = options.chip;
    auto kernels = llvm::to_vector(module->getOps<gpu::GPUModuleOp>());
    if (kernels.empty())
      return llvm::Error::success();
    if (llvm::Error error = runStep(payload.getContext(), "lower", [&] {
          return lowerToNVVM(*module, target);
        }))
      return error;
    EmitOptions emit;
    emit.toolchain = options.toolchain;
    emit.cubin = EmitOptions::Cubin::IfPtxasIsFound;
    auto lowered = llvm::to_vector(module->getOps<gpu::GPUModuleOp>());
    llvm::Expected<KernelImage> image = emitPTX(lowered.front(), target, emit);
    if (!image)
      return inStep(image.takeError(), "emit");
    artifact.image = std::move(*image);
    noteVersions();
    return llvm::Error::success();
  }

  /// Of the tools that took part after the verification.
  void noteVersions() {
    auto &versions = artifact.verdict.versions;
    if (!artifact.image.libdeviceHash.empty())
      versions["libdevice"] = "sha256 " + artifact.image.libdeviceHash;
    if (artifact.image.cubin.empty())
      return;
    llvm::Expected<std::string> ptxas = findPtxas(options.toolchain);
    if (!ptxas)
      return llvm::consumeError(ptxas.takeError());
    std::string version = getPtxasVersion(*ptxas);
    versions["ptxas"] = version.empty() ? "unknown" : version;
  }

  ModuleOp payload;
  const Proposal &proposal;
  const SessionOptions &options;
  TargetInfo target;
  OwningOpRef<ModuleOp> schedule, module;
  Artifact artifact;
};
} // namespace

llvm::Expected<Artifact> compileProposal(ModuleOp payload,
                                         const Proposal &proposal,
                                         const SessionOptions &options) {
  return SessionRun(payload, proposal, options).run();
}

llvm::Expected<Artifact> runSession(ModuleOp payload, Agent &agent,
                                    const SessionOptions &options) {
  // An unknown chip is no fault of the agent's.
  if (auto target = lookupTarget(options.chip); !target)
    return inStep(target.takeError(), "target");
  ProposalRequest request{payload, hashPayload(payload), options.chip,
                          options.seed};
  llvm::Expected<Proposal> proposal = agent.propose(request);
  if (!proposal)
    return inStep(proposal.takeError(), "propose");
  return compileProposal(payload, *proposal, options);
}

Assessment assess(const Artifact &artifact) {
  Assessment assessment;
  assessment.grade = artifact.verdict.grade;
  assessment.rooflineSeconds = artifact.rooflineSeconds;
  assessment.memoryFloorSeconds = artifact.memoryFloorSeconds;
  assessment.ptxHash = sha256(artifact.image.ptx);
  for (const KernelSummary &kernel : artifact.kernels) {
    KernelAssessment known;
    known.name = kernel.name;
    known.structure = kernel.structure;
    known.grid = kernel.grid;
    known.block = kernel.block;
    known.predictedSeconds = kernel.predictedSeconds;
    known.rooflineSeconds = kernel.rooflineSeconds;
    known.movedBytes = kernel.movedBytes;
    known.bound = kernel.bound;
    for (const KernelResources &resources : artifact.image.resources) {
      if (resources.kernel != kernel.name)
        continue;
      known.registers = resources.registers;
      known.sharedMemory = resources.sharedMemory;
      known.spilledBytes = resources.spillStores + resources.spillLoads;
    }
    assessment.predictedSeconds += kernel.predictedSeconds;
    assessment.kernels.push_back(std::move(known));
  }
  return assessment;
}

/// Whether a report.json is an artifact's; other tools have files of that name.
static bool isReport(StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const llvm::json::Object *report = value->getAsObject();
  return report && report->get("ptx_sha256") &&
         report->get("predicted_seconds");
}

llvm::Error writeArtifact(const Artifact &artifact, StringRef directory) {
  // egg.artifact.FILES in python-bindings has the same names.
  DirectoryMark mark{"report.json",
                     isReport,
                     {"payload.mlir", "schedule.mlir", "plan.json",
                      "kernels.ptx", "kernels.cubin", "report.json",
                      "summary.md"}};
  llvm::Expected<AtomicDirectory> out =
      AtomicDirectory::create(directory, std::move(mark));
  if (!out)
    return out.takeError();
  std::vector<std::pair<std::string, std::string>> files = {
      {"payload.mlir", artifact.payload},
      {"schedule.mlir", artifact.schedule},
      {"plan.json", toJSON(artifact.plan)},
      {"kernels.ptx", artifact.image.ptx},
      {"report.json", writeReport(artifact)},
      {"summary.md", writeSummary(artifact)}};
  if (!artifact.image.cubin.empty())
    files.emplace_back("kernels.cubin", artifact.image.cubin);
  for (const auto &[name, content] : files)
    if (llvm::Error error = out->write(name, content))
      return error;
  return out->commit();
}

} // namespace egg
