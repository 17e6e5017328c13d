//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Linking kernels, as LLVM IR, with libdevice, and what must not be left in
// them.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_LOWERING_DEVICELIBRARY_H
#define EGG_LIB_LOWERING_DEVICELIBRARY_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace egg {

/// Whether a function of libdevice is called.
bool needsLibdevice(const llvm::Module &module);

/// Links in the functions of libdevice that are called, and asks for its
/// precise variants.
llvm::Error linkLibdevice(llvm::Module &module, llvm::StringRef bitcode,
                          llvm::StringRef path);

/// Fails if a function without a body is called (malloc, printf, a library
/// function), or an LLVM intrinsic that the NVPTX backend can only turn into
/// such a call.
llvm::Error checkSelfContained(const llvm::Module &module);

} // namespace egg

#endif // EGG_LIB_LOWERING_DEVICELIBRARY_H
