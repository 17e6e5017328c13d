//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// TargetInfo: what EGG knows of a GPU. Facts are data (lib/Target/targets.json,
// embedded at build time); code asks the table and never the chip's name.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TARGET_TARGETINFO_H
#define EGG_TARGET_TARGETINFO_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace egg {

/// The arithmetic a computation uses, which decides its peak.
enum class Arithmetic {
  /// Ordinary instructions.
  F64,
  F32,
  /// Tensor cores.
  TF32,
  F16,
  BF16
};

struct TargetInfo {
  /// Chip as LLVM and ptxas name it: "sm_90a".
  std::string chip;
  /// A product with that chip, which the figures below are for.
  std::string product;
  /// LLVM feature string that fixes the PTX version: "+ptx80".
  std::string ptxFeatures;

  // Limits, by architecture.
  int64_t multiprocessors = 0;
  int64_t warpSize = 0;
  int64_t maxThreadsPerBlock = 0;
  int64_t maxThreadsPerMultiprocessor = 0;
  int64_t maxBlocksPerMultiprocessor = 0;
  /// 32-bit registers.
  int64_t registersPerMultiprocessor = 0;
  int64_t maxRegistersPerThread = 0;
  /// Bytes of shared memory: static in a block, dynamic in a block that asks
  /// for it, and in total.
  int64_t staticSharedMemoryPerBlock = 0;
  int64_t sharedMemoryPerBlock = 0;
  int64_t sharedMemoryPerMultiprocessor = 0;
  int64_t l2Bytes = 0;

  // Peaks that a good kernel reaches.
  /// Bytes a second of a large copy, read plus written.
  double copyBytesPerSecond = 0;
  /// Floating-point operations a second (an fma is two).
  double f64FlopsPerSecond = 0;
  double f32FlopsPerSecond = 0;
  /// 0 where the chip has no such tensor cores.
  double tf32FlopsPerSecond = 0;
  double f16FlopsPerSecond = 0;
  double bf16FlopsPerSecond = 0;
  /// Seconds that one launch costs at least inside a CUDA graph.
  double launchSeconds = 0;
  /// Whether the peaks were measured by us; else they are the vendor's.
  bool measured = false;

  /// Peak of the arithmetic; that of F32 where the chip lacks the tensor cores.
  double flopsPerSecond(Arithmetic arithmetic) const;
};

/// Every known target, in the order of the table.
llvm::ArrayRef<TargetInfo> allTargets();

/// The target of that chip; the error lists the chips that exist. LLVM ends
/// the process on an unknown chip, so ask here before handing it one.
llvm::Expected<TargetInfo> lookupTarget(llvm::StringRef chip);

/// Parses and checks a table in the form of targets.json; the error names the
/// offending path in the document.
llvm::Expected<std::vector<TargetInfo>> parseTargets(llvm::StringRef json);

} // namespace egg

#endif // EGG_TARGET_TARGETINFO_H
