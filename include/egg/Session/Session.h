//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The whole way from a payload to an artifact: propose, verify, apply, lower,
// emit, plan. Whatever refuses is a Rejection that names its step.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SESSION_SESSION_H
#define EGG_SESSION_SESSION_H

#include "egg/Agent/Agent.h"
#include "egg/Core/Attempt.h"
#include "egg/Core/KernelImage.h"
#include "egg/Core/Plan.h"
#include "egg/Core/Verdict.h"
#include "egg/Target/Toolchain.h"
#include <functional>

namespace egg {

/// Judges a proposal before it is believed: the verdict with its evidence, or a
/// RejectionError.
using Verifier = std::function<llvm::Expected<Verdict>(
    mlir::ModuleOp payload, const Proposal &proposal)>;

struct SessionOptions {
  /// Chip to compile for.
  std::string chip = "sm_90a";
  /// Seed of the agent's random choices.
  uint64_t seed = 0;
  /// Where ptxas and libdevice are.
  ToolchainOptions toolchain;
  /// Null: nothing is verified, and the verdict says so.
  Verifier verifier;
  /// A schedule whose verdict is below this is refused.
  Grade leastGrade = Grade::Unverified;
};

/// What is known of one kernel of the result.
struct KernelSummary {
  std::string name;
  /// map, rows, contraction or scan.
  std::string structure;
  /// The comments of the script about it, a line each.
  std::vector<std::string> why;
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  /// Bytes of its arguments and results, and floating-point operations.
  double bytes = 0, flops = 0;
  /// The least time of any schedule of the kernel (the roofline).
  double rooflineSeconds = 0;
  /// What this schedule should take, with the bytes it moves through device
  /// memory and what bounds it: memory, instructions, cache or launch.
  double predictedSeconds = 0, movedBytes = 0;
  std::string bound;
};

/// The result of a session: all that an artifact directory holds.
struct Artifact {
  std::string payload, schedule;
  std::string agent, rationale;
  uint64_t seed = 0;
  Plan plan;
  KernelImage image;
  Verdict verdict;
  /// The least time of any schedule of the payload: its arguments read, its
  /// results written and its operations done once.
  double rooflineSeconds = 0;
  /// Its arguments read and its results written once, or one launch: what even
  /// another algorithm does not get below.
  double memoryFloorSeconds = 0;
  /// In launch order, one a launch.
  std::vector<KernelSummary> kernels;
};

/// Runs the steps. The payload is not changed. The error is a RejectionError
/// whose step is propose, accept, verify, apply, lower, emit or plan.
llvm::Expected<Artifact> runSession(mlir::ModuleOp payload, Agent &agent,
                                    const SessionOptions &options);

/// The steps after propose.
llvm::Expected<Artifact> compileProposal(mlir::ModuleOp payload,
                                         const Proposal &proposal,
                                         const SessionOptions &options);

/// What a search compares artifacts by.
Assessment assess(const Artifact &artifact);

/// The report of an artifact as indented JSON: hashes, verdict, resources,
/// prediction, and for each kernel what was decided and why.
std::string writeReport(const Artifact &artifact);

/// The same for a reader, as Markdown.
std::string writeSummary(const Artifact &artifact);

/// Writes payload.mlir, schedule.mlir, plan.json, kernels.ptx, kernels.cubin
/// (if there is one), report.json and summary.md into a directory that is whole
/// or absent. An earlier artifact there is replaced; anything else is an error.
llvm::Error writeArtifact(const Artifact &artifact, llvm::StringRef directory);

} // namespace egg

#endif // EGG_SESSION_SESSION_H
