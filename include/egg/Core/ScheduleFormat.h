//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The names in a schedule file that writers and readers share.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_SCHEDULEFORMAT_H
#define EGG_CORE_SCHEDULEFORMAT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace egg {

/// Attributes of a schedule module: format version (i64), chip, and the hash of
/// the payload it is for.
inline constexpr llvm::StringLiteral kScheduleAttrName = "egg.schedule";
inline constexpr llvm::StringLiteral kTargetAttrName = "egg.target";
inline constexpr llvm::StringLiteral kPayloadAttrName = "egg.payload";
/// The version this EGG reads and writes.
inline constexpr int64_t kScheduleVersion = 1;

/// Names of the sequences.
/// Optional, runs before @algorithm; see transform.egg.substitute.
inline constexpr llvm::StringLiteral kSubstitutionName = "substitution";
inline constexpr llvm::StringLiteral kAlgorithmName = "algorithm";
inline constexpr llvm::StringLiteral kHardwareStages[] = {
    "parallel_mapping", "tensor_tiling", "memory_optimization"};

} // namespace egg

#endif // EGG_CORE_SCHEDULEFORMAT_H
