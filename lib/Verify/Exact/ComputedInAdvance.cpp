//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ComputedInAdvance.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace egg;

/// Whether the op computes a float from floats, and may round.
static bool isFloatArithmetic(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         !op->hasTrait<OpTrait::ConstantLike>() && op->getNumResults() == 1 &&
         isa<FloatType>(op->getResult(0).getType()) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<FloatType>) &&
         !isa<arith::ExtFOp, arith::TruncFOp, arith::SelectOp, arith::NegFOp,
              arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
              arith::MinNumFOp, math::AbsFOp>(op);
}

static bool areSame(Value a, Value b);

/// Whether the body of an operation gets the same elements of the same tensor
/// for both.
static bool areSameElements(BlockArgument a, BlockArgument b) {
  auto op = dyn_cast<linalg::LinalgOp>(a.getOwner()->getParentOp());
  if (!op || a.getOwner() != b.getOwner())
    return false;
  OpOperand &first = op->getOpOperand(a.getArgNumber()),
            &second = op->getOpOperand(b.getArgNumber());
  return op.isDpsInput(&first) && op.isDpsInput(&second) &&
         op.getMatchingIndexingMap(&first) ==
             op.getMatchingIndexingMap(&second) &&
         areSame(first.get(), second.get());
}

/// Whether the two are computed in the same way from the same values.
static bool areSame(Value a, Value b) {
  if (a == b)
    return true;
  if (isa<BlockArgument>(a) && isa<BlockArgument>(b))
    return areSameElements(cast<BlockArgument>(a), cast<BlockArgument>(b));
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return first && second && first->getNumResults() == 1 &&
         first->getNumRegions() == 0 && isMemoryEffectFree(first) &&
         OperationEquivalence::isEquivalentTo(
             first, second,
             [](Value x, Value y) { return success(areSame(x, y)); },
             /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

/// The element that a constant has everywhere, if it is one.
static Attribute getElement(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  if (auto splat = dyn_cast<SplatElementsAttr>(constant))
    return splat.getSplatValue<Attribute>();
  return isa<IntegerAttr>(constant) ? constant : Attribute();
}

/// The integer that the op gives whatever the operands are that are not in
/// `constants`, if it is always the same: x - x, x * 0. That is what MLIR folds
/// and, of quotients, LLVM.
static Attribute foldInteger(Operation *op, ArrayRef<Attribute> constants) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !op->getResult(0).getType().isIntOrIndex())
    return {};
  bool isSame = op->getNumOperands() == 2 &&
                areSame(op->getOperand(0), op->getOperand(1));
  Builder builder(op->getContext());
  Type type = op->getResult(0).getType();
  bool isQuotient = isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
                        arith::CeilDivSIOp, arith::CeilDivUIOp>(op);
  bool isRemainder = isa<arith::RemSIOp, arith::RemUIOp>(op);
  if (isSame && (isQuotient || isRemainder))
    return builder.getIntegerAttr(type, isQuotient ? 1 : 0);
  auto first = dyn_cast_or_null<IntegerAttr>(
      constants.empty() ? Attribute() : constants.front());
  if ((isQuotient || isRemainder ||
       isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op)) &&
      first && first.getValue().isZero())
    return first;
  // A fold may change what it folds.
  Operation *copy = op->clone();
  if (isSame)
    copy->setOperand(1, copy->getOperand(0));
  SmallVector<OpFoldResult> folded;
  Attribute result;
  if (succeeded(copy->fold(constants, folded)) && folded.size() == 1) {
    result = dyn_cast<Attribute>(folded.front());
    // One of the operands, such as the arm of a selection.
    for (auto [operand, constant] : llvm::zip(copy->getOperands(), constants))
      if (folded.front() == OpFoldResult(operand))
        result = constant;
  }
  copy->destroy();
  return result;
}

Operation *egg::findComputedInAdvance(ModuleOp payload) {
  // Values that follow from constants and indices alone.
  llvm::DenseSet<Value> known;
  // Of those the integers, where their value is the same everywhere.
  llvm::DenseMap<Value, Attribute> constants;
  auto isKnown = [&](Value value) { return known.contains(value); };
  auto pass = [&](Value from, Value to) {
    if (isKnown(from))
      known.insert(to);
    if (Attribute constant = constants.lookup(from))
      constants[to] = constant;
  };
  Operation *found = nullptr;
  payload.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      // Accumulators change from step to step and stay unknown, unless there
      // is one step.
      bool hasSteps = false;
      for (auto [extent, kind] :
           llvm::zip_equal(linalgOp.getStaticLoopRanges(),
                           linalgOp.getIteratorTypesArray()))
        hasSteps |= kind == utils::IteratorType::reduction && extent != 1;
      for (OpOperand &operand : op->getOpOperands())
        if (!(hasSteps && linalgOp.isDpsInit(&operand)))
          pass(operand.get(), linalgOp.getMatchingBlockArgument(&operand));
      return WalkResult::advance();
    }
    if (op->getNumRegions() != 0)
      return WalkResult::advance();
    if (isa<linalg::YieldOp>(op)) {
      for (auto [value, result] :
           llvm::zip(op->getOperands(), op->getParentOp()->getResults()))
        pass(value, result);
      return WalkResult::advance();
    }
    SmallVector<Attribute> operandConstants;
    for (Value operand : op->getOperands())
      operandConstants.push_back(constants.lookup(operand));
    Attribute constant = op->hasTrait<OpTrait::ConstantLike>()
                             ? getElement(op->getResult(0))
                             : foldInteger(op, operandConstants);
    if (constant)
      constants[op->getResult(0)] = constant;
    ValueRange operands = op->getOperands();
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      // What is chosen may be computed for both choices, if there are two.
      operands = operands.drop_front();
      if (auto choice = dyn_cast_or_null<IntegerAttr>(operandConstants[0]))
        operands = choice.getValue().isZero() ? operands.drop_front()
                                              : operands.drop_back();
    }
    if (!constant && !llvm::all_of(operands, isKnown))
      return WalkResult::advance();
    known.insert(op->result_begin(), op->result_end());
    if (!isFloatArithmetic(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
