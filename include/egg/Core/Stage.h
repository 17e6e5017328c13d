//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Stage: the part of a schedule that is decided at one time. The algorithm
// stage is about the whole payload, the others about one kernel each.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_STAGE_H
#define EGG_CORE_STAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace egg {

enum class StageKind {
  Algorithm,
  ParallelMapping,
  TensorTiling,
  MemoryOptimization
};

/// "algorithm", "parallel_mapping", ...: the names of the sequences of a
/// schedule file.
llvm::StringRef stringifyStageKind(StageKind kind);
std::optional<StageKind> symbolizeStageKind(llvm::StringRef name);

struct Stage {
  StageKind kind = StageKind::Algorithm;
  /// The kernel that is decided about; empty for the algorithm.
  std::string kernel;
  bool operator==(const Stage &) const = default;

  /// "algorithm", "tensor_tiling of @softmax_rows".
  std::string str() const;
};

llvm::json::Value toJSONValue(const Stage &stage);
bool fromJSON(const llvm::json::Value &value, Stage &stage,
              llvm::json::Path path);

} // namespace egg

#endif // EGG_CORE_STAGE_H
