//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Conditions on positions, and what is assumed of them.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_PROOF_ASSUMPTIONS_H
#define EGG_PROOF_ASSUMPTIONS_H

#include "Terms/Term.h"

namespace egg::proof {

/// Whether the condition compares positions, so that it can be assumed.
bool isOnPositions(const Term *condition);

class Assumptions {
public:
  Assumptions(TermTable &table, llvm::ArrayRef<LinearForm> nonNegative)
      : table(table), forms(nonNegative) {}

  /// Bounds where all that is assumed holds; empty where nothing can.
  Interval bounds(const LinearForm &form);
  bool isZero(const LinearForm &form) { return bounds(form).within(0, 0); }
  /// Whether the condition surely has that truth wherever all that is assumed
  /// holds.
  bool surely(const Term *condition, bool truth);
  /// A form on whose sign the condition depends, which is not known.
  std::optional<LinearForm> undecided(const Term *condition);
  void assume(const LinearForm &nonNegative) { forms.push_back(nonNegative); }
  size_t size() const { return forms.size(); }
  void shrinkTo(size_t size) { forms.truncate(size); }

private:
  /// Adds forms that are not negative where the condition has that truth;
  /// returns whether it has wherever they are not.
  bool addMeaning(const Term *condition, bool truth,
                  llvm::SmallVectorImpl<LinearForm> &meaning);
  bool addComparison(const Term *compare, bool truth,
                     llvm::SmallVectorImpl<LinearForm> &meaning);

  TermTable &table;
  llvm::SmallVector<LinearForm> forms;
};

} // namespace egg::proof

#endif // EGG_PROOF_ASSUMPTIONS_H
