//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/TransformOps/ReductionSplitting.h"
#include "egg/Kernel/AnchorMatching.h"
#include "egg/Kernel/KernelConfig.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace egg {

namespace {

/// What is known before anything is changed.
struct SplitPlan {
  /// The loop to split, its extent and the number of shares.
  unsigned loop;
  int64_t extent, shares;
  SmallVector<Operation *> combiners;
};

/// A dimension of that many elements may stay one share where it has no divisor
/// that fits.
constexpr int64_t kMostElements = 4096;

FailureOr<SplitPlan> planSplit(linalg::LinalgOp op, int64_t parts,
                               std::string &why) {
  SplitPlan plan;
  for (unsigned i = 0, e = op.getNumDpsInits(); i < e; ++i) {
    Operation *combiner = matchCombiner(op, i);
    if (!combiner || !arith::getNeutralElement(combiner)) {
      why = "its partial results cannot be combined";
      return failure();
    }
    plan.combiners.push_back(combiner);
  }
  for (Operation &inner : *op.getBlock())
    if (isa<linalg::IndexOp>(inner)) {
      why = "its body uses the index, which splitting would change";
      return failure();
    }
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto isSplittable = [&](unsigned loop) {
    // Every operand must have the dimension as it is or not at all.
    return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction &&
           llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
             return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
               return isa<AffineDimExpr>(expr) || !expr.isFunctionOfDim(loop);
             });
           });
  };
  // Something must be left for the first reduction to reduce.
  bool mayBeWhole = op.getNumReductionLoops() > 1;
  for (auto [loop, extent] : llvm::enumerate(extents)) {
    int64_t shares = std::min(parts, mayBeWhole ? extent : extent - 1);
    while (shares > 1 && extent % shares != 0)
      --shares;
    if (shares < 2 || !isSplittable(loop))
      continue;
    plan.loop = loop;
    plan.extent = extent;
    plan.shares = shares;
    return plan;
  }
  // A script is also applied at other extents, primes and ones among them.
  for (auto [loop, extent] : llvm::enumerate(extents)) {
    if (extent > kMostElements || !isSplittable(loop))
      continue;
    plan.loop = loop;
    plan.extent = extent;
    plan.shares = 1;
    return plan;
  }
  why = "no reduction dimension has a divisor between 2 and " +
        std::to_string(parts) + ", or at most " +
        std::to_string(kMostElements) +
        " elements, and reaches the operands unmixed";
  return failure();
}

/// Builds both reductions in front of the op.
class Splitter {
public:
  Splitter(RewriterBase &rewriter, linalg::LinalgOp op, const SplitPlan &plan)
      : b(rewriter), op(op), plan(plan), loc(op.getLoc()),
        context(op.getContext()),
        whole(plan.shares == plan.extent && plan.shares > 1),
        loops(op.getNumLoops()) {}

  SplitReduction run() {
    SplitReduction result;
    result.partial = buildPartial();
    result.combined = buildCombined(result.partial);
    StringAttr name = op->getAttrOfType<StringAttr>(kNameAttrName);
    if (name) {
      result.partial->setAttr(kNameAttrName,
                              b.getStringAttr(name.getValue() + "_partial"));
      result.combined->setAttr(kNameAttrName, name);
    }
    return result;
  }

private:
  /// The expression in the partial op's loops: the share is the loop's old
  /// place, what is left of the loop comes right after it.
  AffineExpr shift(AffineExpr expr) {
    SmallVector<AffineExpr> dims;
    for (unsigned d = 0; d < loops; ++d)
      dims.push_back(
          getAffineDimExpr(d > plan.loop && !whole ? d + 1 : d, context));
    return expr.replaceDims(dims);
  }
  unsigned newLoops() const { return whole ? loops : loops + 1; }

  std::pair<Value, AffineMap> splitInput(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<AffineExpr> results;
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape;
    auto tensor = dyn_cast<RankedTensorType>(operand.get().getType());
    bool expanded = false;
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      results.push_back(shift(expr));
      groups.push_back({static_cast<int64_t>(shape.size())});
      bool split = !whole && expr == getAffineDimExpr(plan.loop, context);
      if (!split) {
        shape.push_back(tensor.getDimSize(d));
        continue;
      }
      expanded = true;
      results.push_back(getAffineDimExpr(plan.loop + 1, context));
      groups.back().push_back(shape.size() + 1);
      shape.push_back(plan.shares);
      shape.push_back(plan.extent / plan.shares);
    }
    Value value = operand.get();
    if (expanded)
      value = tensor::ExpandShapeOp::create(
          b, loc, RankedTensorType::get(shape, tensor.getElementType()), value,
          groups);
    return {value, AffineMap::get(newLoops(), 0, results, context)};
  }

  linalg::GenericOp buildPartial() {
    SmallVector<Value> inputs, inits;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto [value, map] = splitInput(*operand);
      inputs.push_back(value);
      maps.push_back(map);
    }
    for (auto [i, combiner] : llvm::enumerate(plan.combiners)) {
      OpOperand *init = op.getDpsInitOperand(i);
      auto type = cast<RankedTensorType>(init->get().getType());
      // Shares outermost: what a contraction stores stays contiguous.
      SmallVector<int64_t> shape = {plan.shares};
      llvm::append_range(shape, type.getShape());
      SmallVector<AffineExpr> results = {getAffineDimExpr(plan.loop, context)};
      for (AffineExpr expr : op.getMatchingIndexingMap(init).getResults())
        results.push_back(shift(expr));
      maps.push_back(AffineMap::get(newLoops(), 0, results, context));
      Value empty =
          tensor::EmptyOp::create(b, loc, shape, type.getElementType());
      Value neutral = arith::ConstantOp::create(
          b, loc, *arith::getNeutralElement(combiner));
      inits.push_back(
          linalg::FillOp::create(b, loc, neutral, empty).getResult(0));
    }
    SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
    types[plan.loop] = utils::IteratorType::parallel;
    if (!whole)
      types.insert(types.begin() + plan.loop + 1,
                   utils::IteratorType::reduction);
    auto partial = linalg::GenericOp::create(
        b, loc, TypeRange(ValueRange(inits)), inputs, inits, maps, types);
    IRMapping mapping;
    op->getRegion(0).cloneInto(&partial.getRegion(), mapping);
    // Sums that the payload never forms must not promise not to overflow.
    for (Operation *combiner : plan.combiners)
      if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(
              mapping.lookup(combiner)))
        flags->setAttr(flags.getIntegerOverflowAttrName(),
                       arith::IntegerOverflowFlagsAttr::get(
                           context, arith::IntegerOverflowFlags::none));
    return partial;
  }

  linalg::GenericOp buildCombined(linalg::GenericOp partial) {
    SmallVector<AffineMap> maps;
    SmallVector<Value> inits;
    unsigned rank = 0;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      inits.push_back(init.get());
      rank = cast<RankedTensorType>(init.get().getType()).getRank();
    }
    AffineMap identity = AffineMap::getMultiDimIdentityMap(rank + 1, context);
    maps.append(inits.size(), identity);
    maps.append(inits.size(), identity.dropResult(0));
    SmallVector<utils::IteratorType> types(rank + 1,
                                           utils::IteratorType::parallel);
    types[0] = utils::IteratorType::reduction;
    return linalg::GenericOp::create(
        b, loc, TypeRange(ValueRange(inits)), partial.getResults(), inits, maps,
        types, [&](OpBuilder &nested, Location at, ValueRange args) {
          SmallVector<Value> sums;
          for (auto [i, combiner] : llvm::enumerate(plan.combiners)) {
            OperationState state(at, combiner->getName());
            state.addOperands({args[i], args[inits.size() + i]});
            state.addTypes(combiner->getResultTypes());
            sums.push_back(nested.create(state)->getResult(0));
          }
          linalg::YieldOp::create(nested, at, sums);
        });
  }

  RewriterBase &b;
  linalg::LinalgOp op;
  const SplitPlan &plan;
  Location loc;
  MLIRContext *context;
  bool whole;
  unsigned loops;
};

} // namespace

FailureOr<SplitReduction> splitReduction(RewriterBase &rewriter,
                                         linalg::LinalgOp op, int64_t parts,
                                         std::string &why) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumReductionLoops() == 0) {
    why = "it is no reduction on tensors of static shape";
    return failure();
  }
  auto plan = planSplit(op, parts, why);
  if (failed(plan))
    return failure();
  rewriter.setInsertionPoint(op);
  SplitReduction result = Splitter(rewriter, op, *plan).run();
  rewriter.replaceOp(op, result.combined.getResults());
  return result;
}

} // namespace egg
