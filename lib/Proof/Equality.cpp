//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Equality.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace egg::proof;

/// Cases within cases beyond this are not distinguished.
static constexpr size_t kMostCases = 24;

static std::string print(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

static std::string nameOf(const Term *element) {
  if (!element->source)
    return "a constant tensor";
  if (auto argument = dyn_cast<BlockArgument>(element->source))
    return "argument " + std::to_string(argument.getArgNumber());
  Operation *op = element->source.getDefiningOp();
  if (auto name = op->getAttrOfType<StringAttr>("egg.name"))
    return ("the payload's '" + name.getValue() + "'").str();
  return ("a result of " + op->getName().getStringRef()).str();
}

static std::string nameIt(const Term *term) {
  switch (term->kind) {
  case Term::Kind::Constant:
    return "the constant " + print(term->attribute);
  case Term::Kind::Integer:
    return "a number that is computed from positions";
  case Term::Kind::Element:
    return "an element of " + nameOf(term);
  case Term::Kind::Operation:
    return term->operation.str();
  case Term::Kind::Unknown:
    return "something unknown";
  }
  llvm_unreachable("unknown kind");
}

static std::string explain(const Term *kernel, const Term *payload) {
  using Kind = Term::Kind;
  if (kernel->is(Kind::Unknown))
    return kernel->reason;
  if (payload->is(Kind::Unknown))
    return "of the payload, " + payload->reason;
  bool sameOperation = kernel->is(Kind::Operation) &&
                       payload->is(Kind::Operation) &&
                       kernel->operation == payload->operation;
  if (sameOperation && kernel->attribute != payload->attribute)
    return llvm::formatv("{0} has the attributes {1}, the payload's has {2}",
                         kernel->operation.getValue(), print(kernel->attribute),
                         print(payload->attribute));
  if (sameOperation && kernel->operands.size() == 2 &&
      payload->operands.size() == 2 &&
      kernel->operands[0] == payload->operands[1] &&
      kernel->operands[1] == payload->operands[0])
    return llvm::formatv("{0} has its operands in another order than the "
                         "payload's",
                         kernel->operation.getValue());
  if (kernel->is(Kind::Element) && payload->is(Kind::Element) &&
      kernel->source == payload->source &&
      kernel->attribute == payload->attribute)
    return "another element of " + nameOf(kernel) +
           " is read than the payload reads";
  if (kernel->type != payload->type) {
    return llvm::formatv("there is {0} of type {1} where the payload has {2} "
                         "of type {3}",
                         nameIt(kernel), kernel->type, nameIt(payload),
                         payload->type);
  }
  return llvm::formatv("there is {0} where the payload has {1}", nameIt(kernel),
                       nameIt(payload));
}

bool Equality::differ(const Term *kernel, const Term *payload) {
  if (!first)
    first = Difference{explain(kernel, payload), kernel->location};
  return false;
}

bool Equality::isSame(const Term *kernel, const Term *payload) {
  if (kernel->is(Term::Kind::Unknown) || payload->is(Term::Kind::Unknown))
    return differ(kernel, payload);
  table.budget.spend();
  Pair pair(kernel, payload);
  if (kernel == payload ||
      llvm::any_of(cases, [&](const std::set<Pair> &found) {
        return found.count(pair) != 0;
      })) {
    ++agreed;
    return true;
  }
  if (table.budget.isSpent()) {
    first = Difference{"the proof takes too many steps", kernel->location};
    return false;
  }
  if (!compare(kernel, payload))
    return false;
  ++agreed;
  cases.back().insert(pair);
  return true;
}

/// The branch of a selection that the assumptions leave, or null.
static const Term *branchTaken(const Term *term, Assumptions &assumptions) {
  if (!term->isOperation(arith::SelectOp::getOperationName()))
    return nullptr;
  const Term *condition = term->operands[0];
  if (!condition->is(Term::Kind::Constant) && !isOnPositions(condition))
    return nullptr;
  if (assumptions.surely(condition, true))
    return term->operands[1];
  if (assumptions.surely(condition, false))
    return term->operands[2];
  return nullptr;
}

bool Equality::compare(const Term *kernel, const Term *payload) {
  if (const Term *taken = branchTaken(kernel, assumptions))
    return isSame(taken, payload);
  if (const Term *taken = branchTaken(payload, assumptions))
    return isSame(kernel, taken);
  if (sameChoice(kernel, payload))
    return true;
  for (const Term *selection : {kernel, payload})
    if (std::optional<LinearForm> form = undecidedBy(selection))
      return isSameIfNot(*form, kernel, payload) &&
             isSameIf(*form, kernel, payload);
  if (kernel->kind != payload->kind || kernel->type != payload->type)
    return differ(kernel, payload);
  return kernel->is(Term::Kind::Operation) ? sameOperation(kernel, payload)
                                           : samePosition(kernel, payload);
}

/// What the condition of a selection hangs on, if that is of positions.
std::optional<LinearForm> Equality::undecidedBy(const Term *term) {
  if (!term->isOperation(arith::SelectOp::getOperationName()) ||
      !isOnPositions(term->operands[0]) || cases.size() > kMostCases)
    return std::nullopt;
  return assumptions.undecided(term->operands[0]);
}

/// Two selections by one condition need no cases if their branches are equal
/// anyway.
bool Equality::sameChoice(const Term *kernel, const Term *payload) {
  StringRef select = arith::SelectOp::getOperationName();
  if (!kernel->isOperation(select) || !payload->isOperation(select) ||
      kernel->operands[0] != payload->operands[0] ||
      !isOnPositions(kernel->operands[0]))
    return false;
  bool same = isSame(kernel->operands[1], payload->operands[1]) &&
              isSame(kernel->operands[2], payload->operands[2]);
  if (!same)
    first.reset();
  return same;
}

/// The same where the form is not negative.
bool Equality::isSameIf(const LinearForm &form, const Term *kernel,
                        const Term *payload) {
  size_t before = assumptions.size();
  assumptions.assume(form);
  cases.emplace_back();
  bool same = isSame(kernel, payload);
  cases.pop_back();
  assumptions.shrinkTo(before);
  return same;
}

bool Equality::isSameIfNot(const LinearForm &form, const Term *kernel,
                           const Term *payload) {
  auto contrary = LinearForm(-1).plus(form, -1);
  return contrary ? isSameIf(*contrary, kernel, payload)
                  : differ(kernel, payload);
}

bool Equality::sameOperation(const Term *kernel, const Term *payload) {
  if (kernel->operation != payload->operation ||
      kernel->attribute != payload->attribute ||
      kernel->operands.size() != payload->operands.size())
    return differ(kernel, payload);
  // Said of the operation rather than of what it is computed from.
  if (kernel->operands.size() == 2 && kernel->operands != payload->operands &&
      kernel->operands[0] == payload->operands[1] &&
      kernel->operands[1] == payload->operands[0])
    return differ(kernel, payload);
  for (auto [a, b] : llvm::zip_equal(kernel->operands, payload->operands))
    if (!isSame(a, b))
      return false;
  return true;
}

/// Elements of one tensor, or integers, that are at equal positions.
bool Equality::samePosition(const Term *kernel, const Term *payload) {
  if (kernel->is(Term::Kind::Constant) || kernel->source != payload->source ||
      kernel->attribute != payload->attribute)
    return differ(kernel, payload);
  auto difference = kernel->form.plus(payload->form, -1);
  return difference && assumptions.isZero(*difference)
             ? true
             : differ(kernel, payload);
}
