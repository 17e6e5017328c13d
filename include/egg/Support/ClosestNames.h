//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a misspelt name may mean.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SUPPORT_CLOSESTNAMES_H
#define EGG_SUPPORT_CLOSESTNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace egg {

/// Names in `known` that a typing error may have turned into `name`, closest
/// first, at most three.
llvm::SmallVector<llvm::StringRef>
closestNames(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known);

} // namespace egg

#endif // EGG_SUPPORT_CLOSESTNAMES_H
