//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "UntriedIntegers.h"
#include "IntegerArithmetic.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace egg;

namespace {

using IntegerValues = std::vector<IntegerValue>;

/// Goes through both programs and follows all their integers, and of floats
/// whether they depend on the extents.
class ProgramIntegers {
public:
  ProgramIntegers(const SubstitutedProgram &program, func::FuncOp small)
      : program(program), affected(program.changed), arithmetic(findings) {
    SmallVector<Operation *> ops, smallOps;
    func::FuncOp(program.function)
        .walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    small.walk<WalkOrder::PreOrder>(
        [&](Operation *op) { smallOps.push_back(op); });
    for (auto [number, op] : llvm::enumerate(ops)) {
      numbers[op] = unsigned(number);
      smallOf[op] = smallOps[number];
    }
  }

  UntriedIntegers run(ArrayRef<IntegerValue> arguments);

private:
  struct Repetitions {
    int64_t full = 1, small = 1;
    bool follow() const { return full != small; }
  };

  IntegerValue get(Value value) const;
  void visit(Operation *op);
  void visitLinalg(linalg::LinalgOp op);
  void visitScan(ScanOp op);
  IntegerValues evaluateBody(linalg::LinalgOp op, ArrayRef<IntegerValue> outs);
  IntegerValue evaluateScalar(Operation *op);
  void evaluateAny(Operation *op);
  IntegerValue evaluateIndex(linalg::IndexOp op) const;
  /// Combines the values that passes through `step` give, as often as that.
  IntegerValues
  repeat(TypeRange types, IntegerValues first, Repetitions times,
         llvm::function_ref<IntegerValues(ArrayRef<IntegerValue>)> step);
  bool isAffected(Operation *op) const;

  const SubstitutedProgram &program;
  /// What differs in the two programs, and what is computed from it.
  DenseSet<Operation *> affected;
  Findings findings;
  IntegerArithmetic arithmetic;
  DenseMap<Value, IntegerValue> values;
  DenseMap<Operation *, unsigned> numbers;
  DenseMap<Operation *, Operation *> smallOf;
  /// Of the operation of the body that is looked at: whether what is found
  /// counts, and whether the payload has it too.
  bool counts = false, isPayload = false;
};

} // namespace

IntegerValue ProgramIntegers::get(Value value) const {
  auto known = values.find(value);
  return known != values.end()
             ? known->second
             : IntegerValue::unknown(getIntegerWidth(value.getType()));
}

static IntegerValue throughTensor(IntegerValue value) {
  value.sources = value.sources.throughTensor();
  // Constants stay what they are at any position.
  if (!value.getConstant())
    value.samples.clear();
  return value;
}

/// Of a scalar or the elements of a tensor.
static std::optional<IntegerValue> evaluateConstant(Attribute attribute,
                                                    unsigned width) {
  auto toInteger = [&](const APInt &value) {
    // i1 is 0 or 1.
    return Integer(width == 1 ? value.zext(64) : value);
  };
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return IntegerValue::ofConstant(toInteger(number.getValue()));
  auto table = dyn_cast<DenseIntElementsAttr>(attribute);
  if (!table || table.empty())
    return std::nullopt;
  IntegerValue result =
      IntegerValue::ofConstant(toInteger(*table.value_begin<APInt>()));
  if (table.isSplat())
    return result;
  for (const APInt &value : table)
    result.full = unite(result.full, Interval::ofConstant(toInteger(value)));
  result.tried.reset();
  result.samples.clear();
  result.progression.reset();
  result.sources.positions = true;
  return result;
}

IntegerValue ProgramIntegers::evaluateIndex(linalg::IndexOp op) const {
  auto linalgOp = cast<linalg::LinalgOp>(op->getParentOp());
  auto small = cast<linalg::LinalgOp>(smallOf.lookup(linalgOp));
  unsigned dim = unsigned(op.getDim());
  PositionLoop loop{linalgOp.getOperation(), dim,
                    linalgOp.getStaticLoopRanges()[dim],
                    small.getStaticLoopRanges()[dim]};
  IntegerValue result;
  result.full = {Integer(0), Integer(loop.full - 1)};
  result.tried = {Integer(0), Integer(loop.small - 1)};
  result.follows = loop.full != loop.small;
  result.progression = Progression::ofLoop(loop);
  result.sources.loops.insert(dim);
  result.setSamplesOfLoop(dim, loop.small);
  return result;
}

IntegerValue ProgramIntegers::evaluateScalar(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  unsigned width = getIntegerWidth(type);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return evaluateConstant(constant.getValue(), width)
        .value_or(IntegerValue::unknown(width));
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return evaluateIndex(index);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    for (Value index : extract.getIndices())
      arithmetic.checkUse(op, get(index));
    IntegerValue result = throughTensor(get(extract.getTensor()));
    // Another element, at a position that something else may be computed from.
    result.progression.reset();
    result.sources.positions |= result.follows;
    return result;
  }
  IntegerValues operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  if (type.isIntOrIndex())
    return arithmetic.evaluate(op, operands, isPayload);
  arithmetic.checkUse(op, operands);
  IntegerValue result = IntegerValue::unknown(width);
  for (const IntegerValue &operand : operands)
    result.follows |= operand.follows;
  return result;
}

void ProgramIntegers::evaluateAny(Operation *op) {
  if (op->getNumResults() == 1 && op->getNumRegions() == 0) {
    values[op->getResult(0)] = evaluateScalar(op);
    return;
  }
  // What regions read is not followed.
  for (Value result : op->getResults()) {
    IntegerValue &value = values[result];
    value = IntegerValue::unknown(getIntegerWidth(result.getType()));
    value.follows = true;
  }
}

IntegerValues ProgramIntegers::evaluateBody(linalg::LinalgOp op,
                                            ArrayRef<IntegerValue> outs) {
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (op.isDpsInit(&operand))
      values[argument] =
          outs[operand.getOperandNumber() - op.getNumDpsInputs()];
    else
      values[argument] = throughTensor(get(operand.get()));
  }
  for (Operation &inner : op.getBlock()->without_terminator())
    evaluateAny(&inner);
  IntegerValues results;
  for (Value value : op.getBlock()->getTerminator()->getOperands())
    results.push_back(get(value));
  return results;
}

IntegerValues ProgramIntegers::repeat(
    TypeRange types, IntegerValues first, Repetitions times,
    llvm::function_ref<IntegerValues(ArrayRef<IntegerValue>)> step) {
  findings.enable(false);
  auto widen = [&](ArrayRef<IntegerValue> from, ArrayRef<IntegerValue> to) {
    IntegerValues result(to.begin(), to.end());
    for (auto [wide, before] : llvm::zip_equal(result, from)) {
      wide.full = unite(before.full, wide.full);
      wide.follows |= times.follow();
      wide.progression.reset();
      wide.samples.clear();
      // Other elements of the same inputs; positions go on in an order.
      if (times.small < 2 || wide.sources.arguments.empty() ||
          !wide.sources.loops.empty() || wide.sources.positions)
        wide.tried.reset();
      wide.sources = {};
    }
    return result;
  };
  for (IntegerValue &value : first) {
    value.progression.reset();
    value.samples.clear();
    value.sources = {};
  }
  IntegerValues once = widen(first, step(first));
  IntegerValues twice = widen(once, step(once));
  IntegerValues before = once, growth = once;
  Integer more(times.full - 1);
  for (auto [value, grown, next] : llvm::zip_equal(before, growth, twice)) {
    grown.full.low = next.full.low - value.full.low;
    grown.full.high = next.full.high - value.full.high;
    value.full.low += grown.full.low * more;
    value.full.high += grown.full.high * more;
    value.follows |= next.follows;
  }
  // What grows faster may become anything.
  for (auto [value, grown, next, type] :
       llvm::zip_equal(before, growth, step(before), types))
    if (!Interval{value.full.low + grown.full.low,
                  value.full.high + grown.full.high}
             .contains(next.full))
      value.full = Interval::ofWidth(getIntegerWidth(type));
  findings.enable(counts);
  IntegerValues results = step(before);
  for (IntegerValue &value : results) {
    value.follows |= times.follow();
    value.progression.reset();
    value.samples.clear();
  }
  return results;
}

void ProgramIntegers::visitLinalg(linalg::LinalgOp op) {
  IntegerValues results, outs;
  for (Value init : op.getDpsInits())
    outs.push_back(throughTensor(get(init)));
  if (op.getNumReductionLoops() == 0) {
    results = evaluateBody(op, outs);
  } else {
    Repetitions times;
    SmallVector<unsigned> dims;
    op.getReductionDims(dims);
    auto small = cast<linalg::LinalgOp>(smallOf.lookup(op));
    for (unsigned dim : dims) {
      times.full *= op.getStaticLoopRanges()[dim];
      times.small *= small.getStaticLoopRanges()[dim];
    }
    results = repeat(op->getResultTypes(), outs, times,
                     [&](ArrayRef<IntegerValue> accumulators) {
                       return evaluateBody(op, accumulators);
                     });
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    values[result] = throughTensor(value);
}

void ProgramIntegers::visitScan(ScanOp op) {
  IntegerValue input = throughTensor(get(op.getInput()));
  unsigned width = getIntegerWidth(op.getInput().getType());
  Repetitions times{
      cast<ShapedType>(op.getInput().getType()).getDimSize(op.getDim()),
      cast<ShapedType>(
          smallOf.lookup(op.getOperation())->getOperand(0).getType())
          .getDimSize(op.getDim())};
  IntegerValue neutral = evaluateConstant(op.getNeutralElement(), width)
                             .value_or(IntegerValue::unknown(width));
  auto step = [&](ArrayRef<IntegerValue> accumulators) {
    const IntegerValue &known = accumulators.front();
    IntegerValue next = op.getKind() == ScanKind::Add ? add(known, input)
                        : op.getKind() == ScanKind::Mul
                            ? multiply(known, input, false)
                            : either(known, input);
    return IntegerValues{arithmetic.settle(op, next, width)};
  };
  IntegerValue result =
      repeat(op->getResultTypes(), {neutral}, times, step).front();
  // The first elements are sums of few.
  result.full = unite(result.full, unite(neutral.full, input.full));
  result.sources.positions = true;
  values[op.getResult()] = result;
}

bool ProgramIntegers::isAffected(Operation *op) const {
  if (affected.count(op))
    return true;
  WalkResult result = op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (affected.count(operand.getDefiningOp()))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

void ProgramIntegers::visit(Operation *op) {
  counts = isAffected(op);
  if (counts)
    affected.insert(op);
  isPayload = !program.changed.count(op) || program.payloads.count(op);
  findings.enable(counts);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(linalgOp);
  if (auto scan = dyn_cast<ScanOp>(op))
    if (getElementTypeOrSelf(scan.getInput().getType()).isIntOrIndex())
      return visitScan(scan);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
          tensor::PadOp, tensor::CastOp, tensor::SplatOp,
          tensor::FromElementsOp>(op)) {
    Value result = op->getResult(0);
    std::optional<IntegerValue> all;
    auto unite = [&](Value part) {
      if (getElementTypeOrSelf(part.getType()) !=
          getElementTypeOrSelf(result.getType()))
        return;
      Operation *constant = part.getDefiningOp<arith::ConstantOp>();
      IntegerValue value =
          throughTensor(constant ? evaluateScalar(constant) : get(part));
      all = all ? either(*all, value) : value;
    };
    llvm::for_each(op->getOperands(), unite);
    if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      Value padding = pad.getConstantPaddingValue();
      if (!padding)
        return;
      unite(padding);
    }
    if (all)
      values[result] = *all;
    return;
  }
  if (!isa<tensor::EmptyOp>(op))
    evaluateAny(op);
}

UntriedIntegers ProgramIntegers::run(ArrayRef<IntegerValue> arguments) {
  func::FuncOp function = program.function;
  for (auto [argument, value] :
       llvm::zip_equal(function.getArguments(), arguments))
    values[argument] = value;
  for (Operation &op : function.getBody().front().without_terminator())
    visit(&op);
  findings.enable(true);
  findings.closeRepeating();
  UntriedIntegers result;
  for (const auto &[op, what] : findings.get())
    result.emplace(numbers.lookup(op), UntriedInteger{op->getLoc(), what});
  return result;
}

UntriedIntegers egg::findUntriedIntegers(const SubstitutedProgram &program,
                                         func::FuncOp small,
                                         ArrayRef<IntegerValue> arguments) {
  return ProgramIntegers(program, small).run(arguments);
}
