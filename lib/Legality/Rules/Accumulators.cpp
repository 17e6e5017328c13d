//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Accumulators of reductions: what they start with, and whether each round
// keeps what the rounds before it found. The payload's own first values are
// the exact check's; here are those that no payload can mean.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace egg;
using namespace egg::legality;

namespace {

enum class Combiner { Add, Multiply, Max, Min, And, Or, Xor };

} // namespace

static std::optional<Combiner> combinerOf(Operation *op) {
  if (!op)
    return std::nullopt;
  if (isa<arith::AddFOp, arith::AddIOp, vector::FMAOp>(op))
    return Combiner::Add;
  if (isa<arith::MulFOp, arith::MulIOp>(op))
    return Combiner::Multiply;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp>(
          op))
    return Combiner::Max;
  if (isa<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp>(
          op))
    return Combiner::Min;
  if (isa<arith::AndIOp>(op))
    return Combiner::And;
  if (isa<arith::OrIOp>(op))
    return Combiner::Or;
  if (isa<arith::XOrIOp>(op))
    return Combiner::Xor;
  return std::nullopt;
}

/// Whether combining a value twice is more than combining it once.
static bool countsTwice(Combiner combiner) {
  return combiner == Combiner::Add || combiner == Combiner::Multiply ||
         combiner == Combiner::Xor;
}

/// The one element of a constant or splat; null if it is neither.
static Attribute constantElement(Value value) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return {};
  if (auto elements = dyn_cast<DenseElementsAttr>(attr))
    return elements.isSplat() ? elements.getSplatValue<Attribute>()
                              : Attribute();
  return attr;
}

static bool isIdentity(Attribute constant, Operation *combiner) {
  if (auto number = dyn_cast<FloatAttr>(constant)) {
    const APFloat &value = number.getValue();
    switch (*combinerOf(combiner)) {
    case Combiner::Add:
      return value.isZero();
    case Combiner::Multiply:
      return value.isExactlyValue(1.0);
    case Combiner::Max:
      return value.isNaN() ||
             (value.isNegative() && (value.isInfinity() || value.isLargest()));
    case Combiner::Min:
      return value.isNaN() ||
             (!value.isNegative() && (value.isInfinity() || value.isLargest()));
    default:
      return false;
    }
  }
  auto number = dyn_cast<IntegerAttr>(constant);
  if (!number)
    return false;
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  auto identity = neutral ? dyn_cast<IntegerAttr>(*neutral) : IntegerAttr();
  return identity && identity.getValue() == number.getValue();
}

/// The combiner through which the argument enters the value that is yielded;
/// null if it enters in another way.
static Operation *findCombiner(Value yielded, Value argument) {
  Operation *first = yielded.getDefiningOp();
  std::optional<Combiner> kind = combinerOf(first);
  for (Operation *op = first; kind && op && combinerOf(op) == kind;) {
    if (isa<vector::FMAOp>(op)
            ? op->getOperand(2) == argument
            : llvm::is_contained(op->getOperands(), argument))
      return first;
    // Down the chain of combinations, sums on the left or on the right.
    Operation *next = nullptr;
    for (Value operand : op->getOperands())
      if (Operation *inner = operand.getDefiningOp())
        if (combinerOf(inner) == kind &&
            inner->getParentRegion() == first->getParentRegion())
          next = inner;
    op = next;
  }
  return nullptr;
}

/// Whether the value is combined with that of another thread by a shuffle.
static bool meetsOtherThreads(Value value, Combiner kind) {
  llvm::SmallVector<Value> left = {value};
  llvm::DenseSet<Value> seen;
  while (!left.empty()) {
    Value next = left.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (Operation *user : next.getUsers()) {
      if (isa<gpu::ShuffleOp>(user))
        return true;
      if (combinerOf(user) == kind || isa<arith::BitcastOp>(user))
        left.push_back(user->getResult(0));
    }
  }
  return false;
}

/// Whether the loop surely makes two rounds or more.
static bool repeats(KernelFacts &facts, scf::ForOp loop) {
  LinearForm step = facts.formOf(loop.getStep());
  auto distance = facts.formOf(loop.getUpperBound())
                      .plus(facts.formOf(loop.getLowerBound()), -1);
  return distance && step.isConstant() &&
         facts.isWithin(*distance, step.constant + 1, kInfinity,
                        loop->getBlock());
}

static void checkLoopArgument(KernelFacts &facts, scf::ForOp loop,
                              unsigned number, Record &record) {
  Value argument = loop.getRegionIterArg(number);
  Value yielded = loop.getYieldedValues()[number];
  Value init = loop.getInitArgs()[number];
  Operation *combiner = findCombiner(yielded, argument);
  if (!combiner) {
    Operation *last = yielded.getDefiningOp();
    bool restarts = argument.use_empty() && combinerOf(last) &&
                    loop->isProperAncestor(last) &&
                    llvm::any_of(last->getOperands(), [&](Value operand) {
                      Attribute constant = constantElement(operand);
                      return constant && isIdentity(constant, last);
                    });
    if (restarts)
      record.violated(Property::Accumulators, last,
                      "each round of the loop starts its result anew, so that "
                      "only the last is kept",
                      "the value carried by the loop is never read",
                      "fill the accumulator before the loop");
    return;
  }
  Combiner kind = *combinerOf(combiner);
  // What an outer loop carries is that loop's.
  if (auto outer = dyn_cast<BlockArgument>(init))
    if (isa<scf::ForOp>(outer.getOwner()->getParentOp()))
      return record.proved(Property::Accumulators);
  Attribute constant = constantElement(init);
  if (constant && isIdentity(constant, combiner))
    return record.proved(Property::Accumulators);
  if (constant && countsTwice(kind) &&
      meetsOtherThreads(loop.getResult(number), kind)) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "it starts at " << constant;
    return record.violated(
        Property::Accumulators, combiner,
        "partial results of several threads are combined, and each starts "
        "with more than the combiner's identity",
        text,
        "start the partial results with the identity, and add the first value "
        "once at the end");
  }
  record.undecided(Property::Accumulators, combiner,
                   "whether the first value of a reduction is the payload's");
}

/// store c, a[i]; load a[i]; combine; store a[i] in one round of a loop that i
/// does not depend on: a fill inside of the reduction.
static void checkFilledInLoop(scf::ForOp loop, Record &record) {
  struct Fill {
    Access access;
    bool combined = false;
    Operation *combiner = nullptr;
  };
  std::vector<Fill> fills;
  auto isSame = [](const Access &a, const Access &b) {
    return a.buffer == b.buffer && llvm::equal(a.indices, b.indices);
  };
  for (Operation &op : *loop.getBody()) {
    auto access = getAccess(&op);
    if (!access)
      continue;
    bool moves = llvm::any_of(access->indices, [&](Value index) {
      return loop.getRegion().isAncestor(index.getParentRegion());
    });
    for (Fill &fill : fills) {
      if (!isSame(fill.access, *access)) {
        // Another access to the buffer: not the plain case.
        if (fill.access.buffer == access->buffer)
          fill.combiner = nullptr, fill.combined = true;
        continue;
      }
      if (!access->isWrite) {
        // Read again after the sum is stored: used in the same round.
        if (fill.combined)
          fill.combiner = nullptr;
        continue;
      }
      Operation *source = access->stored.getDefiningOp();
      bool sums = combinerOf(source) &&
                  llvm::any_of(source->getOperands(), [&](Value operand) {
                    Operation *load = operand.getDefiningOp();
                    auto from = load ? getAccess(load) : std::nullopt;
                    return from && isSame(fill.access, *from);
                  });
      fill.combiner = sums ? &op : nullptr;
      fill.combined = true;
    }
    if (access->isWrite && !moves && constantElement(access->stored))
      fills.push_back({*access, false, nullptr});
  }
  for (const Fill &fill : fills) {
    bool readInside = false;
    if (!fill.combiner)
      continue;
    loop.walk([&](Operation *op) {
      auto access = getAccess(op);
      readInside |= access && access->buffer == fill.access.buffer &&
                    op->getParentOp() != loop;
    });
    if (!readInside)
      record.violated(Property::Accumulators, fill.access.op,
                      "fills the accumulator in every round of the reduction "
                      "loop, so that only the last is kept",
                      "the sum is stored to the same element in each round",
                      "move the fill before the loop");
  }
}

void egg::legality::checkAccumulators(KernelFacts &facts, Record &record) {
  facts.kernel.walk([&](scf::ForOp loop) {
    for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
      checkLoopArgument(facts, loop, i, record);
    if (repeats(facts, loop))
      checkFilledInLoop(loop, record);
  });
}
