//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Target/Roofline.h"
#include <algorithm>

namespace egg {

llvm::StringRef stringifyBound(Bound bound) {
  switch (bound) {
  case Bound::Memory:
    return "memory";
  case Bound::Compute:
    return "compute";
  case Bound::Launch:
    return "launch";
  }
  llvm_unreachable("unknown bound");
}

RooflineEstimate estimate(const TargetInfo &target, const Work &work) {
  double capacity =
      double(target.multiprocessors) * target.maxThreadsPerMultiprocessor;
  double occupied =
      work.threads > 0 ? std::min(1.0, work.threads / capacity) : 1.0;
  RooflineEstimate result;
  result.memorySeconds =
      work.bytes / (target.copyBytesPerSecond * std::min(1.0, 4 * occupied));
  result.computeSeconds =
      work.flops / (target.flopsPerSecond(work.arithmetic) * occupied);
  result.launchSeconds = target.launchSeconds;
  result.seconds = result.launchSeconds;
  if (result.memorySeconds > result.seconds) {
    result.seconds = result.memorySeconds;
    result.bound = Bound::Memory;
  }
  if (result.computeSeconds > result.seconds) {
    result.seconds = result.computeSeconds;
    result.bound = Bound::Compute;
  }
  return result;
}

} // namespace egg
