//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Attempt: a script that an agent proposed and what became of it. A refusal is
// a result like any other.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_ATTEMPT_H
#define EGG_CORE_ATTEMPT_H

#include "egg/Core/Rejection.h"
#include "egg/Core/Stage.h"
#include "egg/Core/Verdict.h"
#include <array>
#include <map>
#include <variant>

namespace egg {

/// What is known of one launch of an accepted script.
struct KernelAssessment {
  std::string name;
  /// map, rows, contraction or scan.
  std::string structure;
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  /// What this schedule should take, and the least that any could: see
  /// docs/Prediction.md.
  double predictedSeconds = 0, rooflineSeconds = 0;
  /// Bytes it moves through device memory, and what bounds it: memory,
  /// instructions, cache or launch.
  double movedBytes = 0;
  std::string bound;
  /// What ptxas says; absent where there is no ptxas.
  std::optional<int64_t> registers, sharedMemory, spilledBytes;
  /// Of one launch on a GPU, if it was timed by itself there.
  std::optional<double> measuredSeconds;
  /// Nsight Compute's counters by their names, where it ran.
  std::map<std::string, double> counters;
  bool operator==(const KernelAssessment &) const = default;

  /// The measured time if there is one, else the predicted one.
  double seconds() const { return measuredSeconds.value_or(predictedSeconds); }
};

/// What is known of an accepted script.
struct Assessment {
  Grade grade = Grade::Unverified;
  /// Sum over the launches, and the least of any schedule of the payload.
  double predictedSeconds = 0, rooflineSeconds = 0;
  /// The part of the roofline that holds for every algorithm: the payload's
  /// arguments read and its results written once, or one launch.
  double memoryFloorSeconds = 0;
  /// Median of a timing on a GPU, if there was one.
  std::optional<double> measuredSeconds;
  /// SHA-256 of the PTX.
  std::string ptxHash;
  std::vector<KernelAssessment> kernels;
  bool operator==(const Assessment &) const = default;

  /// The measured time if there is one, else the predicted one: what
  /// candidates are ranked by.
  double seconds() const { return measuredSeconds.value_or(predictedSeconds); }
};

using Outcome = std::variant<Assessment, Rejection>;

struct Attempt {
  /// Number in the session, from 0.
  int64_t id = 0;
  /// The attempt that it changes; none for a start.
  std::optional<int64_t> parent;
  Stage stage;
  /// Who proposed it: "expert", "llm: MODEL", ...
  std::string author;
  /// seed, optimise or repair; start for the script that a session begins with.
  std::string mode;
  /// The whole schedule file.
  std::string script;
  /// The author's words. Untrusted text.
  std::string rationale;
  /// How long a GPU was held to measure it.
  double gpuSeconds = 0;
  Outcome outcome;
  bool operator==(const Attempt &) const = default;

  bool accepted() const { return std::holds_alternative<Assessment>(outcome); }
  bool undecided() const { return !accepted() && rejection().undecided; }
  const Assessment &assessment() const { return std::get<Assessment>(outcome); }
  const Rejection &rejection() const { return std::get<Rejection>(outcome); }
};

/// JSON and back, each as part of a larger document.
llvm::json::Value toJSONValue(const KernelAssessment &kernel);
llvm::json::Value toJSONValue(const Assessment &assessment);
llvm::json::Value toJSONValue(const Attempt &attempt);
bool fromJSON(const llvm::json::Value &value, KernelAssessment &kernel,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Assessment &assessment,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Attempt &attempt,
              llvm::json::Path path);

} // namespace egg

#endif // EGG_CORE_ATTEMPT_H
