//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What compiled programs may call of this process: they are untrusted, and the
// process's libc has `system` and `exit`.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_HOST_HOSTSYMBOLS_H
#define EGG_LIB_HOST_HOSTSYMBOLS_H

#include "llvm/ADT/StringRef.h"

namespace egg {

/// Functions of numbers (C's mathematics, the compiler's helpers for wide
/// integers) and those that move memory.
bool mayBeCalled(llvm::StringRef name);

} // namespace egg

#endif // EGG_LIB_HOST_HOSTSYMBOLS_H
