//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// SHA-256, the hash that names payloads, scripts and products.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SUPPORT_HASH_H
#define EGG_SUPPORT_HASH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace egg {

/// SHA-256 of the bytes as 64 lower-case hexadecimal digits.
std::string sha256(llvm::StringRef bytes);

/// SHA-256 of a file's content; fails when the file cannot be read.
llvm::Expected<std::string> sha256OfFile(llvm::StringRef path);

} // namespace egg

#endif // EGG_SUPPORT_HASH_H
