//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The expert's hardware stage: numbers for a kernel, each with its options and
// the rule that chose it.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_EXPERT_HARDWARERULES_H
#define EGG_LIB_AGENT_EXPERT_HARDWARERULES_H

#include "KernelCutter.h"

namespace egg {

/// A number of the script: "threads" = 256 from [128, 256, 512].
struct Knob {
  std::string name;
  int64_t selected;
  std::vector<int64_t> options;
};

/// One op of the hardware stage: `transform.egg.<op> %k threads(%threads)`,
/// its knobs in the order of its operands.
struct HardwareDecision {
  std::string op;
  std::vector<Knob> knobs;
  /// Why these numbers.
  std::string reason;
};

/// The decisions of one kernel, by stage.
struct HardwarePlan {
  std::vector<HardwareDecision> mapping, tiling, memory;
};

/// The plan; the options of each knob are legal next to the other chosen
/// numbers.
HardwarePlan chooseHardware(const CutKernel &kernel);

/// Whether a product of m x n elements has too few rows or columns for tiles: a
/// thread, or a few, an element then.
bool isSkinny(int64_t m, int64_t n);

} // namespace egg

#endif // EGG_LIB_AGENT_EXPERT_HARDWARERULES_H
