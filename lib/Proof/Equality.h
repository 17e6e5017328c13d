//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether a kernel's term is the payload's.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_PROOF_EQUALITY_H
#define EGG_PROOF_EQUALITY_H

#include "Assumptions.h"
#include "egg/Legality/KernelFacts.h"

namespace egg::proof {

/// Where two terms part, in words for users.
struct Difference {
  std::string reason;
  mlir::Location location;
};

/// Compares terms where a block of the kernel runs. Selections by conditions on
/// positions, such as those of a padding, are compared case by case.
class Equality {
public:
  Equality(legality::KernelFacts &facts, TermTable &table, mlir::Block *block)
      : table(table), assumptions(table, facts.conditionsAt(block)), cases(1) {}

  /// True only if the two have the same bits in every thread that runs the
  /// block.
  bool isSame(const Term *kernel, const Term *payload);
  /// The first difference where isSame is false.
  const std::optional<Difference> &difference() const { return first; }
  /// How many pairs of terms were the same: how close the two are.
  int64_t agreements() const { return agreed; }

private:
  using Pair = std::pair<const Term *, const Term *>;
  bool compare(const Term *kernel, const Term *payload);
  bool sameChoice(const Term *kernel, const Term *payload);
  std::optional<LinearForm> undecidedBy(const Term *term);
  bool isSameIf(const LinearForm &form, const Term *kernel,
                const Term *payload);
  bool isSameIfNot(const LinearForm &form, const Term *kernel,
                   const Term *payload);
  bool sameOperation(const Term *kernel, const Term *payload);
  bool samePosition(const Term *kernel, const Term *payload);
  bool differ(const Term *kernel, const Term *payload);

  TermTable &table;
  Assumptions assumptions;
  /// What was found equal under the assumptions of each case around this one.
  std::vector<std::set<Pair>> cases;
  std::optional<Difference> first;
  int64_t agreed = 0;
};

} // namespace egg::proof

#endif // EGG_PROOF_EQUALITY_H
