//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The comments of a script, by kernel: the reasons of whoever wrote it.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SESSION_SCRIPTREASONS_H
#define EGG_LIB_SESSION_SCRIPTREASONS_H

#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace egg {

/// For each kernel the comments before its form_kernel and inside its module,
/// in order; consecutive comment lines make one text.
llvm::StringMap<std::vector<std::string>> readReasons(llvm::StringRef script);

} // namespace egg

#endif // EGG_LIB_SESSION_SCRIPTREASONS_H
