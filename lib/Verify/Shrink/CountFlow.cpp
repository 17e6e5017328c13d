//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CountFlow.h"
#include "egg/Kernel/AnchorMatching.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace egg;

/// Ways that are kept for a value: the first.
static constexpr size_t kMaxWays = 16;
/// Loops of a way of which any combination is tried: the nearest.
static constexpr size_t kMaxCombined = 8;

bool egg::isFloatSum(linalg::LinalgOp op, unsigned result) {
  return op.getNumReductionLoops() > 0 &&
         isa_and_nonnull<arith::AddFOp>(matchCombiner(op, result));
}

FloatAttr egg::getFloat(arith::ConstantOp constant) {
  if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
      splat && isa<FloatType>(splat.getElementType()))
    return splat.getSplatValue<FloatAttr>();
  return dyn_cast<FloatAttr>(constant.getValue());
}

/// The operand that a body's argument stands for, or null.
static OpOperand *getOperandOfArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto op = argument
                ? dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp())
                : linalg::LinalgOp();
  return op ? op.getMatchingOpOperand(argument) : nullptr;
}

/// What only moves elements, or rounds them: its source.
static Value getMoved(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp, tensor::PadOp, tensor::CastOp,
             tensor::ExtractOp, arith::ExtFOp, arith::TruncFOp>(op)
             ? op->getOperand(0)
             : Value();
}

/// The constant that all of the value's elements are, if it is one.
static arith::ConstantOp findConstant(Value value) {
  while (value) {
    if (OpOperand *operand = getOperandOfArgument(value)) {
      value = operand->get();
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op)
      return {};
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return getFloat(constant) ? constant : arith::ConstantOp();
    if (isa<linalg::FillOp, linalg::BroadcastOp>(op))
      value = op->getOperand(0);
    else if (!isa<tensor::PadOp, arith::ExtFOp, arith::TruncFOp>(op))
      value = getMoved(op);
    else
      return {};
  }
  return {};
}

/// Operands that the result is linear in, together or each.
static SmallVector<Value> getLinearOperands(Operation *op) {
  if (Value moved = getMoved(op))
    return {moved};
  if (isa<arith::AddFOp, arith::SubFOp, arith::NegFOp, math::AbsFOp,
          arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp, tensor::ConcatOp>(op))
    return op->getOperands();
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return {insert.getSource(), insert.getDest()};
  if (isa<arith::DivFOp>(op))
    return {op->getOperand(0)};
  return {};
}

/// Innermost first, as they are left.
CountFlow::Loops CountFlow::getSumLoops(linalg::LinalgOp op) const {
  Loops loops;
  for (auto [loop, type] :
       llvm::zip_equal(getLoops(op), op.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction && originals[loop] != 1)
      loops.insert(loops.begin(), loop);
  return loops;
}

template <typename Ways> static void limit(Ways &ways) {
  Ways kept;
  for (auto &way : ways)
    if (kept.size() < kMaxWays && !llvm::is_contained(kept, way))
      kept.push_back(std::move(way));
  ways = std::move(kept);
}

/// Takes what is in both from both.
template <typename Loops> static void cancel(Loops &loops, Loops &others) {
  llvm::erase_if(others, [&](auto loop) {
    auto *found = llvm::find(loops, loop);
    if (found == loops.end())
      return false;
    loops.erase(found);
    return true;
  });
}

CountFlow::Ways CountFlow::findSumsBefore(Value value) {
  if (auto known = before.find(value); known != before.end())
    return known->second;
  Ways ways = computeSumsBefore(value);
  limit(ways);
  if (ways.empty())
    ways.emplace_back();
  before[value] = ways;
  return ways;
}

CountFlow::Ways CountFlow::findSumsBeforeResult(linalg::LinalgOp op,
                                                unsigned number) {
  Value yielded = op.getBlock()->getTerminator()->getOperand(number);
  if (!isFloatSum(op, number))
    return findSumsBefore(yielded);
  OpOperand *init = op.getDpsInitOperand(number);
  Operation *combiner = matchCombiner(op, number);
  bool isFirst = combiner->getOperand(0) == op.getMatchingBlockArgument(init);
  Ways ways = findSumsBefore(combiner->getOperand(isFirst ? 1 : 0));
  for (Way &way : ways) {
    Loops loops = getSumLoops(op);
    cancel(loops, way.owed);
    way.sums.insert(way.sums.begin(), loops.begin(), loops.end());
  }
  // What the sum begins with may be a sum itself.
  if (!findConstant(init->get()))
    llvm::append_range(ways, findSumsBefore(init->get()));
  return ways;
}

CountFlow::Ways CountFlow::computeSumsBefore(Value value) {
  if (OpOperand *operand = getOperandOfArgument(value))
    return findSumsBefore(operand->get());
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return findSumsBeforeResult(linalgOp,
                                cast<OpResult>(value).getResultNumber());
  Ways ways;
  if (isa<arith::MulFOp>(op)) {
    for (const Way &a : findSumsBefore(op->getOperand(0)))
      for (const Way &b : findSumsBefore(op->getOperand(1))) {
        ways.push_back(a);
        llvm::append_range(ways.back().sums, b.sums);
        llvm::append_range(ways.back().owed, b.owed);
      }
  } else {
    for (Value operand : getLinearOperands(op))
      llvm::append_range(ways, findSumsBefore(operand));
  }
  if (auto divided = dividedBy.find(op); divided != dividedBy.end())
    for (Way &way : ways) {
      Loops loops = divided->second;
      cancel(way.sums, loops);
      llvm::append_range(way.owed, loops);
    }
  return ways;
}

CountFlow::Ways CountFlow::findSumsAfter(Value value) {
  auto [known, isNew] = after.try_emplace(value);
  if (!isNew)
    return known->second;
  Ways ways;
  for (OpOperand &use : value.getUses())
    llvm::append_range(ways, findSumsAfterUse(use));
  limit(ways);
  after[value] = ways;
  return ways;
}

CountFlow::Ways CountFlow::findSumsAfterUse(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    // What a sum begins with is not added more than once.
    if (linalgOp.isDpsInit(&use) && linalgOp.getNumReductionLoops() > 0)
      return findSumsAfter(
          cast<DestinationStyleOpInterface>(op).getTiedOpResult(&use));
    return findSumsAfter(linalgOp.getMatchingBlockArgument(&use));
  }
  if (isa<linalg::YieldOp>(op)) {
    auto parent = dyn_cast<linalg::LinalgOp>(op->getParentOp());
    if (!parent)
      return {};
    unsigned number = use.getOperandNumber();
    Ways ways = findSumsAfter(parent->getResult(number));
    if (!isFloatSum(parent, number))
      return ways;
    if (ways.empty())
      ways.emplace_back();
    Loops loops = getSumLoops(parent);
    for (Way &way : ways)
      way.sums.insert(way.sums.begin(), loops.begin(), loops.end());
    return ways;
  }
  if (isa<arith::MulFOp>(op) ||
      llvm::is_contained(getLinearOperands(op), use.get()))
    return findSumsAfter(op->getResult(0));
  return {};
}

/// Which of the loops `value` is the number of iterations of, times `multiple`;
/// one over that for a factor.
std::optional<CountFlow::Choice>
CountFlow::match(ArrayRef<DimSystem::Var> loops, double value, bool isFactor,
                 double multiple) const {
  auto multiply = [&](ArrayRef<DimSystem::Var> part,
                      ArrayRef<int64_t> iterations) {
    double product = 1;
    for (DimSystem::Var loop : part)
      product *= double(iterations[loop]);
    return product;
  };
  auto write = [&](double count) {
    return toFloat(isFactor ? multiple / count : multiple * count);
  };
  auto tryPart = [&](ArrayRef<DimSystem::Var> part) -> std::optional<Choice> {
    double count = multiply(part, originals);
    if (count < double(multiple == 1 ? 2 : kLeastCount) ||
        write(count) != value)
      return std::nullopt;
    return Choice{Loops(part), write(multiply(part, extents))};
  };
  for (size_t nearest = 1; nearest <= loops.size(); ++nearest)
    if (auto choice = tryPart(loops.take_front(nearest)))
      return choice;
  loops = loops.take_front(kMaxCombined);
  for (int members = 1; members < int(loops.size()); ++members)
    for (unsigned mask = 1; mask < 1u << loops.size(); ++mask) {
      if (llvm::popcount(mask) != members)
        continue;
      Loops part;
      for (auto [number, loop] : llvm::enumerate(loops))
        if (mask >> number & 1)
          part.push_back(loop);
      if (auto choice = tryPart(part))
        return choice;
    }
  return std::nullopt;
}

CountFlow::Found CountFlow::choose(const Ways &ways, double value,
                                   bool isFactor, double multiple,
                                   Choice &choice) const {
  Found found = Found::Nothing;
  for (const Way &way : ways) {
    std::optional<Choice> next = match(way.sums, value, isFactor, multiple);
    if (!next)
      continue;
    if (found == Found::One && next->number != choice.number)
      return Found::Several;
    if (found == Found::Nothing)
      choice = *next;
    found = Found::One;
  }
  return found;
}

/// Division by the constant that the operand is, if it is one, or a product
/// with it. The sums before are asked first: a mean divides what was added.
void CountFlow::visitQuotient(Operation *op, unsigned operand) {
  arith::ConstantOp constant = findConstant(op->getOperand(operand));
  Value other = op->getOperand(1 - operand);
  if (!constant || findConstant(other))
    return;
  double value = getFloat(constant).getValueAsDouble();
  bool isFactor = isa<arith::MulFOp>(op);
  Ways sumsBefore = findSumsBefore(other), sumsAfter;
  for (const Way &way : findSumsAfter(op->getResult(0)))
    for (const Way &from : sumsBefore) {
      sumsAfter.push_back(way);
      Loops owed = from.owed;
      cancel(sumsAfter.back().sums, owed);
    }
  for (double multiple : {1.0, 2.0, 0.5})
    for (const Ways *ways : {&sumsBefore, &sumsAfter}) {
      Choice choice;
      Found found = choose(*ways, value, isFactor, multiple, choice);
      if (found == Found::Nothing)
        continue;
      std::optional<double> number;
      if (found == Found::One) {
        number = choice.number;
        dividedBy[op] = choice.loops;
      }
      auto [known, isNew] = numbers.try_emplace(constant, number);
      if (!isNew && known->second != number)
        known->second = std::nullopt;
      return;
    }
}

CountFlow::Numbers CountFlow::run(func::FuncOp function) {
  function.walk([&](Operation *op) {
    if (isa<arith::DivFOp>(op)) {
      visitQuotient(op, 1);
    } else if (isa<arith::MulFOp>(op)) {
      visitQuotient(op, 0);
      visitQuotient(op, 1);
    }
  });
  return std::move(numbers);
}
