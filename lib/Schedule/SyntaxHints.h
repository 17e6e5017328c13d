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

namespace egg {

/// An example of the op that the text holds last before a line and column
/// (from 1); empty if that is none of a schedule's own ops.
llvm::StringRef findSyntaxHint(llvm::StringRef text, unsigned line,
                               unsigned column);

} // namespace egg

#endif // EGG_LIB_SCHEDULE_SYNTAXHINTS_H
