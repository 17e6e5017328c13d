//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The roofline model: the time below which no kernel can do a given amount of
// work on a given target.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TARGET_ROOFLINE_H
#define EGG_TARGET_ROOFLINE_H

#include "egg/Target/TargetInfo.h"

namespace egg {

/// What a kernel must do at least.
struct Work {
  /// Bytes read plus bytes written in device memory, each counted once.
  double bytes = 0;
  /// Floating-point operations (an fma is two), and what they run on.
  double flops = 0;
  Arithmetic arithmetic = Arithmetic::F32;
};

/// What bounds a kernel.
enum class Bound { Memory, Compute, Launch };
llvm::StringRef stringifyBound(Bound bound);

struct RooflineEstimate {
  /// The largest of the three below.
  double seconds = 0;
  double memorySeconds = 0, computeSeconds = 0, launchSeconds = 0;
  Bound bound = Bound::Launch;
};

/// The least time of one kernel, whatever its schedule.
RooflineEstimate estimate(const TargetInfo &target, const Work &work);

} // namespace egg

#endif // EGG_TARGET_ROOFLINE_H
