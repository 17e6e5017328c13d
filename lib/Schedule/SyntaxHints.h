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

/// The error with the value that it is about, where the text holds one at the
/// line and column (from 1) and the error does not name it; with control
/// characters escaped.
std::string explainSyntaxError(llvm::StringRef text, llvm::StringRef error,
                               unsigned line, unsigned column);

/// What helps with an error of the parser's at a line and column (from 1) of
/// the text: the op or the value that an unknown one may mean, that the file
/// ends too early, or an example of the op that the text holds last before the
/// place. Empty if that is none of a schedule's own ops.
std::string findSyntaxHint(llvm::StringRef text, llvm::StringRef error,
                           unsigned line, unsigned column);

} // namespace egg

#endif // EGG_LIB_SCHEDULE_SYNTAXHINTS_H
