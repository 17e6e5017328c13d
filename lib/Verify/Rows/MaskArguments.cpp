//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MaskArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace egg;

template <typename... Ops> static bool holds(linalg::LinalgOp op) {
  return llvm::any_of(*op.getBlock(),
                      [](Operation &inner) { return isa<Ops...>(inner); });
}

bool egg::isMask(Value value) {
  SmallVector<Value> pending = {value};
  llvm::DenseSet<Value> seen = {value};
  while (!pending.empty()) {
    for (Operation *user : pending.pop_back_val().getUsers()) {
      if (auto op = dyn_cast<linalg::LinalgOp>(user)) {
        bool reduces = op.getNumReductionLoops() > 0;
        if (holds<math::ExpOp, math::Exp2Op>(op) ||
            (reduces &&
             holds<arith::MaximumFOp, arith::MaxNumFOp, arith::CmpFOp>(op)))
          return true;
        if (reduces || holds<arith::MulFOp, arith::DivFOp>(op))
          continue;
      } else if (!isa_and_present<tensor::TensorDialect>(user->getDialect())) {
        continue;
      }
      for (Value result : user->getResults())
        if (seen.insert(result).second)
          pending.push_back(result);
    }
  }
  return false;
}
