//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ArgumentRanges.h"
#include "IntegerArithmetic.h"
#include "egg/Import/InputRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace egg;

namespace {

/// Follows what indexes, shifts and must not overflow back to arguments, as
/// InputRules does, but for what they may be instead of what is drawn.
class WholeRanges {
public:
  explicit WholeRanges(func::FuncOp main) : main(main) {
    for (Type type : main.getArgumentTypes())
      values.push_back(IntegerValue::unknown(getIntegerWidth(type)));
    main.walk([&](Operation *op) { visit(op); });
  }

  std::vector<IntegerValue> values;

private:
  void visit(Operation *op);
  /// Below the limit, or of any value where that is none.
  void limit(Value value, std::optional<Integer> end, unsigned promised);
  void limitAnew(Value value, std::optional<Integer> end, unsigned promised) {
    seen.clear();
    limit(value, std::move(end), promised);
  }

  func::FuncOp main;
  DenseSet<Value> seen;
};

} // namespace

void WholeRanges::visit(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    for (auto [dim, index] : llvm::enumerate(extract.getIndices()))
      limitAnew(index,
                Integer(extract.getTensor().getType().getDimSize(int64_t(dim))),
                0);
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    limitAnew(op->getOperand(1),
              Integer(int64_t(getIntegerWidth(op->getResult(0).getType()))), 0);
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (flags && (flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap()))
    for (Value operand : op->getOperands())
      limitAnew(operand, std::nullopt,
                getIntegerWidth(op->getResult(0).getType()));
}

void WholeRanges::limit(Value value, std::optional<Integer> end,
                        unsigned promised) {
  Type type = getElementTypeOrSelf(value.getType());
  if (!type.isIntOrIndexOrFloat() || !seen.insert(value).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == main.getOperation()) {
      IntegerValue &known = values[argument.getArgNumber()];
      known.promised = std::max(known.promised, promised);
      if (end)
        known.full = {Integer(0), std::min(known.full.high, *end - 1)};
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(parent)) {
      limit(linalgOp->getOperand(argument.getArgNumber()), std::move(end),
            promised);
    }
    return;
  }
  Operation *op = value.getDefiningOp();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  // A quotient of it may be in bounds where it is not.
  bool keepsBounds =
      linalgOp || isa<CastOpInterface, arith::SelectOp, arith::AddIOp,
                      tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
  if (!keepsBounds && end) {
    end.reset();
    promised = std::max(promised, getIntegerWidth(value.getType()));
  }
  // A guard says that what it does not choose may be anything.
  OperandRange operands = op->getOperands();
  if (isa<arith::SelectOp>(op)) {
    operands = operands.drop_front();
    if (promised == 0)
      return;
  }
  for (Value operand : operands)
    limit(operand, end, promised);
  if (linalgOp)
    limit(linalgOp.getBlock()->getTerminator()->getOperand(
              cast<OpResult>(value).getResultNumber()),
          end, promised);
}

std::vector<IntegerValue> egg::readArgumentRanges(ModuleOp payload,
                                                  ModuleOp small) {
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  std::vector<IntegerValue> values = WholeRanges(main).values;
  InputRules rules = readInputRules(small);
  for (auto [number, type] : llvm::enumerate(main.getArgumentTypes())) {
    IntegerValue &value = values[number];
    value.sources.arguments.insert(unsigned(number));
    if (!getElementTypeOrSelf(type).isInteger())
      continue;
    value.tried = Interval::ofWidth(getIntegerWidth(type));
    if (rules.bounds[number] != 0 && getIntegerWidth(type) > 1)
      value.tried = {Integer(0), Integer(rules.bounds[number] - 1)};
    for (int64_t guarded : rules.guarded[number])
      value.tried = unite(*value.tried, Interval::ofConstant(Integer(guarded)));
    if (*value.tried == value.full || rules.bounds[number] == 0)
      value.promised = 0;
    value.follows = !value.tried->contains(value.full);
  }
  return values;
}
