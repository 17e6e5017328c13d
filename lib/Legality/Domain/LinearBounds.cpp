//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bounds of a form by linear programming over its atoms.
//
//===----------------------------------------------------------------------===//
#include "egg/Legality/IndexDomain.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace egg::legality;
using llvm::DynamicAPInt;
using mlir::presburger::Fraction;
using mlir::presburger::MaybeOptimum;
using mlir::presburger::Simplex;

/// A program with more unknowns is not tried; none of the kernels has one.
static constexpr size_t kMaxUnknowns = 64;

namespace {

/// The atoms that matter for a form, with all that is known about them.
class Program {
public:
  Program(const IndexDomain &domain, llvm::ArrayRef<LinearForm> conditions)
      : domain(domain), conditions(conditions) {}

  Interval bounds(const LinearForm &form);

private:
  bool add(AtomId id);
  bool addAll(const LinearForm &form) {
    bool added = false;
    for (auto [id, coefficient] : form.terms)
      added |= add(id);
    return added;
  }
  bool mentions(const LinearForm &form) const {
    return llvm::any_of(form.terms, [&](const LinearForm::Term &term) {
      return unknowns.count(term.first);
    });
  }
  void collect(const LinearForm &form);
  void require(Simplex &simplex, const LinearForm &nonNegative) const;
  void define(Simplex &simplex, AtomId id) const;
  llvm::SmallVector<DynamicAPInt> row(const LinearForm &form) const;

  const IndexDomain &domain;
  llvm::ArrayRef<LinearForm> conditions;
  llvm::DenseMap<AtomId, unsigned> unknowns;
  std::vector<AtomId> order;
  std::vector<const LinearForm *> used;
};

} // namespace

bool Program::add(AtomId id) {
  if (!unknowns.try_emplace(id, unknowns.size()).second)
    return false;
  order.push_back(id);
  return true;
}

void Program::collect(const LinearForm &form) {
  addAll(form);
  std::vector<bool> taken(conditions.size());
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < order.size() && order.size() <= kMaxUnknowns; ++i) {
      const Atom &atom = domain.atom(order[i]);
      changed |= addAll(atom.form);
      changed |= addAll(atom.other);
      if (atom.kind == Atom::Kind::Remainder)
        changed |= addAll(atom.quotient);
      for (const LinearForm &fact : atom.facts)
        changed |= addAll(fact);
    }
    for (auto [i, condition] : llvm::enumerate(conditions)) {
      if (taken[i] || !(mentions(condition) || condition.isConstant()))
        continue;
      taken[i] = true;
      used.push_back(&condition);
      changed |= addAll(condition);
    }
  }
}

llvm::SmallVector<DynamicAPInt> Program::row(const LinearForm &form) const {
  llvm::SmallVector<DynamicAPInt> coefficients(order.size() + 1);
  for (auto [id, coefficient] : form.terms)
    coefficients[unknowns.lookup(id)] = DynamicAPInt(coefficient);
  coefficients.back() = DynamicAPInt(form.constant);
  return coefficients;
}

void Program::require(Simplex &simplex, const LinearForm &nonNegative) const {
  // 4 a - 3 >= 0 is a - 1 >= 0 for integers.
  int64_t common = 0;
  for (auto [id, coefficient] : nonNegative.terms)
    common = std::gcd(common, coefficient);
  LinearForm tight = nonNegative;
  if (common > 1) {
    for (auto &[id, coefficient] : tight.terms)
      coefficient /= common;
    tight.constant = llvm::divideFloorSigned(tight.constant, common);
  }
  simplex.addInequality(row(tight));
}

void Program::define(Simplex &simplex, AtomId id) const {
  const Atom &atom = domain.atom(id);
  LinearForm self = LinearForm::ofAtom(id);
  auto atLeast = [&](const std::optional<LinearForm> &form) {
    if (form)
      require(simplex, *form);
  };
  if (atom.range.lo > -kInfinity)
    atLeast(self.plus(LinearForm(atom.range.lo), -1));
  if (atom.range.hi < kInfinity)
    atLeast(LinearForm(atom.range.hi).plus(self, -1));
  for (const LinearForm &fact : atom.facts)
    require(simplex, fact);
  if (atom.kind == Atom::Kind::Quotient) {
    // 0 <= form - divisor * quotient <= divisor - 1.
    if (auto rest = atom.form.plus(self, -atom.divisor)) {
      require(simplex, *rest);
      atLeast(LinearForm(atom.divisor - 1).plus(*rest, -1));
    }
  }
  if (atom.kind == Atom::Kind::Remainder) {
    // With the quotient: form = divisor * quotient + remainder.
    auto whole = atom.form.plus(atom.quotient, -atom.divisor);
    if (auto equal = whole ? whole->plus(self, -1) : std::nullopt) {
      require(simplex, *equal);
      atLeast(equal->times(-1));
    }
  }
}

Interval Program::bounds(const LinearForm &form) {
  collect(form);
  if (order.size() > kMaxUnknowns)
    return domain.interval(form);
  Simplex simplex(order.size());
  for (AtomId id : order)
    define(simplex, id);
  for (const LinearForm *condition : used)
    require(simplex, *condition);
  if (simplex.isEmpty())
    return {0, -1};
  Interval result = domain.interval(form);
  auto optimum = [&](Simplex::Direction direction) {
    return simplex.computeOptimum(direction, row(form));
  };
  MaybeOptimum<Fraction> high = optimum(Simplex::Direction::Up);
  MaybeOptimum<Fraction> low = optimum(Simplex::Direction::Down);
  auto fits = [](const DynamicAPInt &number) {
    return number > -kInfinity && number < kInfinity;
  };
  if (high.isBounded() && fits(floor(*high)))
    result.hi = std::min(result.hi, int64_t(floor(*high)));
  if (low.isBounded() && fits(ceil(*low)))
    result.lo = std::max(result.lo, int64_t(ceil(*low)));
  return result;
}

Interval IndexDomain::bounds(const LinearForm &form,
                             llvm::ArrayRef<LinearForm> nonNegative) const {
  Interval result = Program(*this, nonNegative).bounds(form);
  Congruence rule = congruence(form);
  if (result.isEmpty() || rule.modulus < 2)
    return result;
  // To the next numbers that leave the right rest.
  auto rest = [&](int64_t number) {
    int64_t r = number % rule.modulus;
    return r < 0 ? r + rule.modulus : r;
  };
  if (result.hi < kInfinity)
    result.hi -= rest(result.hi - rule.remainder);
  if (result.lo > -kInfinity)
    result.lo += rest(rule.remainder - result.lo);
  return result;
}
