//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Trying a group of ops as one kernel without forming it.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_EXPERT_TRIAL_H
#define EGG_LIB_AGENT_EXPERT_TRIAL_H

#include "egg/Kernel/KernelConfig.h"
#include "llvm/ADT/SetVector.h"

namespace egg {

/// Ops that would be one kernel.
struct Group {
  llvm::SetVector<mlir::Operation *> ops, recompute;
  bool contains(mlir::Operation *op) const {
    return ops.contains(op) || recompute.contains(op);
  }
};

/// What the analysis says of a group.
struct Trial {
  bool legal = false;
  /// Why not, if it is not.
  std::string reason;
  bool isContraction = false, isRows = false, isScan = false, isMap = false;
  int64_t rows = 1;
  /// Most columns of a reduction.
  int64_t columns = 1;
  /// Most elements a row of a result.
  int64_t resultColumns = 1;
  /// Contraction: extents.
  int64_t batch = 1, m = 1, n = 1, k = 1;
};

Trial tryGroup(mlir::func::FuncOp main, const Group &group);

/// Forms the kernel. The group must be legal.
mlir::func::FuncOp formGroup(mlir::func::FuncOp main, const Group &group,
                             llvm::StringRef name);

} // namespace egg

#endif // EGG_LIB_AGENT_EXPERT_TRIAL_H
