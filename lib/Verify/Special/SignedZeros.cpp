//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SignedZeros.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace egg;

/// Whether the sign of a zero that it gives is that of the rule for its
/// operands, in every precision and order.
static bool keepsSigns(Operation *op) {
  auto isFloat = [](Type type) {
    return isa<FloatType>(getElementTypeOrSelf(type));
  };
  if (isa<ScanOp>(op))
    return false;
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
      llvm::none_of(op->getResultTypes(), isFloat))
    return true;
  return isa<arith::ConstantOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::SelectOp,
             arith::ExtFOp, arith::TruncFOp, math::AbsFOp, math::CopySignOp,
             math::SqrtOp>(op);
}

llvm::SmallVector<bool> egg::findSignedZeros(ModuleOp payload) {
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  llvm::SmallVector<bool> signedZeros;
  for (Value result : main.front().getTerminator()->getOperands()) {
    llvm::SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.omitUsesFromAbove = false;
    options.inclusive = true;
    [[maybe_unused]] LogicalResult sliced =
        getBackwardSlice(result, &slice, options);
    bool keeps = true;
    for (Operation *op : slice)
      op->walk([&](Operation *inner) { keeps &= keepsSigns(inner); });
    signedZeros.push_back(keeps);
  }
  return signedZeros;
}

std::optional<int64_t> egg::findWrongZero(const HostTensor &reference,
                                          const HostTensor &native,
                                          const HostTensor &got) {
  for (int64_t i = 0, e = got.getNumElements(); i < e; ++i) {
    double r = reference.getFloat(i), o = native.getFloat(i),
           g = got.getFloat(i);
    if (r == 0 && o == 0 && g == 0 && std::signbit(r) == std::signbit(o) &&
        std::signbit(g) != std::signbit(r))
      return i;
  }
  return std::nullopt;
}
