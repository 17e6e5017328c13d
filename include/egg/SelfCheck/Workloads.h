//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Workloads: payloads of the classes that the self-check mutates, and kernels
// where they are given. Written out as text, with extents drawn from a seed.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SELFCHECK_WORKLOADS_H
#define EGG_SELFCHECK_WORKLOADS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace egg {

struct WorkloadClass {
  llvm::StringLiteral name;
  /// The payload's text, as egg-import-torch leaves payloads but for egg.name.
  std::string (*generate)(uint64_t seed);
};

llvm::ArrayRef<WorkloadClass> getWorkloadClasses();

/// A payload with a kernel for it, in the scf, arith, LLVM and NVVM dialects
/// and with its launch (attribute egg.emulate, see pass egg-emulate-kernel).
struct GivenKernel {
  std::string payload, kernel;
};

/// A class whose kernels are given, since no schedule makes their like:
/// asynchronous copies in groups, tensor copies with mbarriers, products of
/// warpgroups.
struct KernelClass {
  llvm::StringLiteral name;
  GivenKernel (*generate)(uint64_t seed);
};

llvm::ArrayRef<KernelClass> getKernelClasses();

} // namespace egg

#endif // EGG_SELFCHECK_WORKLOADS_H
