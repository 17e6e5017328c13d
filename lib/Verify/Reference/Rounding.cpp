//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Dialect/EggDialect.h"
#include "egg/Verify/Compare.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace egg;

static void addType(Type type, Rounding &rounding) {
  if (!isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type))
    return;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  rounding.add(name);
}

/// Whether the op's result is a float that was rounded to its type.
static bool rounds(Operation *op) {
  if (isa<ScanOp>(op))
    return true;
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<arith::ExtFOp, arith::SelectOp, arith::NegFOp, arith::BitcastOp,
              arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
              arith::MinNumFOp, math::AbsFOp, math::CopySignOp>(op);
}

SmallVector<Rounding> egg::getRoundings(ModuleOp payload) {
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  SmallVector<Rounding> result;
  if (!main || main.isDeclaration())
    return result;
  for (Value value : main.getBody().front().getTerminator()->getOperands()) {
    Rounding &rounding = result.emplace_back();
    addType(getElementTypeOrSelf(value.getType()), rounding);
    if (!value.getDefiningOp())
      continue;
    SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitUsesFromAbove = false;
    if (failed(getBackwardSlice(value, &slice, options)))
      continue;
    for (Operation *root : slice)
      root->walk([&](Operation *op) {
        if (!rounds(op))
          return;
        for (Type type : op->getResultTypes())
          addType(getElementTypeOrSelf(type), rounding);
      });
  }
  return result;
}
