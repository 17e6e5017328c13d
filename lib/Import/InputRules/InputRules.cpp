//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Import/InputRules.h"
#include "GuardedValues.h"
#include "PayloadConstants.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace egg;

namespace {

/// The range of integers where a payload has no room: it indexes with them,
/// which must stay in bounds, shifts by them, or promises no overflow.
inline constexpr int64_t kSmall = 10;

/// Follows such values back to integer arguments of @main.
class IntegerBounds {
public:
  explicit IntegerBounds(func::FuncOp main) : main(main) {
    bounds.assign(main.getNumArguments(), 0);
    main.walk([&](Operation *op) { visit(op); });
  }

  SmallVector<int64_t> bounds;

private:
  void visit(Operation *op);
  void limit(Value value, int64_t bound);

  func::FuncOp main;
  DenseSet<Value> seen;
};

} // namespace

/// Whether the result is poison for some operands, by the payload's promise.
static bool promisesNoOverflow(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && (flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap());
}

void IntegerBounds::visit(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    auto type = extract.getTensor().getType();
    for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
      seen.clear();
      limit(index, type.getDimSize(dim));
    }
  }
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op)) {
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    seen.clear();
    limit(op->getOperand(1),
          type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
  }
  if (promisesNoOverflow(op))
    for (Value operand : op->getOperands()) {
      seen.clear();
      limit(operand, kSmall);
    }
}

void IntegerBounds::limit(Value value, int64_t bound) {
  Type type = getElementTypeOrSelf(value.getType());
  if (!type.isIntOrIndexOrFloat() || !seen.insert(value).second)
    return;
  // Floats may be scaled.
  if (isa<FloatType>(type))
    bound = kSmall;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == main.getOperation()) {
      int64_t &known = bounds[argument.getArgNumber()];
      known = std::min(known ? known : kSmall, std::max<int64_t>(bound, 1));
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(parent)) {
      limit(linalgOp->getOperand(argument.getArgNumber()), bound);
    }
    return;
  }
  for (Value operand : value.getDefiningOp()->getOperands())
    limit(operand, bound);
  // A linalg op's value comes from what its body yields.
  if (auto linalgOp = value.getDefiningOp<linalg::LinalgOp>())
    limit(linalgOp.getBlock()->getTerminator()->getOperand(
              cast<OpResult>(value).getResultNumber()),
          bound);
}

static bool hasLongProducts(ModuleOp payload) {
  WalkResult result = payload.walk([](Operation *op) {
    if (auto scan = dyn_cast<ScanOp>(op))
      return scan.getKind() == ScanKind::Mul ? WalkResult::interrupt()
                                             : WalkResult::advance();
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || linalgOp.getNumReductionLoops() == 0)
      return WalkResult::advance();
    for (BlockArgument out : linalgOp.getRegionOutputArgs())
      for (Operation *user : out.getUsers())
        if (isa<arith::MulFOp>(user))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

InputRules egg::readInputRules(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  InputRules rules;
  rules.bounds = IntegerBounds(main).bounds;
  for (auto [number, bound] : llvm::enumerate(rules.bounds))
    if (auto kept = main.getArgAttrOfType<IntegerAttr>(number, kBoundAttrName))
      bound = std::max<int64_t>(kept.getInt(), 0);
  auto integers = module->getAttrOfType<DenseI64ArrayAttr>(kIntegersAttrName);
  rules.integers = integers ? SmallVector<int64_t>(integers.asArrayRef())
                            : findIntegers(main);
  rules.guarded.resize(rules.bounds.size());
  for (auto [number, bound] : llvm::enumerate(rules.bounds))
    if (auto kept =
            main.getArgAttrOfType<DenseI64ArrayAttr>(number, kGuardedAttrName))
      rules.guarded[number] = SmallVector<int64_t>(kept.asArrayRef());
    else if (bound != 0 &&
             getElementTypeOrSelf(main.getArgumentTypes()[number]).isInteger())
      rules.guarded[number] =
          findGuardedValues(main, number, bound, rules.integers);
  auto thresholds =
      module->getAttrOfType<DenseF64ArrayAttr>(kThresholdsAttrName);
  rules.thresholds = thresholds ? SmallVector<double>(thresholds.asArrayRef())
                                : findThresholds(main);
  rules.longProducts =
      module->hasAttr(kLongProductsAttrName) || hasLongProducts(module);
  return rules;
}

void egg::keepInputRules(ModuleOp payload) {
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  InputRules rules = readInputRules(payload);
  Builder builder(payload.getContext());
  bool drawsIntegers = false;
  for (auto [number, type] : llvm::enumerate(main.getArgumentTypes()))
    if (getElementTypeOrSelf(type).isInteger()) {
      main.setArgAttr(number, kBoundAttrName,
                      builder.getI64IntegerAttr(rules.bounds[number]));
      main.setArgAttr(number, kGuardedAttrName,
                      builder.getDenseI64ArrayAttr(rules.guarded[number]));
      drawsIntegers |= rules.bounds[number] == 0;
    }
  if (drawsIntegers && !rules.integers.empty())
    payload->setAttr(kIntegersAttrName,
                     builder.getDenseI64ArrayAttr(rules.integers));
  if (!rules.thresholds.empty())
    payload->setAttr(kThresholdsAttrName,
                     builder.getDenseF64ArrayAttr(rules.thresholds));
  if (rules.longProducts)
    payload->setAttr(kLongProductsAttrName, builder.getUnitAttr());
}

void egg::addInputConstants(ModuleOp payload, ModuleOp other) {
  InputRules rules = readInputRules(payload), more = readInputRules(other);
  auto addAll = [](auto &constants, const auto &others) {
    for (auto value : others)
      if (!llvm::is_contained(constants, value))
        constants.push_back(value);
  };
  addAll(rules.integers, more.integers);
  addAll(rules.thresholds, more.thresholds);
  Builder builder(payload.getContext());
  payload->setAttr(kIntegersAttrName,
                   builder.getDenseI64ArrayAttr(rules.integers));
  payload->setAttr(kThresholdsAttrName,
                   builder.getDenseF64ArrayAttr(rules.thresholds));
}
