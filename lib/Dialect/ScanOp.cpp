//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// egg.scan: verifier, folder, and what its kinds mean.
//
//===----------------------------------------------------------------------===//
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace egg;

#define GET_OP_CLASSES
#include "egg/Dialect/EggOps.cpp.inc"

LogicalResult ScanOp::verify() {
  auto type = cast<RankedTensorType>(getInput().getType());
  Type element = type.getElementType();
  if (!isa<FloatType, IntegerType>(element) || element.isInteger(1))
    return emitOpError("needs float or integer elements, got ") << element;
  if (static_cast<int64_t>(getDim()) >= type.getRank())
    return emitOpError("dim ")
           << getDim() << " is out of range for rank " << type.getRank();
  return success();
}

OpFoldResult ScanOp::fold(FoldAdaptor) {
  // One element: its own prefix.
  if (!getExclusive() && getInput().getType().getDimSize(getDim()) == 1)
    return getInput();
  return {};
}

TypedAttr ScanOp::getNeutralElement() {
  Type type = getInput().getType().getElementType();
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    switch (getKind()) {
    case ScanKind::Add:
      return FloatAttr::get(floatType, APFloat::getZero(semantics));
    case ScanKind::Mul:
      return FloatAttr::get(floatType, APFloat::getOne(semantics));
    case ScanKind::Max:
      return FloatAttr::get(floatType, APFloat::getInf(semantics, true));
    case ScanKind::Min:
      return FloatAttr::get(floatType, APFloat::getInf(semantics));
    }
  }
  unsigned width = type.getIntOrFloatBitWidth();
  switch (getKind()) {
  case ScanKind::Add:
    return IntegerAttr::get(type, APInt::getZero(width));
  case ScanKind::Mul:
    return IntegerAttr::get(type, APInt(width, 1));
  case ScanKind::Max:
    return IntegerAttr::get(type, APInt::getSignedMinValue(width));
  case ScanKind::Min:
    return IntegerAttr::get(type, APInt::getSignedMaxValue(width));
  }
  llvm_unreachable("unknown scan kind");
}

Value ScanOp::buildCombine(OpBuilder &builder, Location loc, Value lhs,
                           Value rhs) {
  bool isFloat = isa<FloatType>(lhs.getType());
  switch (getKind()) {
  case ScanKind::Add:
    if (isFloat)
      return arith::AddFOp::create(builder, loc, lhs, rhs);
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case ScanKind::Mul:
    if (isFloat)
      return arith::MulFOp::create(builder, loc, lhs, rhs);
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case ScanKind::Max:
    if (isFloat)
      return arith::MaximumFOp::create(builder, loc, lhs, rhs);
    return arith::MaxSIOp::create(builder, loc, lhs, rhs);
  case ScanKind::Min:
    if (isFloat)
      return arith::MinimumFOp::create(builder, loc, lhs, rhs);
    return arith::MinSIOp::create(builder, loc, lhs, rhs);
  }
  llvm_unreachable("unknown scan kind");
}
