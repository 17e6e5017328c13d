//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoopRounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace egg::legality;

/// Rounds of a loop that are all looked at, and the longest period.
static constexpr int64_t kMostRounds = 4, kMostPeriod = 8;

/// Whether the form repeats in the variable; widens the period.
static bool addPeriod(KernelFacts &facts, const LinearForm &form,
                      AtomId variable, int64_t &period) {
  for (auto [id, coefficient] : form.terms) {
    if (id == variable)
      return false;
    const Atom &atom = facts.domain.atom(id);
    llvm::SmallVector<AtomId> inside;
    facts.domain.collectAtoms(LinearForm::ofAtom(id), inside);
    for (size_t i = 0; i < inside.size(); ++i)
      if (auto loop = facts.loopOf(inside[i]))
        for (Value bound : {loop.getLowerBound(), loop.getUpperBound()})
          facts.domain.collectAtoms(facts.formOf(bound), inside);
    if (!llvm::is_contained(inside, variable))
      continue;
    int64_t direct = atom.form.coefficientOf(variable);
    if (atom.kind != Atom::Kind::Remainder || direct == 0)
      return false;
    LinearForm rest = atom.form;
    llvm::erase_if(rest.terms,
                   [&](auto &term) { return term.first == variable; });
    if (!addPeriod(facts, rest, variable, period))
      return false;
    period = std::lcm(period, atom.divisor / std::gcd(direct, atom.divisor));
    if (period > kMostPeriod)
      return false;
  }
  return true;
}

/// Whether the value may be computed from the variable.
static bool dependsOn(Value value, Value variable) {
  llvm::SmallVector<Value> left = {value};
  llvm::DenseSet<Value> seen;
  while (!left.empty()) {
    Value next = left.pop_back_val();
    if (next == variable)
      return true;
    Operation *op = next.getDefiningOp();
    if (!op || !seen.insert(next).second)
      continue;
    if (op->getNumRegions() != 0)
      return true;
    left.append(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// In how many steps of the loop's variable all accesses inside repeat.
static std::optional<int64_t>
periodOf(KernelFacts &facts, const SharedAccesses &shared, AtomId variable) {
  int64_t period = 1;
  auto loop = facts.loopOf(variable);
  for (auto [number, access] : llvm::enumerate(shared.accesses)) {
    if (!loop->isProperAncestor(access.op))
      continue;
    for (Value index : access.indices) {
      LinearForm form = facts.formOf(index);
      if (!addPeriod(facts, form, variable, period) ||
          facts.spreadOf(form) == Spread::Unknown)
        return std::nullopt;
    }
    // Loops between and branches on the way must not depend on it.
    for (Operation *parent = access.op->getParentOp(); parent != loop;
         parent = parent->getParentOp()) {
      llvm::SmallVector<LinearForm> forms;
      if (auto inner = dyn_cast<scf::ForOp>(parent)) {
        forms = {facts.formOf(inner.getLowerBound()),
                 facts.formOf(inner.getUpperBound())};
      } else if (auto branch = dyn_cast<scf::IfOp>(parent)) {
        if (!dependsOn(branch.getCondition(), loop.getInductionVar()))
          continue;
        auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
        if (!compare)
          return std::nullopt;
        forms = {facts.formOf(compare.getLhs()),
                 facts.formOf(compare.getRhs())};
      }
      for (const LinearForm &form : forms)
        if (!addPeriod(facts, form, variable, period))
          return std::nullopt;
    }
  }
  return period;
}

RoundChoice egg::legality::chooseRounds(KernelFacts &facts,
                                        const SharedAccesses &shared,
                                        scf::ForOp loop) {
  RoundChoice choice;
  LinearForm variable = facts.formOf(loop.getInductionVar());
  LinearForm step = facts.formOf(loop.getStep());
  auto distance = facts.formOf(loop.getUpperBound())
                      .plus(facts.formOf(loop.getLowerBound()), -1);
  int64_t most = kInfinity;
  if (distance && step.isConstant() && step.constant > 0) {
    Interval range = facts.boundsAt(*distance, loop->getBlock());
    if (range.hi < kInfinity)
      most =
          llvm::divideCeilSigned(std::max<int64_t>(range.hi, 0), step.constant);
  }
  std::optional<int64_t> period;
  if (variable.terms.size() == 1)
    period = periodOf(facts, shared, variable.terms.front().first);
  int64_t enough = period ? *period + 1 : kMostRounds;
  choice.decide = period || most <= kMostRounds;
  for (int64_t i = 0; i < std::min(most, enough); ++i)
    choice.rounds.push_back(i);
  if (most < kInfinity)
    for (int64_t i : {most - 2, most - 1})
      if (i >= enough)
        choice.rounds.push_back(i);
  return choice;
}
