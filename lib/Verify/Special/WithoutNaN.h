//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The same special inputs with no NaN among them. Where NaN may reach more
// elements than in the payload, these show what it would hide there.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SPECIAL_WITHOUTNAN_H
#define EGG_LIB_VERIFY_SPECIAL_WITHOUTNAN_H

#include "egg/Host/HostTensor.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace egg {

bool holdsNaN(llvm::ArrayRef<HostTensor> inputs);
bool holdsInfinities(llvm::ArrayRef<HostTensor> inputs);

/// Puts the elements of `ordinary` in place of infinities.
std::vector<HostTensor> replaceInfinities(llvm::ArrayRef<HostTensor> inputs,
                                          llvm::ArrayRef<HostTensor> ordinary);

/// Puts a number in place of each NaN: by turns the element that `ordinary`,
/// inputs of the same shapes, has there, and a zero of either sign or one of
/// the `thresholds` that the payload compares with or its neighbour.
std::vector<HostTensor> replaceNaN(llvm::ArrayRef<HostTensor> inputs,
                                   llvm::ArrayRef<HostTensor> ordinary,
                                   llvm::ArrayRef<double> thresholds);

} // namespace egg

#endif // EGG_LIB_VERIFY_SPECIAL_WITHOUTNAN_H
