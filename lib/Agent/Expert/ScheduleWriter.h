//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes a schedule file as text, with the reasons as comments: the script is
// for people too, and comments would not survive in IR.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_EXPERT_SCHEDULEWRITER_H
#define EGG_LIB_AGENT_EXPERT_SCHEDULEWRITER_H

#include "HardwareRules.h"
#include "KernelCutter.h"

namespace egg {

struct ScheduleText {
  std::string chip, payloadHash;
  std::vector<CutKernel> kernels;
  /// One a kernel.
  std::vector<HardwarePlan> plans;
};

std::string writeSchedule(const ScheduleText &schedule);

/// The module of one kernel, as it stands in a schedule.
std::string writeKernelModule(llvm::StringRef name, const HardwarePlan &plan);

} // namespace egg

#endif // EGG_LIB_AGENT_EXPERT_SCHEDULEWRITER_H
