//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Residues in tensors, and what a difference of two of them suggests.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_EXACT_EXPLAINDIFFERENCE_H
#define EGG_LIB_VERIFY_EXACT_EXPLAINDIFFERENCE_H

#include "egg/Host/HostTensor.h"
#include "egg/Host/Residue.h"
#include "llvm/ADT/ArrayRef.h"

namespace egg {

/// Element `i` of a tensor of floats whose bits are residues.
Residue loadResidue(const HostTensor &tensor, int64_t i);
void storeResidue(HostTensor &tensor, int64_t i, Residue value);

/// What kind of mistake the wrong elements look like, in a sentence.
std::string explainDifference(const HostTensor &expected, const HostTensor &got,
                              llvm::ArrayRef<int64_t> wrong, int64_t worst);

} // namespace egg

#endif // EGG_LIB_VERIFY_EXACT_EXPLAINDIFFERENCE_H
