//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What can be said of a script's times without asking anybody: which kernels
// have most to gain, how far a stage is from its roofline, and what it hands
// over to the next.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SESSION_SEARCH_STAGESUMMARY_H
#define EGG_LIB_SESSION_SEARCH_STAGESUMMARY_H

#include "egg/Core/Attempt.h"
#include "egg/Core/HandOver.h"
#include "llvm/ADT/ArrayRef.h"

namespace egg {

/// Names of the kernels, those first whose predicted time is furthest above
/// their roofline; each name once.
std::vector<std::string> rankKernels(const Assessment &assessment);

/// The time of what the stage decides about, over its roofline's; of an
/// algorithm over the memory floor, since another one may do less arithmetic.
/// What was measured counts, of a kernel that was not timed by itself its
/// predicted part of the whole's.
double distanceToRoofline(const Assessment &assessment, const Stage &stage);

/// The structure of the kernel that the stage is about; empty if there is none.
std::string structureOf(const Assessment &assessment, const Stage &stage);

/// `before` is the attempt that the stage began with, `best` the one that it
/// ends with, `attempts` those that it made.
HandOver summarizeStage(const Stage &stage, const Attempt &before,
                        const Attempt &best,
                        llvm::ArrayRef<const Attempt *> attempts);

} // namespace egg

#endif // EGG_LIB_SESSION_SEARCH_STAGESUMMARY_H
