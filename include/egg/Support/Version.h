//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which EGG this is.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SUPPORT_VERSION_H
#define EGG_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace egg {

/// The version, "0.1.0".
llvm::StringRef getVersion();

/// The commit it was built from, 40 hexadecimal digits, or "unknown" outside a
/// checkout. Changes that were not committed do not show.
llvm::StringRef getRevision();

/// The version of LLVM and MLIR it was built with.
llvm::StringRef getLLVMVersion();

} // namespace egg

#endif // EGG_SUPPORT_VERSION_H
