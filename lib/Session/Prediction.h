//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The predicted time of a kernel, with the numbers its schedule chose. The
// roofline (Target/Roofline.h) bounds what any schedule can reach; this is what
// one schedule should reach.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SESSION_PREDICTION_H
#define EGG_LIB_SESSION_PREDICTION_H

#include "egg/Target/TargetInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <array>

namespace egg {

/// What one launch costs. The counts come from the materialized kernel: its
/// loops' trip counts, its accesses' widths, and the addresses of one warp.
struct Prediction {
  /// Bytes through device memory: each buffer once, and the part of what is
  /// read again that the L2 cache no longer has.
  double memoryBytes = 0;
  /// Instructions of all threads, weighted by what they cost.
  double instructions = 0;
  /// 128-byte lines and shared-memory rounds that warps ask their L1 for.
  double lines = 0;
  /// Blocks that a multiprocessor holds at once, by threads, shared memory and
  /// an estimate of the registers.
  int64_t residentBlocks = 1;

  double memorySeconds = 0, instructionSeconds = 0, lineSeconds = 0;
  /// The largest of the three, and the launch.
  double seconds = 0;
  /// "memory", "instructions", "cache" or "launch".
  llvm::StringRef bound = "launch";
};

/// Predicts a kernel of a materialized module; docs/Prediction.md has the
/// model and how far it is off.
Prediction predict(mlir::gpu::GPUFuncOp kernel,
                   const std::array<int64_t, 3> &grid,
                   const std::array<int64_t, 3> &block,
                   const TargetInfo &target);

} // namespace egg

#endif // EGG_LIB_SESSION_PREDICTION_H
