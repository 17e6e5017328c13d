//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/Hash.h"
#include "egg/Support/Files.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

namespace egg {

std::string sha256(llvm::StringRef bytes) {
  llvm::SHA256 hasher;
  hasher.update(bytes);
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

llvm::Expected<std::string> sha256OfFile(llvm::StringRef path) {
  llvm::Expected<std::string> content = readFile(path);
  if (!content)
    return content.takeError();
  return sha256(*content);
}

} // namespace egg
