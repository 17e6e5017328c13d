//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A result that is a fill or a constant becomes a copy of it: a compute op,
// which a kernel writes.
//
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

/// Whether the value, or what it is a reshape of, is a fill or a constant.
static bool isFillOrConstant(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         tensor::CastOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op &&
         (isa<linalg::FillOp>(op) || op->hasTrait<OpTrait::ConstantLike>());
}

void egg::copyReturnedConstants(func::FuncOp function) {
  auto ret = cast<func::ReturnOp>(function.getBody().back().getTerminator());
  OpBuilder b(ret);
  llvm::DenseMap<Value, Value> copies;
  for (OpOperand &operand : ret->getOpOperands()) {
    Value value = operand.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape() || !isFillOrConstant(value))
      continue;
    Value &copy = copies[value];
    if (!copy) {
      Value empty = tensor::EmptyOp::create(b, value.getLoc(), type.getShape(),
                                            type.getElementType());
      copy =
          linalg::CopyOp::create(b, value.getLoc(), value, empty).getResult(0);
    }
    operand.set(copy);
  }
}
