//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Assumptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace egg::proof;

/// What a linear program costs of the steps.
static constexpr int64_t kProgramSteps = 100;

static bool isTrueConstant(const Term *term) {
  auto bit = dyn_cast_or_null<IntegerAttr>(term->attribute);
  return term->is(Term::Kind::Constant) && bit && bit.getValue().isOne();
}

bool egg::proof::isOnPositions(const Term *condition) {
  if (condition->isOperation(arith::CmpIOp::getOperationName()))
    return formOf(condition->operands[0]) && formOf(condition->operands[1]);
  if (condition->isOperation(arith::AndIOp::getOperationName()) ||
      condition->isOperation(arith::OrIOp::getOperationName()))
    return condition->type.isInteger(1) &&
           llvm::all_of(condition->operands, isOnPositions);
  return condition->isOperation(arith::XOrIOp::getOperationName()) &&
         condition->type.isInteger(1) &&
         isTrueConstant(condition->operands[1]) &&
         isOnPositions(condition->operands[0]);
}

Interval Assumptions::bounds(const LinearForm &form) {
  LinearForm plain = withoutRemainders(table.domain, form);
  if (plain.isConstant())
    return {plain.constant, plain.constant};
  table.budget.spend();
  Interval range = table.domain.interval(form);
  if (forms.empty() && range.isPoint())
    return range;
  if (table.budget.isSpent())
    return {};
  table.budget.spend(kProgramSteps);
  return table.domain.bounds(form, forms);
}

bool Assumptions::addComparison(const Term *compare, bool truth,
                                SmallVectorImpl<LinearForm> &meaning) {
  using P = arith::CmpIPredicate;
  auto a = formOf(compare->operands[0]), b = formOf(compare->operands[1]);
  auto attribute = cast<DictionaryAttr>(compare->attribute)
                       .getAs<arith::CmpIPredicateAttr>("predicate");
  if (!a || !b || !attribute)
    return false;
  P predicate = attribute.getValue();
  if (!truth)
    predicate = arith::invertPredicate(predicate);
  // x - y - least >= 0.
  auto atLeast = [&](const LinearForm &x, const LinearForm &y, int64_t least) {
    auto difference = x.plus(y, -1);
    auto form =
        difference ? difference->plus(LinearForm(-least)) : std::nullopt;
    if (form)
      meaning.push_back(*form);
    return form.has_value();
  };
  auto isNonNegative = [&](const LinearForm &form) {
    return table.domain.interval(form).lo >= 0;
  };
  switch (predicate) {
  case P::eq: {
    bool below = atLeast(*a, *b, 0);
    return atLeast(*b, *a, 0) && below;
  }
  case P::ne:
    return false;
  case P::slt:
    return atLeast(*b, *a, 1);
  case P::sle:
    return atLeast(*b, *a, 0);
  case P::sgt:
    return atLeast(*a, *b, 1);
  case P::sge:
    return atLeast(*a, *b, 0);
  case P::ult:
  case P::ule:
    // Unsigned below a number that is not negative: not negative itself.
    if (!isNonNegative(*b))
      return false;
    meaning.push_back(*a);
    return atLeast(*b, *a, predicate == P::ult ? 1 : 0);
  case P::ugt:
  case P::uge:
    if (isNonNegative(*a) && isNonNegative(*b))
      return atLeast(*a, *b, predicate == P::ugt ? 1 : 0);
    if (!isNonNegative(*a))
      return false;
    meaning.push_back(*b);
    return atLeast(*a, *b, predicate == P::ugt ? 1 : 0);
  }
  return false;
}

bool Assumptions::addMeaning(const Term *condition, bool truth,
                             SmallVectorImpl<LinearForm> &meaning) {
  if (condition->is(Term::Kind::Constant)) {
    if (isTrueConstant(condition) != truth)
      meaning.push_back(LinearForm(-1));
    return true;
  }
  if (!isOnPositions(condition))
    return false;
  if (condition->isOperation(arith::CmpIOp::getOperationName()))
    return addComparison(condition, truth, meaning);
  if (condition->isOperation(arith::XOrIOp::getOperationName()))
    return addMeaning(condition->operands[0], !truth, meaning);
  if (condition->isOperation(arith::AndIOp::getOperationName()) != truth)
    return false;
  bool first = addMeaning(condition->operands[0], truth, meaning);
  return addMeaning(condition->operands[1], truth, meaning) && first;
}

bool Assumptions::surely(const Term *condition, bool truth) {
  SmallVector<LinearForm> meaning;
  if (addMeaning(condition, truth, meaning) &&
      llvm::all_of(meaning, [&](const LinearForm &form) {
        return bounds(form).within(0, legality::kInfinity);
      }))
    return true;
  // The contrary is impossible.
  SmallVector<LinearForm> contrary;
  (void)addMeaning(condition, !truth, contrary);
  if (llvm::any_of(contrary, [&](const LinearForm &form) {
        return bounds(form).within(-legality::kInfinity, -1);
      }))
    return true;
  auto oneOf = [&](StringRef name) {
    return condition->isOperation(name) && isOnPositions(condition) &&
           llvm::any_of(condition->operands,
                        [&](const Term *part) { return surely(part, truth); });
  };
  return oneOf(truth ? arith::OrIOp::getOperationName()
                     : arith::AndIOp::getOperationName());
}

std::optional<LinearForm> Assumptions::undecided(const Term *condition) {
  if (condition->isOperation(arith::CmpIOp::getOperationName())) {
    SmallVector<LinearForm> meaning;
    if (!addMeaning(condition, true, meaning)) {
      meaning.clear();
      if (!addMeaning(condition, false, meaning))
        return std::nullopt;
    }
    for (const LinearForm &form : meaning) {
      Interval range = bounds(form);
      if (range.lo < 0 && range.hi >= 0)
        return form;
    }
    return std::nullopt;
  }
  if (!isOnPositions(condition))
    return std::nullopt;
  for (const Term *operand : condition->operands)
    if (auto form = undecided(operand))
      return form;
  return std::nullopt;
}
