//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SamePlace.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace egg::legality;

/// Steps of a search for differences.
static constexpr int kMostSteps = 2000;

/// Bounds of the terms from a level on, with the lanes of a vector.
Interval SamePlace::spanOf(const Equation &equation, bool isLeft,
                           size_t level) {
  const auto &terms = isLeft ? equation.left : equation.right;
  LinearForm lower;
  lower.terms.append(terms.begin() + level, terms.end());
  llvm::sort(lower.terms);
  Interval span = facts.boundsAt(lower, isLeft ? a.block : b.block);
  if (span.hi < kInfinity)
    span.hi += (isLeft ? equation.leftWidth : equation.rightWidth) - 1;
  return span;
}

/// Notes which differences of the terms from a level on add up to rest.
void SamePlace::search(const Equation &equation, size_t level, int64_t rest) {
  if (isOpen)
    return;
  if (++steps > kMostSteps) {
    isOpen = true;
    return;
  }
  Interval x = spanOf(equation, true, level),
           y = spanOf(equation, false, level);
  if (x.isEmpty() || y.isEmpty() || rest < x.lo - y.hi || rest > x.hi - y.lo)
    return;
  if (level == equation.left.size()) {
    isOpen = solution.has_value();
    solution = tried;
    return;
  }
  x = spanOf(equation, true, level + 1);
  y = spanOf(equation, false, level + 1);
  int64_t low = x.lo - y.hi, high = x.hi - y.lo;
  if (low <= -kInfinity / 2 || high >= kInfinity / 2) {
    isOpen = true;
    return;
  }
  auto [left, coefficient] = equation.left[level];
  int64_t c = std::abs(coefficient);
  int64_t from = llvm::divideCeilSigned(rest - high, c),
          to = llvm::divideFloorSigned(rest - low, c);
  if (to - from > kMostSteps) {
    isOpen = true;
    return;
  }
  for (int64_t d = from; d <= to; ++d) {
    tried.push_back(coefficient < 0 ? -d : d);
    search(equation, level + 1, rest - d * c);
    tried.pop_back();
  }
}

/// What follows if the left form of the first thread has the value of the
/// right form of the second.
void SamePlace::equate(const LinearForm &left, const LinearForm &right,
                       int64_t leftWidth, int64_t rightWidth) {
  Equation equation = {{left.terms.begin(), left.terms.end()},
                       {right.terms.begin(), right.terms.end()},
                       leftWidth,
                       rightWidth};
  int64_t rest = right.constant - left.constant - cancel(equation);
  if (equation.left.size() != equation.right.size())
    return;
  for (auto *terms : {&equation.left, &equation.right})
    llvm::sort(*terms, [](auto &x, auto &y) {
      return std::make_tuple(-std::abs(x.second), x.second, x.first) <
             std::make_tuple(-std::abs(y.second), y.second, y.first);
    });
  for (auto [x, y] : llvm::zip_equal(equation.left, equation.right))
    if (x.second != y.second)
      return;
  steps = 0;
  isOpen = false;
  tried.clear();
  solution.reset();
  search(equation, 0, rest);
  if (isOpen)
    return;
  if (!solution) {
    impossible = true;
    return;
  }
  for (auto [x, y, difference] :
       llvm::zip_equal(equation.left, equation.right, *solution))
    add(x.first, y.first, difference);
}

int64_t SamePlace::cancel(Equation &equation) const {
  int64_t sum = 0;
  llvm::erase_if(equation.left, [&](const LinearForm::Term &term) {
    for (auto *other = equation.right.begin(); other != equation.right.end();
         ++other) {
      if (other->second != term.second)
        continue;
      if (auto by = difference(term.first, other->first)) {
        sum += term.second * *by;
        equation.right.erase(other);
        return true;
      }
    }
    return false;
  });
  return sum;
}

std::optional<int64_t> SamePlace::difference(AtomId left, AtomId right) const {
  auto it = differences.find({left, right});
  return it == differences.end() ? std::nullopt : std::optional(it->second);
}

std::optional<int64_t> SamePlace::difference(const LinearForm &left,
                                             const LinearForm &right) const {
  Equation equation = {{left.terms.begin(), left.terms.end()},
                       {right.terms.begin(), right.terms.end()}};
  int64_t sum = left.constant - right.constant + cancel(equation);
  return equation.left.empty() && equation.right.empty() ? std::optional(sum)
                                                         : std::nullopt;
}

void SamePlace::add(AtomId left, AtomId right, int64_t difference) {
  auto [it, isNew] = differences.try_emplace({left, right}, difference);
  changed |= isNew;
  impossible |= it->second != difference;
}

/// Which side a minimum or maximum is where the block runs.
std::optional<LinearForm> SamePlace::resolve(const Atom &atom, Block *block) {
  auto difference = atom.form.plus(atom.other, -1);
  if (!difference)
    return std::nullopt;
  Interval range = facts.boundsAt(*difference, block);
  bool isMinimum = atom.kind == Atom::Kind::Minimum;
  if (range.hi <= 0)
    return isMinimum ? atom.form : atom.other;
  if (range.lo >= 0)
    return isMinimum ? atom.other : atom.form;
  return std::nullopt;
}

void SamePlace::learnFrom(AtomId left, AtomId right) {
  const Atom x = facts.domain.atom(left), y = facts.domain.atom(right);
  if (auto loop = facts.loopOf(left), other = facts.loopOf(right);
      loop && other) {
    if (differences.at({left, right}) != 0)
      return;
    // The variable modulo the step is the lower bound modulo the step.
    LinearForm step = facts.formOf(loop.getStep());
    LinearForm from = facts.formOf(loop.getLowerBound()),
               otherFrom = facts.formOf(other.getLowerBound());
    if (step.isConstant() && step == facts.formOf(other.getStep()) &&
        facts.isWithin(from, 0, step.constant - 1, loop->getBlock()) &&
        facts.isWithin(otherFrom, 0, step.constant - 1, other->getBlock()) &&
        done.insert({left, right}).second)
      equate(from, otherFrom);
    return;
  }
  if (x.kind != y.kind)
    return;
  int64_t by = differences.at({left, right});
  if (x.kind == Atom::Kind::Remainder && x.divisor == y.divisor)
    if (auto quotients = difference(x.quotient, y.quotient))
      if (auto moved = y.form.plus(LinearForm(*quotients), x.divisor))
        if (auto whole = moved->plus(LinearForm(by));
            whole && done.insert({left, right}).second)
          equate(x.form, *whole);
  if (by != 0)
    return;
  if (x.kind == Atom::Kind::Minimum || x.kind == Atom::Kind::Maximum) {
    auto mine = resolve(x, a.block), theirs = resolve(y, b.block);
    if (mine && theirs && done.insert({left, right}).second)
      equate(*mine, *theirs);
  }
}

/// Ids and digits that conditions fix to one value for both.
void SamePlace::addFixedDigits() {
  if (facts.conditionsAt(a.block).empty() ||
      facts.conditionsAt(b.block).empty())
    return;
  for (AtomId id = 0; id < facts.domain.size(); ++id) {
    const Atom &atom = facts.domain.atom(id);
    bool isId = llvm::is_contained(facts.threadAtoms(), id) ||
                llvm::is_contained(facts.blockAtoms(), id);
    if (!isId && atom.kind == Atom::Kind::Free)
      continue;
    LinearForm self = LinearForm::ofAtom(id);
    Interval x = facts.boundsAt(self, a.block);
    if (x.isPoint() && x == facts.boundsAt(self, b.block))
      add(id, id, 0);
  }
}

/// Digits of what is equal are equal.
void SamePlace::addDerived() {
  for (AtomId id = 0; id < facts.domain.size(); ++id) {
    const Atom &atom = facts.domain.atom(id);
    if ((atom.kind == Atom::Kind::Quotient ||
         atom.kind == Atom::Kind::Remainder) &&
        difference(atom.form, atom.form) == 0)
      add(id, id, 0);
  }
}

bool SamePlace::isOneThread() const {
  auto isEqual = [&](AtomId id) { return difference(id, id) == 0; };
  return llvm::all_of(facts.threadAtoms(), isEqual) &&
         llvm::all_of(facts.blockAtoms(), isEqual);
}

bool SamePlace::isImpossible() {
  equate(a.form, b.form, a.width, b.width);
  for (bool withConditions : {false, true}) {
    if (withConditions)
      addFixedDigits();
    do {
      if (impossible || isOneThread())
        return true;
      changed = false;
      addDerived();
      auto now = differences;
      for (const auto &[pair, by] : now)
        learnFrom(pair.first, pair.second);
    } while (changed);
  }
  if (impossible || isOneThread())
    return true;
  Interval x = facts.boundsAt(a.form, a.block),
           y = facts.boundsAt(b.form, b.block);
  return x.isEmpty() || y.isEmpty() || x.hi + a.width <= y.lo ||
         y.hi + b.width <= x.lo;
}
