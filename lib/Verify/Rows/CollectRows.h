//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The elements that one reduction combines.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_ROWS_COLLECTROWS_H
#define EGG_LIB_VERIFY_ROWS_COLLECTROWS_H

#include "egg/Host/HostTensor.h"
#include "llvm/ADT/SmallBitVector.h"
#include <vector>

namespace egg {

/// The number of groups that collectRows makes.
int64_t countRows(llvm::ArrayRef<int64_t> shape,
                  const llvm::SmallBitVector &dims);

/// Groups of the elements that differ in the given dimensions only, each in its
/// order in memory.
std::vector<std::vector<int64_t>> collectRows(const HostTensor &tensor,
                                              const llvm::SmallBitVector &dims);

} // namespace egg

#endif // EGG_LIB_VERIFY_ROWS_COLLECTROWS_H
