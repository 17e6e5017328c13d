//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/KernelNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace egg {

/// A name that is a plain symbol in MLIR and in PTX.
static bool isPlainIdentifier(llvm::StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  return !name.empty() && name.size() <= 64 && llvm::isAlpha(name.front()) &&
         llvm::all_of(name, isWord);
}

std::string explainKernelName(llvm::StringRef name) {
  if (!isPlainIdentifier(name))
    return "is no kernel name; use at most 64 letters, digits and underscores, "
           "starting with a letter";
  if (name == "main" || name == "algorithm" || name == "kernels")
    return "is taken by a part of every payload or schedule; give the kernel a "
           "name of its own";
  llvm::StringRef number = name;
  if (number.consume_front("constant_") && llvm::all_of(number, llvm::isDigit))
    return "is the name of a constant beside the kernels; say what the kernel "
           "does instead";
  // PTX's predefined identifier, the functions that PTX calls in the driver,
  // and those that compilers call on their own.
  if (llvm::is_contained({"WARP_SZ", "malloc", "free", "printf", "vprintf",
                          "memcpy", "memmove", "memset", "memcmp"},
                         name))
    return "is reserved in PTX or names a function that the compiler or the "
           "driver calls; say what the kernel does instead";
  return "";
}

} // namespace egg
