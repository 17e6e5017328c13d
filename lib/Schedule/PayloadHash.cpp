//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Schedule/Schedule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;

namespace egg {

std::string printPayload(ModuleOp payload) {
  std::string text;
  llvm::raw_string_ostream os(text);
  payload.print(os);
  os << "\n";
  return text;
}

std::string hashPayload(ModuleOp payload) {
  llvm::SHA256 hash;
  hash.update(printPayload(payload));
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

} // namespace egg
