//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IntegerDivision.h"
#include "egg/Host/MachineArithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// A constant of the type, which may be a vector.
static Value makeConstant(OpBuilder &b, Location loc, Type type,
                          const APInt &value) {
  TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

void egg::defineIntegerDivision(Operation *root) {
  root->walk([](Operation *op) {
    bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
    if (!isSigned && !isa<arith::DivUIOp, arith::RemUIOp>(op))
      return;
    Value number = op->getOperand(0), divisor = op->getOperand(1);
    APInt known;
    if (matchPattern(divisor, m_ConstantInt(&known)) && !known.isZero() &&
        !(isSigned && known.isAllOnes()))
      return;
    OpBuilder b(op);
    Location loc = op->getLoc();
    Type type = divisor.getType(), element = getElementTypeOrSelf(type);
    unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    auto constant = [&](const APInt &value) {
      return makeConstant(b, loc, type, value);
    };
    auto equals = [&](Value value, const APInt &expected) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value,
                                   constant(expected));
    };
    Value undefined = equals(divisor, APInt::getZero(bits));
    if (isSigned) {
      Value overflows = arith::AndIOp::create(
          b, loc, equals(number, APInt::getSignedMinValue(bits)),
          equals(divisor, APInt::getAllOnes(bits)));
      undefined = arith::OrIOp::create(b, loc, undefined, overflows);
    }
    op->setOperand(1, arith::SelectOp::create(b, loc, undefined,
                                              constant(getDivisorInstead(bits)),
                                              divisor));
  });
}
