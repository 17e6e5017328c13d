//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Facts that a prompt states: the words of a stage, the target, what is known
// of an accepted script, counters.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_PROMPT_FACTS_H
#define EGG_LIB_AGENT_PROMPT_FACTS_H

#include "egg/Core/Attempt.h"
#include "egg/Target/Roofline.h"

namespace egg {

/// The ops that the stage's sequences accept: a line each, the numbers they
/// allow, and how they are written.
std::string describeVocabulary(StageKind stage);

std::string describeTarget(const TargetInfo &target);

/// Where work stands on the roofline: least time, and what bounds it.
std::string describeRoofline(const TargetInfo &target, const Work &work,
                             StageKind stage);

/// Predicted or measured times and resources by kernel; of `kernel` alone if
/// not empty, with the sum of the others.
std::string describeAssessment(const Assessment &assessment,
                               llvm::StringRef kernel);

/// The counters of the stage that a kernel has; empty without any.
std::string describeCounters(const Assessment &assessment, const Stage &stage);

} // namespace egg

#endif // EGG_LIB_AGENT_PROMPT_FACTS_H
