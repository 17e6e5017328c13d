//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Coverage.h"
#include "Assumptions.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace egg;
using namespace egg::proof;

namespace {

/// Neighbouring stores of one thread, as one: width elements from the
/// position on.
struct Run {
  const Store *first = nullptr;
  LinearForm position;
  int64_t width = 0;
};

/// Which thread stores an element.
class Witness {
public:
  Witness(legality::KernelFacts &facts, TermTable &table, KernelTerms &kernel,
          const Run &run, int64_t elements)
      : facts(facts), domain(facts.domain), table(table), kernel(kernel),
        run(run), assumptions(table, {}),
        element(LinearForm::ofAtom(domain.addAtom({0, elements - 1}))) {}

  /// Why the guess is none; empty if it is one.
  std::string check();

private:
  std::string guess();
  std::string checkPath();
  std::optional<LinearForm> put(const LinearForm &form);
  const Term *put(const Term *condition);
  bool choose(AtomId atom, const LinearForm &number);

  legality::KernelFacts &facts;
  IndexDomain &domain;
  TermTable &table;
  KernelTerms &kernel;
  const Run &run;
  Assumptions assumptions;
  LinearForm element, lane;
  llvm::DenseMap<AtomId, LinearForm> values;
};

} // namespace

/// The first value and the step of what the atom numbers.
static std::pair<int64_t, int64_t> progressionOf(const legality::Atom &atom,
                                                 scf::ForOp loop) {
  return {atom.range.lo, loop ? atom.congruence.modulus : 1};
}

/// Gives the atom its number-th value, if it surely has so many.
bool Witness::choose(AtomId id, const LinearForm &number) {
  const legality::Atom &atom = domain.atom(id);
  auto [lo, step] = progressionOf(atom, facts.loopOf(id));
  auto value = LinearForm(lo).plus(number, step);
  if (!value ||
      !assumptions.bounds(*value).within(atom.range.lo, atom.range.hi))
    return false;
  values[id] = *value;
  return true;
}

std::string Witness::guess() {
  auto offset = element.plus(LinearForm(run.position.constant), -1);
  if (!offset)
    return "the index is too large";
  lane = domain.mod(*offset, run.width);
  LinearForm rest = domain.floorDiv(*offset, run.width);
  SmallVector<LinearForm::Term> digits(run.position.terms.begin(),
                                       run.position.terms.end());
  llvm::sort(digits, [](const auto &a, const auto &b) {
    return std::abs(a.second) < std::abs(b.second);
  });
  int64_t unit = run.width;
  for (auto [number, digit] : llvm::enumerate(digits)) {
    const legality::Atom &atom = domain.atom(digit.first);
    if (atom.kind != legality::Atom::Kind::Free)
      return "the index is not a sum of ids and loop variables";
    auto [lo, step] = progressionOf(atom, facts.loopOf(digit.first));
    if (lo != 0)
      return "a loop around it does not start at 0";
    int64_t count = (atom.range.hi - lo) / step + 1;
    // One round of a loop: no digit.
    if (count == 1)
      continue;
    if (digit.second * step != unit)
      return "there are gaps between the elements that threads store";
    bool isLast = number + 1 == digits.size();
    if (!choose(digit.first, isLast ? rest : domain.mod(rest, count)))
      return "there are fewer threads than elements to store";
    rest = domain.floorDiv(rest, count);
    if (llvm::MulOverflow(unit, count, unit))
      return "the index is too large";
  }
  return "";
}

std::optional<LinearForm> Witness::put(const LinearForm &form) {
  using Kind = legality::Atom::Kind;
  LinearForm result(form.constant);
  for (auto [id, coefficient] : form.terms) {
    // A copy: new atoms may move the old ones.
    legality::Atom atom = domain.atom(id);
    std::optional<LinearForm> value;
    if (atom.kind == Kind::Free) {
      // Ids that the index does not have: any will do.
      if (!values.count(id) && !choose(id, LinearForm(0)))
        return std::nullopt;
      value = values[id];
    } else {
      auto inner = put(atom.form);
      auto other = put(atom.other);
      if (!inner || !other)
        return std::nullopt;
      value = atom.kind == Kind::Quotient
                  ? domain.floorDiv(*inner, atom.divisor)
              : atom.kind == Kind::Remainder ? domain.mod(*inner, atom.divisor)
              : atom.kind == Kind::Minimum   ? domain.minimum(*inner, *other)
                                             : domain.maximum(*inner, *other);
    }
    auto sum = result.plus(*value, coefficient);
    if (!sum)
      return std::nullopt;
    result = *sum;
  }
  return result;
}

/// The condition in the guessed thread; null if it is not on positions.
const Term *Witness::put(const Term *condition) {
  if (auto form = formOf(condition)) {
    auto value = put(*form);
    return value ? table.integer(condition->type, *value, condition->location)
                 : nullptr;
  }
  if (condition->is(Term::Kind::Constant))
    return condition;
  if (!isOnPositions(condition))
    return nullptr;
  SmallVector<const Term *> operands;
  for (const Term *operand : condition->operands) {
    operands.push_back(put(operand));
    if (!operands.back())
      return nullptr;
  }
  return table.apply(condition->operation,
                     cast<DictionaryAttr>(condition->attribute),
                     condition->type, operands, condition->location);
}

/// Whether the thread comes to the store.
std::string Witness::checkPath() {
  Operation *op = run.first->op;
  for (Operation *parent = op->getParentOp();
       parent != facts.kernel.getOperation();
       op = parent, parent = parent->getParentOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      // What the domain says of the variable is all that there is only where
      // its bounds are constants.
      LinearForm lower = facts.formOf(loop.getLowerBound()),
                 upper = facts.formOf(loop.getUpperBound());
      LinearForm variable = facts.formOf(loop.getInductionVar());
      if (!lower.isConstant() || !upper.isConstant() ||
          lower.constant >= upper.constant || variable.terms.size() != 1 ||
          variable.constant != 0)
        return "the bounds of a loop around it are not constants";
      const legality::Atom &atom = domain.atom(variable.terms.front().first);
      if (atom.range.lo != lower.constant ||
          atom.range.hi != upper.constant - 1)
        return "the bounds of a loop around it are not followed";
      auto value = put(variable);
      if (!value)
        return "the round of a loop around it is not known";
      continue;
    }
    auto branch = dyn_cast<scf::IfOp>(parent);
    if (!branch)
      return "it is in a region that is not followed";
    const Term *condition = put(kernel.of(branch.getCondition()));
    bool truth = op->getParentRegion() == &branch.getThenRegion();
    if (!condition)
      return "a condition around it is not on positions alone";
    if (!assumptions.surely(condition, truth))
      return "a condition around it leaves elements out";
  }
  return "";
}

std::string Witness::check() {
  std::string reason = guess();
  if (reason.empty())
    reason = checkPath();
  if (!reason.empty())
    return reason;
  auto position = put(run.position);
  auto reached = position ? position->plus(lane) : std::nullopt;
  auto off = reached ? reached->plus(element, -1) : std::nullopt;
  if (!off || !assumptions.isZero(*off) ||
      !assumptions.bounds(lane).within(0, run.width - 1))
    return "the index is not a number in mixed radix of ids";
  return "";
}

/// Stores whose positions differ by constants, put together where they touch.
static SmallVector<Run> joinRuns(ArrayRef<const Store *> stores) {
  SmallVector<const Store *> sorted(stores);
  llvm::sort(sorted, [](const Store *a, const Store *b) {
    return a->position.constant < b->position.constant;
  });
  SmallVector<Run> runs;
  for (const Store *store : sorted) {
    auto width = int64_t(store->lanes.size());
    auto joins = llvm::find_if(runs, [&](const Run &run) {
      return run.first->op->getBlock() == store->op->getBlock() &&
             run.position.linearPart() == store->position.linearPart() &&
             run.position.constant + run.width == store->position.constant;
    });
    if (joins != runs.end())
      joins->width += width;
    else
      runs.push_back({store, store->position, width});
  }
  return runs;
}

std::optional<Obstacle>
egg::proof::findUncovered(legality::KernelFacts &facts, TermTable &table,
                          KernelTerms &kernel, ArrayRef<const Store *> stores,
                          int64_t elements) {
  std::optional<Obstacle> first;
  for (const Run &run : joinRuns(stores)) {
    std::string reason = Witness(facts, table, kernel, run, elements).check();
    if (reason.empty())
      return std::nullopt;
    if (!first)
      first = Obstacle{run.first->op,
                       "not every element is shown to be stored: " + reason};
  }
  if (!first)
    first = Obstacle{facts.kernel, "nothing is stored to a result"};
  return first;
}
