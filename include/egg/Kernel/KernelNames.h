//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which names a kernel can have: they are symbols of MLIR and of PTX.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_KERNELNAMES_H
#define EGG_KERNEL_KERNELNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace egg {

/// What is wrong with the name and which to give instead, as the end of a
/// sentence that begins with the name; empty if a kernel can have it.
std::string explainKernelName(llvm::StringRef name);

} // namespace egg

#endif // EGG_KERNEL_KERNELNAMES_H
