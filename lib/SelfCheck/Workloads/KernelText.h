//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Given kernels as text: templates with names in place of numbers.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SELFCHECK_KERNELTEXT_H
#define EGG_LIB_SELFCHECK_KERNELTEXT_H

#include "PayloadText.h"
#include "egg/SelfCheck/Workloads.h"
#include "llvm/ADT/StringMap.h"

namespace egg::selfcheck {

/// What a template's names stand for.
using Numbers = llvm::StringMap<int64_t>;

/// The text with each $name replaced by its number.
std::string fillTemplate(llvm::StringRef text, const Numbers &numbers);

/// C = A B, summed in f32; inputs of another dtype are widened.
std::string productPayload(PayloadText &text, int64_t m, int64_t n, int64_t k,
                           llvm::StringRef dtype);

// The classes, each in a file of its own.
GivenKernel generateCopyGroups(uint64_t seed);
GivenKernel generateTensorCopies(uint64_t seed);
GivenKernel generateWarpSpecialized(uint64_t seed);

} // namespace egg::selfcheck

#endif // EGG_LIB_SELFCHECK_KERNELTEXT_H
