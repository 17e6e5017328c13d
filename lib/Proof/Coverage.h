//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether a kernel's stores reach every element of a result.
//
// For an element e the thread that stores it is guessed: e's digits in the
// mixed radix of the store's index, whose digits are ids, loop variables and
// lanes. The guess proves itself: put into the index it must give e again, each
// digit must lie in its range, and every condition on the way must be true.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_PROOF_COVERAGE_H
#define EGG_PROOF_COVERAGE_H

#include "Terms/KernelTerms.h"

namespace egg::proof {

/// Why not all of the elements from 0 on are stored by one of the stores;
/// nothing if they are.
std::optional<Obstacle> findUncovered(legality::KernelFacts &facts,
                                      TermTable &table, KernelTerms &kernel,
                                      llvm::ArrayRef<const Store *> stores,
                                      int64_t elements);

} // namespace egg::proof

#endif // EGG_PROOF_COVERAGE_H
