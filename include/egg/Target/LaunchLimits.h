//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What every chip since sm_30 takes alike (CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability"); what differs between
// chips is in TargetInfo. No LLVM here: the runtime includes it.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TARGET_LAUNCHLIMITS_H
#define EGG_TARGET_LAUNCHLIMITS_H

#include <array>
#include <cstdint>

namespace egg {

/// Blocks of a grid and threads of a block, along x, y and z.
inline constexpr std::array<int64_t, 3> kMaxGrid = {2147483647, 65535, 65535};
inline constexpr std::array<int64_t, 3> kMaxBlock = {1024, 1024, 64};
/// Threads of a block in all.
inline constexpr int64_t kMaxThreads = 1024;
/// Bytes of the constants that a module declares.
inline constexpr int64_t kMaxConstantBytes = 64 * 1024;

} // namespace egg

#endif // EGG_TARGET_LAUNCHLIMITS_H
