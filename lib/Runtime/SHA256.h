//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// SHA-256 (FIPS 180-4), since the runtime library has no LLVM.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_RUNTIME_SHA256_H
#define EGG_LIB_RUNTIME_SHA256_H

#include <string>
#include <string_view>

namespace egg::runtime {

/// In lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

} // namespace egg::runtime

#endif // EGG_LIB_RUNTIME_SHA256_H
