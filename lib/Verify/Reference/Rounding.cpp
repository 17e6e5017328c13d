//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExactValues.h"
#include "PerturbRounding.h"
#include "egg/Verify/Compare.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace egg;

static void addType(Type type, Rounding &rounding) {
  if (!isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type))
    return;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  rounding.add(name);
}

SmallVector<Rounding> egg::getRoundings(ModuleOp payload, ExactOn exactOn) {
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  SmallVector<Rounding> result;
  if (!main || main.isDeclaration())
    return result;
  ExactValues exact(payload, exactOn);
  for (Value value : main.getBody().front().getTerminator()->getOperands()) {
    Rounding &rounding = result.emplace_back();
    if (exact.contains(value))
      continue;
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
        if (!isRounding(op))
          return;
        for (Type type : op->getResultTypes())
          addType(getElementTypeOrSelf(type), rounding);
      });
  }
  return result;
}
