//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rules by which terms are equal that are not the same operations on the
// same operands. Materializing a kernel canonicalizes it, so a few are needed;
// each keeps the bits of the result, whatever the operands are, and says why.
//
//===----------------------------------------------------------------------===//
#include "Term.h"
#include "egg/Legality/KernelFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace egg::proof;
using egg::legality::kInfinity;

using Operands = ArrayRef<const Term *>;

static bool isConstant(const Term *term) {
  return term->is(Term::Kind::Constant);
}

/// Sums, products and extrema of IEEE 754, and bitwise operations, are
/// commutative but for which NaN's payload they keep if both operands are NaN,
/// and for maxnumf and minnumf on zeros of both signs: a constant that is
/// neither NaN nor, for these, zero, can be the second operand as well.
static bool mayBecomeSecond(StringRef name, const Term *constant) {
  auto number = dyn_cast<FloatAttr>(constant->attribute);
  if (!number)
    return llvm::StringSwitch<bool>(name)
        .Cases({"arith.addi", "arith.muli", "arith.andi", "arith.ori",
                "arith.xori"},
               true)
        .Cases({"arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui"},
               true)
        .Default(false);
  if (number.getValue().isNaN())
    return false;
  return llvm::StringSwitch<bool>(name)
      .Cases({"arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf"},
             true)
      .Cases({"arith.maxnumf", "arith.minnumf"}, !number.getValue().isZero())
      .Default(false);
}

/// c < x is x > c: the same predicate of the same two numbers, and unordered
/// where it was.
static DictionaryAttr swapPredicate(StringRef name, DictionaryAttr attributes) {
  MLIRContext *context = attributes.getContext();
  Attribute swapped;
  if (auto p = attributes.getAs<arith::CmpIPredicateAttr>("predicate")) {
    using P = arith::CmpIPredicate;
    auto other = [&]() {
      switch (p.getValue()) {
      case P::slt:
        return P::sgt;
      case P::sle:
        return P::sge;
      case P::sgt:
        return P::slt;
      case P::sge:
        return P::sle;
      case P::ult:
        return P::ugt;
      case P::ule:
        return P::uge;
      case P::ugt:
        return P::ult;
      case P::uge:
        return P::ule;
      default:
        return p.getValue();
      }
    };
    swapped = arith::CmpIPredicateAttr::get(context, other());
  } else if (auto p = attributes.getAs<arith::CmpFPredicateAttr>("predicate")) {
    using P = arith::CmpFPredicate;
    auto other = [&]() {
      switch (p.getValue()) {
      case P::OLT:
        return P::OGT;
      case P::OLE:
        return P::OGE;
      case P::OGT:
        return P::OLT;
      case P::OGE:
        return P::OLE;
      case P::ULT:
        return P::UGT;
      case P::ULE:
        return P::UGE;
      case P::UGT:
        return P::ULT;
      case P::UGE:
        return P::ULE;
      default:
        return p.getValue();
      }
    };
    swapped = arith::CmpFPredicateAttr::get(context, other());
  } else {
    return {};
  }
  NamedAttrList list(attributes);
  list.set("predicate", swapped);
  return list.getDictionary(context);
}

/// A bool is kept as a byte that is 0 or 1: (b as a byte) != 0 is b.
static const Term *readBool(StringRef name, DictionaryAttr attributes,
                            Operands operands) {
  if (name != arith::CmpIOp::getOperationName())
    return nullptr;
  auto predicate = attributes.getAs<arith::CmpIPredicateAttr>("predicate");
  auto zero = dyn_cast_or_null<IntegerAttr>(operands[1]->attribute);
  if (!predicate || predicate.getValue() != arith::CmpIPredicate::ne ||
      !isConstant(operands[1]) || !zero || !zero.getValue().isZero() ||
      !operands[0]->isOperation(arith::ExtUIOp::getOperationName()))
    return nullptr;
  const Term *bit = operands[0]->operands.front();
  return bit->type.isInteger(1) ? bit : nullptr;
}

/// true as a byte is 1, false is 0.
static IntegerAttr foldByte(StringRef name, Type type, Operands operands) {
  auto bit = dyn_cast_or_null<IntegerAttr>(operands.front()->attribute);
  if (name != arith::ExtUIOp::getOperationName() ||
      !isConstant(operands.front()) || !bit || !bit.getType().isInteger(1))
    return {};
  return IntegerAttr::get(type, int64_t(bit.getValue().getZExtValue()));
}

const Term *TermTable::byRule(StringAttr name, DictionaryAttr attributes,
                              Type type, Operands operands, Location location) {
  if (const Term *position = ofPositions(name, type, operands, location))
    return position;
  if (operands.size() == 1)
    if (IntegerAttr byte = foldByte(name, type, operands))
      return constant(byte, location);
  if (operands.size() != 2)
    return nullptr;
  if (const Term *bit = readBool(name, attributes, operands))
    return bit;
  if (!isConstant(operands[0]) || isConstant(operands[1]))
    return nullptr;
  if (mayBecomeSecond(name, operands[0]))
    return apply(name, attributes, type, {operands[1], operands[0]}, location);
  if (name == arith::CmpIOp::getOperationName() ||
      name == arith::CmpFOp::getOperationName())
    if (DictionaryAttr swapped = swapPredicate(name, attributes))
      return apply(name, swapped, type, {operands[1], operands[0]}, location);
  return nullptr;
}

/// Arithmetic on positions is that of the integers as long as it stays in its
/// type, and within what the domain can hold.
const Term *TermTable::ofPositions(StringRef name, Type type, Operands operands,
                                   Location location) {
  if (!type.isIntOrIndex() || type.isInteger(1) || operands.empty() ||
      operands.size() > 2)
    return nullptr;
  SmallVector<LinearForm, 2> forms;
  for (const Term *operand : operands) {
    auto form = formOf(operand);
    if (!form)
      return nullptr;
    forms.push_back(*form);
  }
  const LinearForm &a = forms.front();
  std::optional<LinearForm> result;
  if (operands.size() == 1) {
    bool isSigned = llvm::is_contained(
        {"arith.index_cast", "arith.extsi", "arith.trunci"}, name);
    bool isUnsigned =
        llvm::is_contained({"arith.index_castui", "arith.extui"}, name);
    if (isSigned || (isUnsigned && domain.interval(a).lo >= 0))
      result = a;
  } else {
    const LinearForm &b = forms[1];
    if (name == "arith.addi")
      result = a.plus(b);
    else if (name == "arith.subi")
      result = a.plus(b, -1);
    else if (name == "arith.muli")
      result = b.isConstant()   ? a.times(b.constant)
               : a.isConstant() ? b.times(a.constant)
                                : std::nullopt;
    else if (name == "arith.minsi")
      result = domain.minimum(a, b);
    else if (name == "arith.maxsi")
      result = domain.maximum(a, b);
    else if (b.isConstant() && b.constant > 0 && domain.interval(a).lo >= 0) {
      if (llvm::is_contained({"arith.divsi", "arith.divui", "arith.floordivsi"},
                             name))
        result = domain.floorDiv(a, b.constant);
      else if (llvm::is_contained({"arith.remsi", "arith.remui"}, name))
        result = domain.mod(a, b.constant);
    }
  }
  if (!result)
    return nullptr;
  Interval range = domain.interval(*result), fits = legality::rangeOfType(type);
  if (range.lo <= -kInfinity || range.hi >= kInfinity ||
      !range.within(fits.lo, fits.hi))
    return nullptr;
  return integer(type, *result, location);
}
