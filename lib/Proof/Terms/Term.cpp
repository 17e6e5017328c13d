//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Term.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace egg::proof;

bool Term::operator<(const Term &other) const {
  auto key = [](const Term &t) {
    return std::make_tuple(
        t.kind, t.type.getAsOpaquePointer(), t.attribute.getAsOpaquePointer(),
        t.operation.getAsOpaquePointer(), t.source.getAsOpaquePointer());
  };
  auto a = key(*this), b = key(other);
  if (a != b)
    return a < b;
  if (!(form == other.form))
    return form < other.form;
  return std::lexicographical_compare(operands.begin(), operands.end(),
                                      other.operands.begin(),
                                      other.operands.end());
}

Type egg::proof::elementTypeOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

DictionaryAttr egg::proof::attributesOf(Operation *op, bool isDefinition) {
  NamedAttrList attributes(op->getAttrDictionary());
  StringRef name = arith::AddIOp::getIntegerOverflowAttrName();
  auto flags =
      dyn_cast_or_null<arith::IntegerOverflowFlagsAttr>(attributes.get(name));
  if (flags &&
      (isDefinition || flags.getValue() == arith::IntegerOverflowFlags::none))
    attributes.erase(name);
  return attributes.getDictionary(op->getContext());
}

LinearForm egg::proof::withoutRemainders(const IndexDomain &domain,
                                         const LinearForm &form) {
  LinearForm result(form.constant);
  for (auto [id, coefficient] : form.terms) {
    const legality::Atom &atom = domain.atom(id);
    std::optional<LinearForm> part = LinearForm::ofAtom(id);
    if (atom.kind == legality::Atom::Kind::Remainder)
      if (auto whole = withoutRemainders(domain, atom.form)
                           .plus(withoutRemainders(domain, atom.quotient),
                                 -atom.divisor))
        part = whole;
    auto sum = result.plus(*part, coefficient);
    if (!sum)
      return form;
    result = *sum;
  }
  return result;
}

std::optional<LinearForm> egg::proof::formOf(const Term *term) {
  if (term->is(Term::Kind::Integer))
    return term->raw;
  auto number = dyn_cast_or_null<IntegerAttr>(term->attribute);
  if (!term->is(Term::Kind::Constant) || !number ||
      number.getType().isInteger(1) ||
      number.getValue().getSignificantBits() > 62)
    return std::nullopt;
  return LinearForm(number.getValue().getSExtValue());
}

const Term *TermTable::keep(Term term) {
  budget.spend();
  return &*terms.insert(std::move(term)).first;
}

const Term *TermTable::constant(TypedAttr value, Location location) {
  Term term(location);
  term.kind = Term::Kind::Constant;
  term.type = value.getType();
  term.attribute = value;
  return keep(std::move(term));
}

const Term *TermTable::integer(Type type, const LinearForm &form,
                               Location location) {
  Term term(location);
  term.form = withoutRemainders(domain, form);
  if (term.form.isConstant())
    return constant(IntegerAttr::get(type, term.form.constant), location);
  term.kind = Term::Kind::Integer;
  term.type = type;
  term.raw = form;
  return keep(std::move(term));
}

const Term *TermTable::element(Value source, const LinearForm &position,
                               Location location) {
  Term term(location);
  term.kind = Term::Kind::Element;
  term.type = cast<ShapedType>(source.getType()).getElementType();
  term.source = source;
  term.raw = position;
  term.form = withoutRemainders(domain, position);
  return keep(std::move(term));
}

const Term *TermTable::element(DenseElementsAttr values,
                               const LinearForm &position, Location location) {
  if (values.isSplat())
    return constant(cast<TypedAttr>(values.getSplatValue<Attribute>()),
                    location);
  if (values.getElementType().isInteger(1)) {
    SmallVector<int8_t> bytes;
    for (bool bit : values.getValues<bool>())
      bytes.push_back(bit);
    auto type = IntegerType::get(location.getContext(), 8);
    auto kept = DenseElementsAttr::get(
        RankedTensorType::get({int64_t(bytes.size())}, type),
        ArrayRef<int8_t>(bytes));
    return compare(int64_t(arith::CmpIPredicate::ne),
                   element(kept, position, location),
                   constant(IntegerAttr::get(type, 0), location), location);
  }
  Term term(location);
  term.kind = Term::Kind::Element;
  term.type = values.getElementType();
  // The shape is not part of what is read.
  term.attribute = values.reshape(RankedTensorType::get(
      {values.getNumElements()}, values.getElementType()));
  term.raw = position;
  term.form = withoutRemainders(domain, position);
  return keep(std::move(term));
}

const Term *TermTable::unknown(Location location, std::string reason) {
  Term term(location);
  // A source of its own would be needed to tell two of them apart; nothing
  // asks, as an unknown equals nothing.
  term.attribute = StringAttr::get(location.getContext(), reason);
  term.reason = std::move(reason);
  return keep(std::move(term));
}

const Term *TermTable::apply(StringAttr name, DictionaryAttr attributes,
                             Type type, ArrayRef<const Term *> operands,
                             Location location) {
  for (const Term *operand : operands)
    if (operand->is(Term::Kind::Unknown))
      return operand;
  if (const Term *simpler = byRule(name, attributes, type, operands, location))
    return simpler;
  Term term(location);
  term.kind = Term::Kind::Operation;
  term.type = type;
  term.operation = name;
  term.attribute = attributes;
  term.operands.assign(operands.begin(), operands.end());
  return keep(std::move(term));
}

const Term *TermTable::apply(Operation *op, ArrayRef<const Term *> operands,
                             bool isDefinition) {
  return apply(op->getName().getIdentifier(), attributesOf(op, isDefinition),
               elementTypeOf(op->getResult(0).getType()), operands,
               op->getLoc());
}

const Term *TermTable::asByte(const Term *bit, Location location) {
  MLIRContext *context = location.getContext();
  return apply(StringAttr::get(context, arith::ExtUIOp::getOperationName()),
               DictionaryAttr::get(context), IntegerType::get(context, 8),
               {bit}, location);
}

const Term *TermTable::select(const Term *condition, const Term *onTrue,
                              const Term *onFalse, Location location) {
  MLIRContext *context = location.getContext();
  return apply(StringAttr::get(context, arith::SelectOp::getOperationName()),
               DictionaryAttr::get(context), onTrue->type,
               {condition, onTrue, onFalse}, location);
}

const Term *TermTable::compare(int64_t predicate, const Term *a, const Term *b,
                               Location location) {
  MLIRContext *context = location.getContext();
  auto attribute = arith::CmpIPredicateAttr::get(
      context, static_cast<arith::CmpIPredicate>(predicate));
  return apply(
      StringAttr::get(context, arith::CmpIOp::getOperationName()),
      DictionaryAttr::get(context, NamedAttribute("predicate", attribute)),
      IntegerType::get(context, 1), {a, b}, location);
}
