//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which elements of the inputs one element of a result is computed from.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_EXPLAINELEMENT_H
#define EGG_LIB_VERIFY_EXPLAINELEMENT_H

#include "egg/Verify/PayloadProgram.h"

namespace egg {

/// "x[3, 5] = 0.25, w[5] = -1 and others" for the element with that number of a
/// result: those inputs whose change changes it, found by halving the inputs
/// until single elements are left. `reference` is the payload in fp64; floats
/// only, as other integers would be other indices. Empty where nothing changes
/// it. At most kExplainRuns runs.
std::string explainElement(PayloadProgram &reference,
                           llvm::ArrayRef<HostTensor> inputs,
                           llvm::ArrayRef<TensorSpec> arguments, size_t result,
                           int64_t element);

inline constexpr int kExplainRuns = 96;

} // namespace egg

#endif // EGG_LIB_VERIFY_EXPLAINELEMENT_H
