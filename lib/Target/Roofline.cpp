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
  RooflineEstimate result;
  result.memorySeconds = work.bytes / target.copyBytesPerSecond;
  result.computeSeconds = work.flops / target.flopsPerSecond(work.arithmetic);
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
