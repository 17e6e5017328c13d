//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// HandOver: what one stage tells the next ones, in place of its transcript.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_HANDOVER_H
#define EGG_CORE_HANDOVER_H

#include "egg/Core/Stage.h"
#include "llvm/Support/JSON.h"
#include <vector>

namespace egg {

struct HandOver {
  Stage stage;
  /// What was decided, a sentence each ("one kernel: matmul_0, add_1").
  std::vector<std::string> decisions;
  /// What later stages must keep.
  std::vector<std::string> invariants;
  /// What still bounds the time.
  std::vector<std::string> bottlenecks;
  /// Figures: times before and after in seconds, number of attempts.
  double secondsBefore = 0, secondsAfter = 0;
  int64_t attempts = 0, accepted = 0;
  bool operator==(const HandOver &) const = default;
};

llvm::json::Value toJSONValue(const HandOver &handOver);
bool fromJSON(const llvm::json::Value &value, HandOver &handOver,
              llvm::json::Path path);

} // namespace egg

#endif // EGG_CORE_HANDOVER_H
