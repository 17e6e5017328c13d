//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the numbers of a KernelConfig may be, said in words.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TRANSFORMOPS_CONFIGCHECK_H
#define EGG_TRANSFORMOPS_CONFIGCHECK_H

#include "egg/Kernel/KernelConfig.h"
#include <string>

namespace egg {

/// Threads of a block under the config.
int64_t threadsInBlock(const KernelConfig &config);

/// Each returns why the part of the config that one op sets cannot be, or an
/// empty string. `elementBytes` is the size of the kernel's widest element.
std::string checkMapping(const KernelConfig &config);
std::string checkVectorWidth(const KernelConfig &config, int64_t elementBytes);
std::string checkContractionTiling(const KernelConfig &config,
                                   int64_t elementBytes);
std::string checkScanItems(const KernelConfig &config);
std::string checkSharedMemory(const KernelConfig &config, int64_t elementBytes);

} // namespace egg

#endif // EGG_TRANSFORMOPS_CONFIGCHECK_H
