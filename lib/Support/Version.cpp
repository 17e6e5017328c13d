//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/Version.h"
#include "EGGRevision.inc"
#include "llvm/Config/llvm-config.h"

#ifndef EGG_REVISION
#define EGG_REVISION "unknown"
#endif

namespace egg {

llvm::StringRef getVersion() { return EGG_VERSION; }
llvm::StringRef getRevision() { return EGG_REVISION; }
llvm::StringRef getLLVMVersion() { return LLVM_VERSION_STRING; }

} // namespace egg
