//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PayloadConstants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace egg;

/// The number that a value is, as a scalar or in all elements of a tensor; null
/// if it is none.
static Attribute getConstant(Value value) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
      if (!op)
        return {};
      value = op->getOperand(argument.getArgNumber());
      continue;
    }
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant))) {
      if (auto elements = dyn_cast<DenseElementsAttr>(constant))
        constant = elements.isSplat() ? elements.getSplatValue<Attribute>()
                                      : Attribute();
      return constant;
    }
    Operation *op = value.getDefiningOp();
    if (!isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::IndexCastOp, arith::SIToFPOp,
             arith::UIToFPOp, linalg::FillOp, linalg::BroadcastOp,
             tensor::SplatOp, tensor::CastOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op))
      return {};
    value = op->getOperand(0);
  }
}

static std::optional<double> getNumber(Attribute constant) {
  if (auto value = dyn_cast_or_null<FloatAttr>(constant))
    return value.getValueAsDouble();
  if (auto value = dyn_cast_or_null<IntegerAttr>(constant))
    return value.getValue().signedRoundToDouble();
  return std::nullopt;
}

SmallVector<double> egg::findThresholds(func::FuncOp main) {
  SmallVector<double> thresholds;
  main.walk([&](Operation *op) {
    if (!isa<arith::CmpFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp>(op))
      return;
    for (Value operand : op->getOperands()) {
      std::optional<double> value = getNumber(getConstant(operand));
      // 0x1p+100 lies above the -1e30 of masks and far below the ends of f32.
      if (value && std::abs(*value) < 0x1p+100 &&
          !llvm::is_contained(thresholds, *value) &&
          thresholds.size() < kMaxThresholds)
        thresholds.push_back(*value);
    }
  });
  return thresholds;
}

SmallVector<int64_t> egg::findIntegers(func::FuncOp main) {
  SmallVector<int64_t> integers;
  auto add = [&](int64_t value) {
    if (!llvm::is_contained(integers, value) && integers.size() < kMaxIntegers)
      integers.push_back(value);
  };
  main.walk([&](Operation *op) {
    if (!isa_and_present<arith::ArithDialect>(op->getDialect()) ||
        isa<CastOpInterface>(op))
      return;
    for (Value operand : op->getOperands())
      if (getElementTypeOrSelf(operand.getType()).isIntOrIndex() &&
          !getElementTypeOrSelf(operand.getType()).isInteger(1))
        if (auto value = dyn_cast_or_null<IntegerAttr>(getConstant(operand)))
          add(value.getValue().sextOrTrunc(64).getSExtValue());
  });
  // An integer may be compared as a float.
  for (double value : findThresholds(main))
    if (std::abs(value) < 0x1p+62)
      add(int64_t(value));
  return integers;
}
