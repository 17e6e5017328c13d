//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a stage says that finds no kernels to work on.
//
//===----------------------------------------------------------------------===//
#include "egg/Kernel/KernelConfig.h"
#include "egg/Kernel/Materialize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace egg {

bool holdsNoCompute(Operation *op) {
  return isa<func::CallOp, func::ReturnOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::CastOp, tensor::EmptyOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

LogicalResult checkNeedsNoKernels(ModuleOp module) {
  for (auto binary : module.getOps<gpu::BinaryOp>())
    return emitError(binary.getLoc())
           << "no kernels here: '" << binary.getName()
           << "' is compiled already; remove this pass";
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kKernelAttrName) && !function.isExternal())
      return emitError(function.getLoc())
             << "no kernels here: @" << function.getSymName()
             << " is not materialized; run egg-materialize-kernels first";
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return emitError(module.getLoc())
           << "no kernels here, and no function @main; import the module with "
              "egg-import-torch, and run egg-apply-schedule";
  for (Operation &op : main.getBody().getOps())
    if (isa<func::CallOp>(op) || !holdsNoCompute(&op))
      return emitError(op.getLoc())
             << "no kernels here, and @main needs some for this '"
             << op.getName() << "'; run egg-apply-schedule first";
  return success();
}

} // namespace egg
