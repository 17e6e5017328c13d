//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Points.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace egg::legality;

std::array<int64_t, 3>
egg::legality::unflatten(int64_t number,
                         const std::array<int64_t, 3> &extents) {
  return {number % extents[0], number / extents[0] % extents[1],
          number / extents[0] / extents[1]};
}

llvm::SmallVector<std::array<int64_t, 3>>
egg::legality::sampleBlocks(const Launch &launch, size_t most) {
  int64_t count = launch.blocks();
  std::set<int64_t> numbers = {0, count - 1};
  for (int64_t number : {int64_t(1), count - 2, count / 2, count / 3})
    if (number >= 0 && number < count && numbers.size() < most)
      numbers.insert(number);
  llvm::SmallVector<std::array<int64_t, 3>> blocks;
  for (int64_t number : numbers)
    blocks.push_back(unflatten(number, launch.grid));
  return blocks;
}

static std::string place(const std::array<int64_t, 3> &id,
                         const std::array<int64_t, 3> &extents) {
  if (extents[1] == 1 && extents[2] == 1)
    return std::to_string(id[0]);
  return llvm::formatv("({0}, {1}, {2})", id[0], id[1], id[2]);
}

std::string egg::legality::describe(const Point &point, const Launch &launch) {
  std::string text = "thread " + place(point.thread, launch.block) +
                     " of block " + place(point.block, launch.grid);
  for (auto [number, variable] : llvm::enumerate(point.variables))
    text += (number == 0 ? ", loop variable " : ", inner loop's ") +
            std::to_string(variable.second);
  return text;
}

void Evaluator::moveTo(const Point &where) {
  here = where;
  memo.clear();
  for (auto [loop, variable] : where.variables)
    memo[scf::ForOp(loop).getInductionVar()] = Number{variable, false};
}

void Evaluator::enter(scf::ForOp loop, int64_t variable) {
  here.variables.push_back({loop, variable});
  memo.clear();
  for (auto [outer, value] : here.variables)
    memo[scf::ForOp(outer).getInductionVar()] = Number{value, false};
}

void Evaluator::leave(scf::ForOp loop) {
  here.variables.pop_back();
  memo.clear();
  for (auto [outer, value] : here.variables)
    memo[scf::ForOp(outer).getInductionVar()] = Number{value, false};
}

static unsigned widthOf(Type type) {
  return isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

/// The number that a type of that width holds, signed; i1 as 0 or 1.
static int64_t normalize(__int128 number, unsigned width) {
  if (width == 1)
    return int64_t(number & 1);
  if (width >= 64)
    return int64_t(number);
  return llvm::SignExtend64(uint64_t(number), width);
}

static uint64_t toUnsigned(int64_t number, unsigned width) {
  return width >= 64
             ? uint64_t(number)
             : uint64_t(number) & llvm::maskTrailingOnes<uint64_t>(width);
}

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b,
                    unsigned width) {
  uint64_t x = toUnsigned(a, width), y = toUnsigned(b, width);
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return a < b;
  case P::sle:
    return a <= b;
  case P::sgt:
    return a > b;
  case P::sge:
    return a >= b;
  case P::ult:
    return x < y;
  case P::ule:
    return x <= y;
  case P::ugt:
    return x > y;
  case P::uge:
    return x >= y;
  }
  llvm_unreachable("all predicates are listed");
}

std::optional<Evaluator::Number> Evaluator::computeBinary(Operation *op) {
  auto lhs = evaluate(op->getOperand(0)), rhs = evaluate(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  unsigned width = widthOf(op->getOperand(0).getType());
  int64_t a = lhs->value, b = rhs->value;
  bool wrapped = lhs->wrapped || rhs->wrapped;
  uint64_t x = toUnsigned(a, width), y = toUnsigned(b, width);
  auto exact = [&](__int128 number) {
    // A number that the type holds as signed or as unsigned is no overflow.
    __int128 half = __int128(1) << (width - 1);
    bool leaves = number < -half || number >= 2 * half;
    return Number{normalize(number, width), wrapped || leaves};
  };
  auto give = [&](int64_t number) {
    return Number{normalize(number, width), wrapped};
  };
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return Number{compare(comparison.getPredicate(), a, b, width), wrapped};
  if (isa<arith::AddIOp>(op))
    return exact(__int128(a) + b);
  if (isa<arith::SubIOp>(op))
    return exact(__int128(a) - b);
  if (isa<arith::MulIOp>(op))
    return exact(__int128(a) * b);
  if (isa<arith::AndIOp>(op))
    return give(a & b);
  if (isa<arith::OrIOp>(op))
    return give(a | b);
  if (isa<arith::XOrIOp>(op))
    return give(a ^ b);
  if (isa<arith::MinSIOp>(op))
    return give(std::min(a, b));
  if (isa<arith::MaxSIOp>(op))
    return give(std::max(a, b));
  if (isa<arith::MinUIOp>(op))
    return give(x < y ? a : b);
  if (isa<arith::MaxUIOp>(op))
    return give(x > y ? a : b);
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op)) {
    if (b < 0 || b >= int64_t(width))
      return std::nullopt;
    if (isa<arith::ShLIOp>(op))
      return exact(__int128(a) << b);
    return give(isa<arith::ShRSIOp>(op) ? a >> b : int64_t(x >> b));
  }
  if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  if (isa<arith::DivUIOp>(op))
    return give(int64_t(x / y));
  if (isa<arith::RemUIOp>(op))
    return give(int64_t(x % y));
  if (isa<arith::CeilDivUIOp>(op))
    return give(int64_t(x / y + (x % y != 0)));
  if (isa<arith::DivSIOp>(op))
    return give(a / b);
  if (isa<arith::RemSIOp>(op))
    return give(a % b);
  if (isa<arith::FloorDivSIOp>(op))
    return give(llvm::divideFloorSigned(a, b));
  if (isa<arith::CeilDivSIOp>(op))
    return give(llvm::divideCeilSigned(a, b));
  return std::nullopt;
}

std::optional<Evaluator::Number> Evaluator::compute(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.getType().isIntOrIndex() || widthOf(value.getType()) > 64)
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return Number{normalize(constant.getSExtValue(), widthOf(value.getType())),
                  false};
  auto number = [](int64_t n) { return Number{n, false}; };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return number(here.thread[size_t(id.getDimension())]);
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return number(here.block[size_t(id.getDimension())]);
  if (auto size = dyn_cast<gpu::BlockDimOp>(op))
    return number(launch.block[size_t(size.getDimension())]);
  if (auto size = dyn_cast<gpu::GridDimOp>(op))
    return number(launch.grid[size_t(size.getDimension())]);
  int64_t linear =
      here.thread[0] +
      launch.block[0] * (here.thread[1] + launch.block[1] * here.thread[2]);
  if (isa<gpu::LaneIdOp>(op))
    return number(linear % 32);
  if (isa<gpu::SubgroupIdOp>(op))
    return number(linear / 32);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto condition = isTrue(select.getCondition());
    if (!condition)
      return std::nullopt;
    return evaluate(*condition ? select.getTrueValue()
                               : select.getFalseValue());
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    auto condition = isTrue(branch.getCondition());
    if (!condition)
      return std::nullopt;
    unsigned result = cast<OpResult>(value).getResultNumber();
    return evaluate((*condition ? branch.thenYield() : branch.elseYield())
                        .getOperand(result));
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op)) {
    auto source = evaluate(op->getOperand(0));
    if (!source)
      return std::nullopt;
    unsigned from = widthOf(op->getOperand(0).getType());
    bool isUnsigned = isa<arith::IndexCastUIOp, arith::ExtUIOp>(op);
    int64_t wide = isUnsigned  ? int64_t(toUnsigned(source->value, from))
                   : from == 1 ? -source->value
                               : source->value;
    return Number{normalize(wide, widthOf(value.getType())), source->wrapped};
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Attribute> operands;
    for (Value operand : apply.getMapOperands()) {
      auto known = evaluate(operand);
      if (!known)
        return std::nullopt;
      operands.push_back(
          IntegerAttr::get(IndexType::get(op->getContext()), known->value));
    }
    SmallVector<Attribute> results;
    if (failed(apply.getAffineMap().constantFold(operands, results)))
      return std::nullopt;
    return number(cast<IntegerAttr>(results.front()).getInt());
  }
  if (op->getNumOperands() == 2 && op->getNumResults() == 1 &&
      op->getOperand(0).getType().isIntOrIndex() &&
      op->getOperand(1).getType().isIntOrIndex())
    return computeBinary(op);
  return std::nullopt;
}

std::optional<Evaluator::Number> Evaluator::evaluate(Value value) {
  if (auto it = memo.find(value); it != memo.end())
    return it->second;
  std::optional<Number> number = compute(value);
  memo[value] = number;
  return number;
}

std::optional<bool> Evaluator::isTrue(Value condition) {
  auto number = evaluate(condition);
  return number ? std::optional(number->value != 0) : std::nullopt;
}

bool Evaluator::visit(Operation *op, llvm::function_ref<bool()> body,
                      int64_t mostIterations) {
  llvm::SmallVector<Operation *> parents;
  for (Operation *parent = op->getParentOp(), *child = op;
       parent && !isa<gpu::GPUFuncOp>(parent);
       child = parent, parent = parent->getParentOp()) {
    // The child says which branch.
    parents.push_back(child);
    parents.push_back(parent);
  }
  std::reverse(parents.begin(), parents.end());
  stopped = false;
  return walk(parents, op, body, mostIterations);
}

bool Evaluator::walk(llvm::ArrayRef<Operation *> parents, Operation *op,
                     llvm::function_ref<bool()> body, int64_t mostIterations) {
  if (parents.empty()) {
    stopped = !body();
    return true;
  }
  Operation *parent = parents[0], *child = parents[1];
  parents = parents.drop_front(2);
  if (auto branch = dyn_cast<scf::IfOp>(parent)) {
    if (alwaysEntered.contains(branch))
      return walk(parents, op, body, mostIterations);
    auto condition = isTrue(branch.getCondition());
    if (!condition)
      return enterUndecided && walk(parents, op, body, mostIterations);
    bool isThen = child->getParentRegion() == &branch.getThenRegion();
    return *condition != isThen || walk(parents, op, body, mostIterations);
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return false;
  auto lower = evaluate(loop.getLowerBound()),
       upper = evaluate(loop.getUpperBound()), step = evaluate(loop.getStep());
  if (!lower || !upper || !step || step->value < 1)
    return false;
  if (upper->value <= lower->value)
    return true;
  int64_t count =
      llvm::divideCeilSigned(upper->value - lower->value, step->value);
  int64_t start = lower->value, stride = step->value;
  if (auto it = fixedIterations.find(loop); it != fixedIterations.end()) {
    if (it->second >= count)
      return true;
    enter(loop, start + it->second * stride);
    bool decided = walk(parents, op, body, mostIterations);
    leave(loop);
    return decided;
  }
  for (int64_t i = 0; i < count && !stopped; ++i) {
    if (i == mostIterations / 2 && count > mostIterations) {
      i = count - (mostIterations - mostIterations / 2);
      leftOut = true;
    }
    enter(loop, start + i * stride);
    bool decided = walk(parents, op, body, mostIterations);
    leave(loop);
    if (!decided)
      return false;
  }
  return true;
}
