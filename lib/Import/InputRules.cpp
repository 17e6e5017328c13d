//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Import/InputRules.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace egg;

namespace {

/// Follows the indices of tensor.extract back to integer arguments of @main.
class IndexBounds {
public:
  explicit IndexBounds(func::FuncOp main) : main(main) {
    bounds.assign(main.getNumArguments(), 10);
    main.walk([&](tensor::ExtractOp extract) {
      auto type = extract.getTensor().getType();
      for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
        seen.clear();
        limit(index, type.getDimSize(dim));
      }
    });
  }

  SmallVector<int64_t> bounds;

private:
  void limit(Value value, int64_t bound);

  func::FuncOp main;
  DenseSet<Value> seen;
};

} // namespace

void IndexBounds::limit(Value value, int64_t bound) {
  // Only integers carry an index, in scalars and in tensors.
  if (!getElementTypeOrSelf(value.getType()).isIntOrIndex() ||
      !seen.insert(value).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == main.getOperation()) {
      int64_t &known = bounds[argument.getArgNumber()];
      known = std::min(known, std::max<int64_t>(bound, 1));
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
  rules.bounds = IndexBounds(main).bounds;
  for (auto [number, bound] : llvm::enumerate(rules.bounds))
    if (auto kept = main.getArgAttrOfType<IntegerAttr>(number, kBoundAttrName))
      bound = std::max<int64_t>(kept.getInt(), 1);
  rules.longProducts =
      module->hasAttr(kLongProductsAttrName) || hasLongProducts(module);
  return rules;
}

void egg::keepInputRules(ModuleOp payload) {
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  InputRules rules = readInputRules(payload);
  Builder builder(payload.getContext());
  for (auto [number, type] : llvm::enumerate(main.getArgumentTypes()))
    if (getElementTypeOrSelf(type).isInteger())
      main.setArgAttr(number, kBoundAttrName,
                      builder.getI64IntegerAttr(rules.bounds[number]));
  if (rules.longProducts)
    payload->setAttr(kLongProductsAttrName, builder.getUnitAttr());
}
