//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// DimSystem: extents of tensors as unknowns with constraints, and a search for
// small values that satisfy them. The original extents always do.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SHRINK_DIMSYSTEM_H
#define EGG_LIB_VERIFY_SHRINK_DIMSYSTEM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace egg {

class DimSystem {
public:
  using Var = int;
  /// Coefficient and unknown.
  using Term = std::pair<int64_t, Var>;
  /// What an unknown is to the program. Roles of united unknowns: the last one
  /// listed wins.
  enum class Role {
    Other,
    /// Something is reduced (over further dimensions perhaps) or scanned along
    /// it.
    Reduction,
    /// The extent of a sliding window: decided before what it slides over.
    Window
  };
  /// Appends values to try for an unknown, best first, given its original
  /// value, the least that its bounds allow, and the values chosen so far.
  using Candidates = llvm::function_ref<void(
      int64_t original, Role role, int64_t least,
      llvm::ArrayRef<int64_t> chosen, llvm::SmallVectorImpl<int64_t> &values)>;

  Var addVariable(int64_t original);
  int64_t getOriginal(Var var) const { return originals[var]; }
  unsigned size() const { return originals.size(); }

  /// Which of the unknowns that were united stands for all of them.
  Var find(Var var) const;
  /// The two are the same unknown; their original values must agree.
  void unite(Var a, Var b);
  /// The unknown keeps its original value.
  void fix(Var var);
  void mark(Var var, Role role);
  /// The unknown is at least `minimum`, which its original value is.
  void bound(Var var, int64_t minimum);
  /// The sum of the terms keeps the value it has for the original extents.
  void keepSum(llvm::ArrayRef<Term> terms);
  /// The sum of the terms is at least `minimum`, as it is originally.
  void boundSum(llvm::ArrayRef<Term> terms, int64_t minimum);
  /// `product` is the product of the factors.
  void multiply(Var product, llvm::ArrayRef<Var> factors);

  /// Values for all unknowns. Unknowns that constraints connect are searched
  /// together; a group without a solution within the search limit keeps its
  /// original values, and so do groups whose factors are fixed.
  std::vector<int64_t> solve(Candidates candidates) const;

private:
  struct Constraint {
    enum class Kind { Sum, SumAtLeast, Product };
    Kind kind;
    /// Sum: terms and their value or minimum. Product: the first term is the
    /// product, the others the factors; coefficients are 1.
    llvm::SmallVector<Term, 4> terms;
    int64_t value = 0;
  };
  class Search;

  int64_t evaluate(llvm::ArrayRef<Term> terms) const;

  std::vector<int64_t> originals, minimums;
  mutable std::vector<Var> parents;
  std::vector<char> fixed;
  std::vector<Role> roles;
  std::vector<Constraint> constraints;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_SHRINK_DIMSYSTEM_H
