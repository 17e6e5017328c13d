//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Host/MachineArithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace egg;

static constexpr llvm::StringLiteral kNarrow = "egg.narrow_float";

void egg::markNarrowConversions(ModuleOp payload) {
  payload.walk([](Operation *op) {
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op) &&
        !getElementTypeOrSelf(op->getOperand(0)).isF64())
      op->setAttr(kNarrow, UnitAttr::get(op->getContext()));
  });
}

static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), element,
                           vector.getScalableDims());
  return element;
}

static Value makeConstant(OpBuilder &b, Location loc, Type type,
                          const APInt &value) {
  TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  return LLVM::ConstantOp::create(b, loc, type, attr);
}

/// PTX clamps the amount, which it takes from 32 bits: all bits leave, or all
/// become the sign's. What is narrower than 16 bits is shifted in 16, which
/// makes no difference.
static void clampShift(Operation *op) {
  Value amount = op->getOperand(1);
  Type type = amount.getType();
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  APInt known;
  if (matchPattern(amount, m_ConstantInt(&known)) && known.ult(bits))
    return;
  OpBuilder b(op);
  Location loc = op->getLoc();
  if (bits > 32)
    amount = LLVM::AndOp::create(
        b, loc, amount,
        makeConstant(b, loc, type, APInt::getLowBitsSet(bits, 32)));
  Value last = makeConstant(b, loc, type, APInt(bits, bits - 1));
  Value beyond =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ugt, amount, last);
  op->setOperand(1, LLVM::SelectOp::create(b, loc, beyond, last, amount));
  if (isa<LLVM::AShrOp>(op))
    return;
  b.setInsertionPointAfter(op);
  Value result = op->getResult(0);
  auto clamped = LLVM::SelectOp::create(
      b, loc, beyond, makeConstant(b, loc, type, APInt::getZero(bits)), result);
  result.replaceAllUsesExcept(clamped, clamped);
}

/// cvt.rzi saturates. NaN becomes zero where the operand is no double and the
/// result has at most 32 bits, else the highest bit alone. Other widths are
/// the lowest bits of the next one of 16, 32 and 64.
static void saturate(Operation *op) {
  bool isSigned = isa<LLVM::FPToSIOp>(op);
  Value operand = op->getOperand(0);
  Type type = op->getResult(0).getType(), element = getElementTypeOrSelf(type);
  Type from = getElementTypeOrSelf(operand);
  bool isNarrow = op->removeAttr(kNarrow) || !from.isF64();
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits == 1 || bits > 64)
    return;
  OpBuilder b(op);
  Location loc = op->getLoc();
  if (from.getIntOrFloatBitWidth() < 32)
    operand = LLVM::FPExtOp::create(
        b, loc, withElement(operand.getType(), b.getF32Type()), operand);
  unsigned wide = bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
  Type wideType = withElement(type, b.getIntegerType(wide));
  Value result =
      LLVM::CallIntrinsicOp::create(
          b, loc, wideType,
          b.getStringAttr(isSigned ? "llvm.fptosi.sat" : "llvm.fptoui.sat"),
          ValueRange(operand))
          .getResult(0);
  if (!isNarrow || wide > 32) {
    Value isNaN = LLVM::FCmpOp::create(b, loc, LLVM::FCmpPredicate::uno,
                                       operand, operand);
    result = LLVM::SelectOp::create(
        b, loc, isNaN,
        makeConstant(b, loc, wideType, APInt::getSignedMinValue(wide)), result);
  }
  if (wide != bits)
    result = LLVM::TruncOp::create(b, loc, type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// The other operand where one is NaN, and a positive zero above a negative
/// one.
static void orderZeros(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value x = op->getOperand(0), y = op->getOperand(1), result;
  if (isa<LLVM::MinNumOp>(op))
    result = LLVM::MinimumOp::create(b, loc, x, y);
  else
    result = LLVM::MaximumOp::create(b, loc, x, y);
  for (auto [value, other] : {std::pair(y, x), std::pair(x, y)}) {
    Value isNaN =
        LLVM::FCmpOp::create(b, loc, LLVM::FCmpPredicate::uno, value, value);
    result = LLVM::SelectOp::create(b, loc, isNaN, other, result);
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

void egg::followMachine(ModuleOp program) {
  SmallVector<Operation *> ops;
  program.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(op))
      clampShift(op);
    else if (isa<LLVM::FPToSIOp, LLVM::FPToUIOp>(op))
      saturate(op);
    else if (isa<LLVM::MinNumOp, LLVM::MaxNumOp>(op) &&
             isa<FloatType>(getElementTypeOrSelf(op->getOperand(0))))
      orderZeros(op);
    else if (auto leading = dyn_cast<LLVM::CountLeadingZerosOp>(op))
      leading.setIsZeroPoison(false);
    else if (auto trailing = dyn_cast<LLVM::CountTrailingZerosOp>(op))
      trailing.setIsZeroPoison(false);
    else if (auto absolute = dyn_cast<LLVM::AbsOp>(op))
      absolute.setIsIntMinPoison(false);
  }
}
