//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether a launch keeps the limits of the machine and of its kernel.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_EMULATOR_FITLAUNCH_H
#define EGG_LIB_EMULATOR_FITLAUNCH_H

#include "Convert/KernelToHost.h"

namespace egg::simt {

/// Blocks of a cluster on the largest chip.
inline constexpr int64_t kMaxCluster = 16;

/// Fills in the cluster and the bytes of shared memory; an Error (a Rejection)
/// names the limit that the launch exceeds.
llvm::Error fitLaunch(const HostKernel &kernel, LaunchSpec &spec);

} // namespace egg::simt

#endif // EGG_LIB_EMULATOR_FITLAUNCH_H
