//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random hardware decisions for one kernel.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_FUZZ_RANDOMMAPPING_H
#define EGG_LIB_FUZZ_RANDOMMAPPING_H

#include "../Choices.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace egg::fuzz {

/// One transform op of a hardware stage with its numbers.
struct HardwareChoice {
  std::string op;
  llvm::SmallVector<std::pair<std::string, int64_t>> numbers;
};

/// What the three stages of a kernel decide.
struct KernelMapping {
  llvm::SmallVector<HardwareChoice, 1> mapping, tiling, memory;

  /// The three sequences as text; numbers are resolved knobs.
  std::string write() const;
};

/// A structure that the kernel supports and numbers that it allows; failure
/// where it has no structure.
mlir::FailureOr<KernelMapping> pickMapping(mlir::func::FuncOp kernel,
                                           const KernelAnalysis &analysis,
                                           Choices &choices);

} // namespace egg::fuzz

#endif // EGG_LIB_FUZZ_RANDOMMAPPING_H
