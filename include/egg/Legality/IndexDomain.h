//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is known of integers that a kernel computes with: a value is a sum of
// atoms times constants; an atom is an id, a loop variable, a quotient or
// remainder by a constant, or unknown. Ranges come from intervals first and,
// where these are too wide, from a linear program over the atoms and their
// definitions (upstream's Simplex).
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LEGALITY_INDEXDOMAIN_H
#define EGG_LEGALITY_INDEXDOMAIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace egg::legality {

using AtomId = unsigned;

/// Bounds beyond this are as good as none.
inline constexpr int64_t kInfinity = int64_t(1) << 62;

/// The integers from lo to hi, both included; empty if lo > hi.
struct Interval {
  int64_t lo = -kInfinity, hi = kInfinity;
  bool isEmpty() const { return lo > hi; }
  bool isPoint() const { return lo == hi; }
  bool within(int64_t low, int64_t high) const {
    return isEmpty() || (lo >= low && hi <= high);
  }
  bool operator==(const Interval &) const = default;
};

/// The integers that are remainder modulo modulus; modulus 0 is the remainder
/// itself alone.
struct Congruence {
  int64_t modulus = 1, remainder = 0;
  /// Whether every such integer leaves the rest r when divided by m.
  bool implies(int64_t m, int64_t r) const {
    return modulus % m == 0 && ((remainder - r) % m) == 0;
  }
  /// Whether none of them does.
  bool excludes(int64_t m, int64_t r) const;
};

/// constant + the sum of coefficient * atom; terms are sorted by atom and have
/// no zero coefficients.
struct LinearForm {
  using Term = std::pair<AtomId, int64_t>;
  int64_t constant = 0;
  llvm::SmallVector<Term, 4> terms;

  LinearForm() = default;
  explicit LinearForm(int64_t constant) : constant(constant) {}
  static LinearForm ofAtom(AtomId atom) {
    LinearForm form;
    form.terms.push_back({atom, 1});
    return form;
  }
  bool isConstant() const { return terms.empty(); }
  int64_t coefficientOf(AtomId atom) const;
  /// this + factor * other; nothing if a number leaves 62 bits.
  std::optional<LinearForm> plus(const LinearForm &other,
                                 int64_t factor = 1) const;
  std::optional<LinearForm> times(int64_t factor) const;
  /// The same without the constant.
  LinearForm linearPart() const {
    LinearForm form = *this;
    form.constant = 0;
    return form;
  }
  bool operator==(const LinearForm &) const = default;
  bool operator<(const LinearForm &other) const;
};

struct Atom {
  enum class Kind {
    /// Given from outside: an id, a loop variable, something unknown.
    Free,
    /// form floordiv divisor.
    Quotient,
    /// form mod divisor, from 0 to divisor - 1.
    Remainder,
    /// The smaller of form and other.
    Minimum,
    /// The larger of form and other.
    Maximum
  };
  Kind kind = Kind::Free;
  Interval range;
  Congruence congruence;
  LinearForm form, other;
  int64_t divisor = 1;
  /// Of a remainder: form floordiv divisor, which goes with it.
  LinearForm quotient;
  /// Further forms that are never negative where the atom has a value.
  std::vector<LinearForm> facts;
};

class IndexDomain {
public:
  AtomId addAtom(Interval range, Congruence congruence = {});
  void addFact(AtomId atom, LinearForm nonNegative);
  const Atom &atom(AtomId id) const { return atoms[id]; }
  size_t size() const { return atoms.size(); }

  /// form floordiv divisor and form mod divisor (0 to divisor - 1), divisor
  /// positive. Digits of digits become digits of the original.
  LinearForm floorDiv(const LinearForm &form, int64_t divisor);
  LinearForm mod(const LinearForm &form, int64_t divisor);
  LinearForm minimum(const LinearForm &a, const LinearForm &b);
  LinearForm maximum(const LinearForm &a, const LinearForm &b);

  /// Bounds from the ranges of the atoms, each taken alone.
  Interval interval(const LinearForm &form) const;
  Congruence congruence(const LinearForm &form) const;
  /// Bounds where all of nonNegative are at least 0; empty if that is
  /// impossible. Sound, not always tight: a linear relaxation.
  Interval bounds(const LinearForm &form,
                  llvm::ArrayRef<LinearForm> nonNegative) const;

  /// The atoms of a form and of their definitions, in depth.
  void collectAtoms(const LinearForm &form,
                    llvm::SmallVectorImpl<AtomId> &found) const;
  /// The value of a form where free atoms have the values that valueOf gives.
  std::optional<int64_t>
  evaluate(const LinearForm &form,
           llvm::function_ref<std::optional<int64_t>(AtomId)> valueOf) const;

private:
  struct Split {
    LinearForm quotient, rest;
  };
  std::optional<Split> splitBy(const LinearForm &form, int64_t factor) const;
  AtomId digitAtom(Atom::Kind kind, const LinearForm &form, int64_t divisor);
  LinearForm digit(Atom::Kind kind, const LinearForm &form, int64_t divisor) {
    return LinearForm::ofAtom(digitAtom(kind, form, divisor));
  }
  LinearForm extremum(Atom::Kind kind, const LinearForm &a,
                      const LinearForm &b);

  std::vector<Atom> atoms;
  std::map<std::tuple<int, LinearForm, LinearForm, int64_t>, AtomId> known;
};

} // namespace egg::legality

#endif // EGG_LEGALITY_INDEXDOMAIN_H
