//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ReplacedOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace egg;

static bool isScalarOnFloats(Operation *op) {
  auto isFloat = [](Type type) { return isa<FloatType>(type); };
  return isa_and_present<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         (llvm::any_of(op->getOperandTypes(), isFloat) ||
          llvm::any_of(op->getResultTypes(), isFloat));
}

/// Whether a predicate holds for all scalar operations on floats.
static bool allOf(llvm::ArrayRef<Operation *> ops,
                  llvm::function_ref<bool(Operation *)> holds) {
  return llvm::all_of(ops, [&](Operation *op) {
    return !op->walk([&](Operation *inner) {
                return isScalarOnFloats(inner) && !holds(inner)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              }).wasInterrupted();
  });
}

/// Sums and products, and what only changes a type.
static bool isLinear(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
             arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
             math::FmaOp>(op);
}

bool egg::handOnNaN(llvm::ArrayRef<Operation *> ops) {
  return allOf(ops, [](Operation *op) {
    return isLinear(op) ||
           isa<arith::DivFOp, arith::RemFOp, arith::MaximumFOp,
               arith::MinimumFOp, math::AbsFOp, math::AtanOp, math::Atan2Op,
               math::CbrtOp, math::CeilOp, math::CosOp, math::CoshOp,
               math::ErfOp, math::ErfcOp, math::ExpOp, math::Exp2Op,
               math::ExpM1Op, math::FloorOp, math::LogOp, math::Log10Op,
               math::Log1pOp, math::Log2Op, math::RoundOp, math::RoundEvenOp,
               math::RsqrtOp, math::SinOp, math::SinhOp, math::SqrtOp,
               math::TanOp, math::TanhOp, math::TruncOp>(op);
  });
}

/// Follows arguments of linalg bodies to what they are elements of.
static bool isConstant(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
    if (!op)
      return false;
    value = op->getOperand(argument.getArgNumber());
  }
  return matchPattern(value, m_Constant());
}

bool egg::makeNumbersOfInfinities(llvm::ArrayRef<Operation *> ops) {
  return !allOf(ops, [](Operation *op) {
    auto quotient = dyn_cast<arith::DivFOp>(op);
    return isLinear(op) || isa<math::AbsFOp>(op) ||
           (quotient && isConstant(quotient.getRhs()));
  });
}
