//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inputs at which a payload's comparisons with constants turn.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SPECIAL_THRESHOLDS_H
#define EGG_LIB_VERIFY_SPECIAL_THRESHOLDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace egg {

/// Each threshold, its neighbours in a float dtype and a value well beyond it
/// on either side: finite numbers of the dtype, each once. Denormals only where
/// asked for, and of f32 and f64 alone: sums of them in half precision are
/// beyond the rule of Compare.h.
std::vector<double> getThresholdValues(llvm::ArrayRef<double> thresholds,
                                       llvm::StringRef dtype, bool denormals);

} // namespace egg

#endif // EGG_LIB_VERIFY_SPECIAL_THRESHOLDS_H
