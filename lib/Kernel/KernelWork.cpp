//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/KernelWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;

namespace egg {

static double countBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrFloat())
    return 0;
  double bits = std::max(8u, tensor.getElementTypeBitWidth());
  return static_cast<double>(tensor.getNumElements()) * bits / 8;
}

static double countPointFlops(Block &body) {
  double flops = 0;
  for (Operation &op : body)
    if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op.getDialect()) &&
        !isa<CastOpInterface>(op) && !op.hasTrait<OpTrait::ConstantLike>() &&
        op.getNumResults() == 1 && isa<FloatType>(op.getResult(0).getType()))
      ++flops;
  return flops;
}

static double countFlops(linalg::LinalgOp op) {
  if (op.hasDynamicShape() || isa<linalg::FillOp>(op))
    return 0;
  double points = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    points *= static_cast<double>(extent);
  return points * countPointFlops(*op.getBlock());
}

/// What a function must read of a value: of one of which only slices are used,
/// no more than the largest is sure, for the others may lie within it.
static double countBytesRead(Value value) {
  double bytes = 0;
  for (Operation *user : value.getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    bytes =
        std::max(bytes, countBytes(slice ? slice.getType() : value.getType()));
  }
  return bytes;
}

/// The fastest arithmetic that may compute on elements of these types.
static Arithmetic fastestOn(TypeRange read, TypeRange written) {
  auto holds = [](TypeRange types, auto isOne) {
    return llvm::any_of(
        types, [&](Type type) { return isOne(getElementTypeOrSelf(type)); });
  };
  if (holds(written, [](Type type) { return type.isF64(); }))
    return Arithmetic::F64;
  if (holds(read, [](Type type) { return type.isBF16(); }))
    return Arithmetic::BF16;
  if (holds(read, [](Type type) { return type.isF16(); }))
    return Arithmetic::F16;
  return Arithmetic::F32;
}

Work measureWork(func::FuncOp function) {
  Work work;
  for (BlockArgument argument : function.getArguments())
    work.bytes += countBytesRead(argument);
  for (Type type : function.getResultTypes())
    work.bytes += countBytes(type);
  work.arithmetic =
      fastestOn(function.getArgumentTypes(), function.getResultTypes());
  function.walk([&](linalg::LinalgOp op) { work.flops += countFlops(op); });
  return work;
}

Work measureWork(Operation *op) {
  Work work;
  llvm::SmallDenseSet<Value> read;
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    // What an output starts from is read only if it is more than a fill.
    Operation *source = operand.get().getDefiningOp();
    bool fresh = dps && dps.isDpsInit(&operand) && source &&
                 isa<linalg::FillOp, tensor::EmptyOp>(source);
    if (!fresh && read.insert(operand.get()).second)
      work.bytes += countBytes(operand.get().getType());
  }
  for (Type type : op->getResultTypes())
    work.bytes += countBytes(type);
  work.arithmetic = fastestOn(op->getOperandTypes(), op->getResultTypes());
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    work.flops = countFlops(linalgOp);
  return work;
}

} // namespace egg
