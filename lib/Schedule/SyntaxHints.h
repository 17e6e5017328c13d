//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the ops of a schedule are written: upstream's parser says only which
// token it expected.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SCHEDULE_SYNTAXHINTS_H
#define EGG_LIB_SCHEDULE_SYNTAXHINTS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace egg {

/// What helps with an error of the parser's at a line and column (from 1) of
/// the text: the op that an unknown one may mean, that the file ends too early,
/// or an example of the op that the text holds last before the place. Empty if
/// that is none of a schedule's own ops.
std::string findSyntaxHint(llvm::StringRef text, llvm::StringRef error,
                           unsigned line, unsigned column);

} // namespace egg

#endif // EGG_LIB_SCHEDULE_SYNTAXHINTS_H
