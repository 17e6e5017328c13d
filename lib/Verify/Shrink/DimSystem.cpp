//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DimSystem.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <tuple>

using namespace egg;

/// Assignments tried in one group before it is given up.
static constexpr int kSearchLimit = 20000;

DimSystem::Var DimSystem::addVariable(int64_t original) {
  originals.push_back(original);
  minimums.push_back(std::min<int64_t>(original, 1));
  // Extents of one broadcast, those of zero are empty: both mean more than a
  // size.
  fixed.push_back(original <= 1);
  roles.push_back(Role::Other);
  parents.push_back(parents.size());
  return parents.size() - 1;
}

DimSystem::Var DimSystem::find(Var var) const {
  while (parents[var] != var)
    var = parents[var] = parents[parents[var]];
  return var;
}

void DimSystem::unite(Var a, Var b) {
  assert(originals[a] == originals[b] && "united extents differ");
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  if (a > b)
    std::swap(a, b);
  parents[b] = a;
  fixed[a] = fixed[a] || fixed[b];
  roles[a] = std::max(roles[a], roles[b]);
  minimums[a] = std::max(minimums[a], minimums[b]);
}

void DimSystem::fix(Var var) { fixed[find(var)] = true; }

void DimSystem::mark(Var var, Role role) {
  Role &known = roles[find(var)];
  known = std::max(known, role);
}

void DimSystem::bound(Var var, int64_t minimum) {
  int64_t &known = minimums[find(var)];
  known = std::max(known, minimum);
}

int64_t DimSystem::evaluate(llvm::ArrayRef<Term> terms) const {
  int64_t sum = 0;
  for (auto [coefficient, var] : terms)
    sum += coefficient * originals[var];
  return sum;
}

void DimSystem::keepSum(llvm::ArrayRef<Term> terms) {
  constraints.push_back({Constraint::Kind::Sum,
                         llvm::SmallVector<Term, 4>(terms), evaluate(terms)});
}

void DimSystem::boundSum(llvm::ArrayRef<Term> terms, int64_t minimum) {
  constraints.push_back({Constraint::Kind::SumAtLeast,
                         llvm::SmallVector<Term, 4>(terms), minimum});
}

void DimSystem::multiply(Var product, llvm::ArrayRef<Var> factors) {
  Constraint constraint{Constraint::Kind::Product, {{1, product}}, 0};
  for (Var factor : factors)
    constraint.terms.emplace_back(1, factor);
  constraints.push_back(std::move(constraint));
}

/// Depth-first search with propagation; one object a solve().
class DimSystem::Search {
public:
  Search(const DimSystem &system, Candidates candidates);
  std::vector<int64_t> run();

private:
  struct Group {
    llvm::SmallVector<Var> order;
  };
  std::vector<Group> makeGroups();
  bool searchGroup(const Group &group, size_t position);
  int64_t getLeast(Var var) const;
  bool assign(Var var, int64_t value);
  bool propagate(const Constraint &constraint,
                 llvm::SmallVectorImpl<std::pair<Var, int64_t>> &implied);
  void undo(size_t mark);

  const DimSystem &system;
  Candidates candidates;
  /// Constraints in terms of representatives, and those of each unknown.
  std::vector<Constraint> constraints;
  std::vector<llvm::SmallVector<int>> uses;
  std::vector<char> isFactor;
  std::vector<int64_t> values; // 0: open (extents of zero are fixed at once)
  std::vector<char> assigned;
  llvm::SmallVector<Var> trail;
  llvm::SmallVector<int64_t> chosen;
  int remaining = 0;
};

DimSystem::Search::Search(const DimSystem &system, Candidates candidates)
    : system(system), candidates(candidates), constraints(system.constraints),
      uses(system.size()), isFactor(system.size()), values(system.size()),
      assigned(system.size()) {
  for (auto [number, constraint] : llvm::enumerate(constraints)) {
    for (auto [position, term] : llvm::enumerate(constraint.terms)) {
      term.second = system.find(term.second);
      if (constraint.kind == Constraint::Kind::Product && position > 0)
        isFactor[term.second] = true;
    }
    if (constraint.kind != Constraint::Kind::Product) {
      // One term an unknown, so that a single open one can be solved for.
      llvm::SmallVector<Term, 4> merged;
      for (auto [coefficient, var] : constraint.terms) {
        auto *known = llvm::find_if(merged, [var = var](const Term &term) {
          return term.second == var;
        });
        if (known != merged.end())
          known->first += coefficient;
        else
          merged.emplace_back(coefficient, var);
      }
      llvm::erase_if(merged, [](const Term &term) { return term.first == 0; });
      constraint.terms = std::move(merged);
    }
    for (auto [coefficient, var] : constraint.terms)
      if (uses[var].empty() || uses[var].back() != int(number))
        uses[var].push_back(number);
  }
}

std::vector<DimSystem::Search::Group> DimSystem::Search::makeGroups() {
  std::vector<int> groupOf(system.size(), -1);
  std::vector<Group> groups;
  for (Var root = 0; root < int(system.size()); ++root) {
    if (system.find(root) != root || assigned[root] || groupOf[root] >= 0)
      continue;
    int number = groups.size();
    groups.emplace_back();
    llvm::SmallVector<Var> worklist = {root};
    groupOf[root] = number;
    while (!worklist.empty()) {
      Var var = worklist.pop_back_val();
      groups[number].order.push_back(var);
      for (int use : uses[var])
        for (auto [coefficient, other] : constraints[use].terms)
          if (!assigned[other] && groupOf[other] < 0) {
            groupOf[other] = number;
            worklist.push_back(other);
          }
    }
    // Windows first, so that they keep their sizes and what they slide over
    // adapts; then factors: products follow from them.
    auto rank = [&](Var var) {
      return std::make_tuple(system.roles[var] != Role::Window, !isFactor[var],
                             var);
    };
    llvm::sort(groups[number].order,
               [&](Var a, Var b) { return rank(a) < rank(b); });
  }
  return groups;
}

/// Draws the conclusion from a constraint; false when it is violated.
bool DimSystem::Search::propagate(
    const Constraint &constraint,
    llvm::SmallVectorImpl<std::pair<Var, int64_t>> &implied) {
  Var open = -1;
  int opens = 0;
  for (auto [coefficient, var] : constraint.terms)
    if (!assigned[var]) {
      open = var;
      ++opens;
    }
  if (constraint.kind == Constraint::Kind::Product) {
    int64_t factors = 1;
    for (auto [coefficient, var] : llvm::drop_begin(constraint.terms))
      if (assigned[var])
        factors *= values[var];
    Var product = constraint.terms.front().second;
    if (!assigned[product]) {
      if (opens == 1)
        implied.emplace_back(product, factors);
      return true;
    }
    if (factors == 0 || values[product] % factors != 0)
      return false;
    if (opens == 0)
      return values[product] == factors;
    // A repeated open factor would need a root; leave it to the search.
    if (opens == 1)
      implied.emplace_back(open, values[product] / factors);
    return true;
  }
  int64_t sum = 0, openCoefficient = 0;
  for (auto [coefficient, var] : constraint.terms) {
    if (assigned[var])
      sum += coefficient * values[var];
    else
      openCoefficient = coefficient;
  }
  if (constraint.kind == Constraint::Kind::SumAtLeast)
    return opens > 0 || sum >= constraint.value;
  if (opens == 0)
    return sum == constraint.value;
  if (opens > 1)
    return true;
  assert(openCoefficient != 0 && "terms without a factor are dropped");
  int64_t rest = constraint.value - sum;
  if (rest % openCoefficient != 0)
    return false;
  implied.emplace_back(open, rest / openCoefficient);
  return true;
}

bool DimSystem::Search::assign(Var first, int64_t firstValue) {
  llvm::SmallVector<std::pair<Var, int64_t>> pending = {{first, firstValue}};
  while (!pending.empty()) {
    auto [var, value] = pending.pop_back_val();
    if (assigned[var]) {
      if (values[var] != value)
        return false;
      continue;
    }
    if (value < system.minimums[var])
      return false;
    assigned[var] = true;
    values[var] = value;
    trail.push_back(var);
    for (int use : uses[var])
      if (!propagate(constraints[use], pending))
        return false;
  }
  return true;
}

/// The least value that the bounds of the unknown, and those of what it is in a
/// sum with, allow as far as the others are known.
int64_t DimSystem::Search::getLeast(Var var) const {
  int64_t least = system.minimums[var];
  for (int use : uses[var]) {
    const Constraint &constraint = constraints[use];
    if (constraint.kind == Constraint::Kind::Product)
      continue;
    // factor * var >= rest, where that follows.
    int64_t factor = 0, rest = constraint.value;
    bool follows = true;
    for (auto [coefficient, other] : constraint.terms) {
      if (other == var) {
        factor = coefficient;
        continue;
      }
      rest -= coefficient *
              (assigned[other] ? values[other] : system.minimums[other]);
      follows &= assigned[other] ||
                 (constraint.kind == Constraint::Kind::Sum && coefficient > 0);
    }
    // What others have at least, is missing to a sum that stays: a window's
    // output for its input.
    if (constraint.kind == Constraint::Kind::Sum) {
      factor = -factor;
      rest = -rest;
    }
    if (follows && factor > 0)
      least = std::max(least, llvm::divideCeilSigned(rest, factor));
  }
  return least;
}

void DimSystem::Search::undo(size_t mark) {
  while (trail.size() > mark)
    assigned[trail.pop_back_val()] = false;
}

bool DimSystem::Search::searchGroup(const Group &group, size_t position) {
  while (position < group.order.size() && assigned[group.order[position]])
    ++position;
  if (position == group.order.size())
    return true;
  Var var = group.order[position];
  llvm::SmallVector<int64_t> tries;
  candidates(system.originals[var], system.roles[var], getLeast(var), chosen,
             tries);
  tries.push_back(system.originals[var]);
  size_t mark = trail.size();
  for (int64_t value : tries) {
    if (remaining-- <= 0)
      return false;
    chosen.push_back(value);
    if (assign(var, value) && searchGroup(group, position + 1))
      return true;
    chosen.pop_back();
    undo(mark);
  }
  return false;
}

std::vector<int64_t> DimSystem::Search::run() {
  for (Var var = 0; var < int(system.size()); ++var)
    if (system.find(var) == var && system.fixed[var]) {
      bool consistent = assign(var, system.originals[var]);
      assert(consistent && "the original extents violate a constraint");
      (void)consistent;
    }
  for (const Group &group : makeGroups()) {
    remaining = kSearchLimit;
    size_t mark = trail.size();
    if (searchGroup(group, 0))
      continue;
    undo(mark);
    for (Var var : group.order)
      if (!assigned[var])
        assign(var, system.originals[var]);
  }
  std::vector<int64_t> result(system.size());
  for (Var var = 0; var < int(system.size()); ++var)
    result[var] = values[system.find(var)];
  return result;
}

std::vector<int64_t> DimSystem::solve(Candidates candidates) const {
  return Search(*this, candidates).run();
}
