//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PayloadDims.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;
using namespace egg;

/// Slack and offsets up to this many elements are kept as they are; more would
/// dominate the shrunken extent.
static constexpr int64_t kSmall = 16;

PayloadDims::Vars &PayloadDims::dims(Value value) {
  auto [entry, inserted] = valueDims.try_emplace(value);
  if (inserted)
    for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape())
      entry->second.push_back(system.addVariable(extent));
  return entry->second;
}

void PayloadDims::fixAll(Value value) {
  for (DimSystem::Var var : dims(value))
    system.fix(var);
}

void PayloadDims::uniteAll(ValueRange values) {
  for (Value value : values.drop_front()) {
    Vars first = dims(values.front());
    for (auto [a, b] : llvm::zip_equal(first, dims(value)))
      system.unite(a, b);
  }
}

/// Splits an expression into coefficients of dimensions and a constant; false
/// when it is not linear.
static bool flatten(AffineExpr expr, int64_t scale,
                    SmallVectorImpl<int64_t> &coefficients, int64_t &constant) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    coefficients[dim.getPosition()] += scale;
    return true;
  }
  if (auto value = dyn_cast<AffineConstantExpr>(expr)) {
    constant += scale * value.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return flatten(binary.getLHS(), scale, coefficients, constant) &&
           flatten(binary.getRHS(), scale, coefficients, constant);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && factor &&
         flatten(binary.getLHS(), scale * factor.getValue(), coefficients,
                 constant);
}

void PayloadDims::collectMap(AffineMap map, const Vars &loops,
                             const Vars &operand) {
  for (auto [number, expr] : llvm::enumerate(map.getResults())) {
    DimSystem::Var extent = operand[number];
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      if (system.getOriginal(loops[dim.getPosition()]) ==
          system.getOriginal(extent)) {
        system.unite(loops[dim.getPosition()], extent);
        continue;
      }
    }
    SmallVector<int64_t> coefficients(map.getNumDims());
    int64_t constant = 0;
    bool linear = flatten(expr, 1, coefficients, constant);
    if (linear &&
        llvm::all_of(coefficients, [](int64_t c) { return c >= 0; })) {
      // The extent less what the window covers stays: with strides, the rest
      // that no window reaches.
      SmallVector<DimSystem::Term> terms = {{1, extent}};
      for (auto [dim, coefficient] : llvm::enumerate(coefficients))
        if (coefficient != 0)
          terms.emplace_back(-coefficient, loops[dim]);
      system.keepSum(terms);
      continue;
    }
    // A reversed or divided index contains extents as constants.
    system.fix(extent);
    expr.walk([&](AffineExpr part) {
      if (auto dim = dyn_cast<AffineDimExpr>(part))
        system.fix(loops[dim.getPosition()]);
    });
  }
}

void PayloadDims::collectLinalg(linalg::LinalgOp op) {
  Vars loops;
  for (int64_t range : op.getStaticLoopRanges())
    loops.push_back(system.addVariable(range));
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      collectMap(op.getMatchingIndexingMap(&operand), loops,
                 Vars(dims(operand.get())));
  for (auto [init, result] :
       llvm::zip_equal(op.getDpsInits(), op->getResults()))
    uniteAll({init, result});
  // The innermost alone: to make it long makes the whole reduction long.
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (size_t i = loops.size(); i-- > 0;)
    if (kinds[i] == utils::IteratorType::reduction) {
      system.mark(loops[i], DimSystem::Role::Reduction);
      break;
    }
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults())
      if (!isa<AffineDimExpr>(expr))
        expr.walk([&](AffineExpr part) {
          auto dim = dyn_cast<AffineDimExpr>(part);
          if (dim && kinds[dim.getPosition()] == utils::IteratorType::reduction)
            system.mark(loops[dim.getPosition()], DimSystem::Role::Window);
        });
  loopNests.push_back(loops);
  nestOf[op] = loopNests.size() - 1;
  collectExtracts(op, loops);
}

void PayloadDims::collectReshape(Value expanded, Value collapsed,
                                 ArrayRef<ReassociationIndices> groups) {
  Vars wide = dims(expanded), narrow = dims(collapsed);
  for (auto [product, group] : llvm::zip_equal(narrow, groups)) {
    // Ones do not matter; a group with a single other extent is that extent.
    Vars factors;
    for (int64_t dim : group)
      if (system.getOriginal(wide[dim]) != 1)
        factors.push_back(wide[dim]);
    if (factors.size() == 1)
      system.unite(product, factors.front());
    else if (factors.size() > 1)
      system.multiply(product, factors);
  }
  // No groups: everything is one.
}

/// What is padded stays longer than the padding where it is, and begins and
/// ends where it does among slices of it: else the padding is all that shows.
void PayloadDims::collectPad(tensor::PadOp pad) {
  Vars from = dims(pad.getSource()), to = dims(pad.getResult());
  for (auto [small, large, low, high] :
       llvm::zip_equal(from, to, pad.getStaticLow(), pad.getStaticHigh())) {
    int64_t original = system.getOriginal(small);
    if (original == system.getOriginal(large)) {
      system.unite(small, large);
      continue;
    }
    system.keepSum({{1, large}, {-1, small}});
    positions.push_back({large, {}, low});
    positions.push_back({large, {{1, large}}, -high});
    for (int64_t padding : {low, high})
      if (padding > 1 && original > padding)
        wishes.push_back({{{1, small}},
                          padding + 1,
                          pad.getLoc(),
                          llvm::formatv("the padding of {0}", padding)});
  }
}

void PayloadDims::collectSlice(OffsetSizeAndStrideOpInterface slice,
                               Value outer, Value inner) {
  Operation *op = slice;
  auto allStatic = [](ArrayRef<int64_t> values) {
    return !llvm::is_contained(values, ShapedType::kDynamic);
  };
  if (!allStatic(slice.getStaticOffsets()) ||
      !allStatic(slice.getStaticSizes()) ||
      !allStatic(slice.getStaticStrides())) {
    fixAll(outer);
    fixAll(inner);
    return;
  }
  llvm::SmallBitVector dropped =
      isa<tensor::ExtractSliceOp>(op)
          ? cast<tensor::ExtractSliceOp>(op).getDroppedDims()
          : cast<tensor::InsertSliceOp>(op).getDroppedDims();
  Vars outerDims = dims(outer), innerDims = dims(inner), sizes;
  unsigned position = 0;
  for (unsigned dim = 0; dim < outerDims.size(); ++dim)
    sizes.push_back(dropped.test(dim) ? system.addVariable(1)
                                      : innerDims[position++]);
  SmallVector<SliceOffset> rules;
  for (auto [n, z, offset, stride] :
       llvm::zip_equal(outerDims, sizes, slice.getStaticOffsets(),
                       slice.getStaticStrides())) {
    int64_t extent = system.getOriginal(n), size = system.getOriginal(z);
    int64_t slack = extent - (offset + (size - 1) * stride + 1);
    SliceOffset rule = {SliceOffset::Kind::Keep, offset};
    bool endsWithExtent = false;
    if (size == extent) {
      system.unite(n, z);
    } else if (size == 1) {
      if (offset <= slack) {
        system.bound(n, offset + 1);
      } else {
        rule = {SliceOffset::Kind::FromEnd, extent - offset};
        system.bound(n, extent - offset);
      }
    } else if (size > 0 && stride == 1 && extent % size == 0 &&
               offset % size == 0 && extent / size <= 64) {
      // One of several equal parts.
      system.keepSum({{1, n}, {-extent / size, z}});
      rule = {SliceOffset::Kind::Multiple, offset / size};
    } else if (slack <= kSmall && offset <= kSmall) {
      system.keepSum({{1, n}, {-stride, z}});
      endsWithExtent = true;
    } else if (offset <= kSmall) {
      system.boundSum({{1, n}, {-stride, z}}, offset - stride + 1);
    } else {
      system.fix(z);
      rule = {SliceOffset::Kind::FromEnd, extent - offset};
      system.bound(n, extent - offset);
    }
    rules.push_back(rule);
    if (size != extent && size > 0)
      collectPositions(n, z, stride, rule, endsWithExtent);
  }
  offsets[op] = std::move(rules);
  sliceSizes[op] = std::move(sizes);
}

void PayloadDims::collectOp(Operation *op) {
  auto isTensor = [](Value value) {
    return isa<RankedTensorType>(value.getType());
  };
  SmallVector<Value> tensors;
  llvm::copy_if(op->getOperands(), std::back_inserter(tensors), isTensor);
  llvm::copy_if(op->getResults(), std::back_inserter(tensors), isTensor);
  if (tensors.empty() || isa<func::ReturnOp, tensor::SplatOp>(op)) {
    return;
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return collectLinalg(linalgOp);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op);
      empty && empty.getDynamicSizes().empty())
    return;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return collectReshape(expand.getResult(), expand.getSrc(),
                          expand.getReassociationIndices());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return collectReshape(collapse.getSrc(), collapse.getResult(),
                          collapse.getReassociationIndices());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return collectSlice(slice, slice.getSource(), slice.getResult());
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    uniteAll({slice.getDest(), slice.getResult()});
    return collectSlice(slice, slice.getDest(), slice.getSource());
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op);
      pad && pad.getLow().empty() && pad.getHigh().empty())
    return collectPad(pad);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    Vars result = dims(concat.getResult());
    SmallVector<DimSystem::Term> sum = {{1, result[concat.getDim()]}};
    for (Value input : concat.getInputs())
      for (auto [dim, var] : llvm::enumerate(dims(input))) {
        if (dim == concat.getDim())
          sum.emplace_back(-1, var);
        else
          system.unite(var, result[dim]);
      }
    system.keepSum(sum);
    return;
  }
  if (auto scan = dyn_cast<egg::ScanOp>(op))
    system.mark(dims(scan.getInput())[scan.getDim()],
                DimSystem::Role::Reduction);
  if (isa<egg::ScanOp>(op) || OpTrait::hasElementwiseMappableTraits(op))
    return uniteAll(tensors);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (isa<SplatElementsAttr>(constant.getValue()))
      return;
  // Whatever else: its extents stay.
  for (Value value : tensors)
    fixAll(value);
}

LogicalResult PayloadDims::collect(func::FuncOp function,
                                   bool resultsComeTwice) {
  WalkResult result = function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto shaped = dyn_cast<ShapedType>(type);
          shaped && (!shaped.hasStaticShape())) {
        op->emitError() << "cannot be shrunk: " << type
                        << " is not of static shape";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape())
      return function.emitError()
             << "cannot be shrunk: argument " << argument.getArgNumber()
             << " is not a tensor of static shape";
    dims(argument);
  }
  for (Operation &op : function.getBody().front())
    collectOp(&op);
  if (resultsComeTwice) {
    auto results = function.getBody().front().getTerminator()->getOperands();
    for (size_t i = 0, half = results.size() / 2; i < half; ++i)
      uniteAll({results[i], results[half + i]});
  }
  collectPositionWishes();
  collectConstantWishes(function);
  // Those of one minimum stay in their order.
  std::multimap<int64_t, ExtentWish> byMinimum;
  for (ExtentWish &wish : wishes)
    byMinimum.emplace(wish.minimum, std::move(wish));
  wishes.clear();
  for (auto &[minimum, wish] : byMinimum)
    wishes.push_back(std::move(wish));
  return success();
}

int64_t PayloadDims::estimateWork(ArrayRef<int64_t> extents) const {
  auto product = [&](const Vars &vars) {
    int64_t result = 1;
    for (DimSystem::Var var : vars)
      result = llvm::MulOverflow(result, extents[var], result)
                   ? std::numeric_limits<int64_t>::max() / 4
                   : result;
    return result;
  };
  int64_t work = 0;
  auto add = [&](int64_t part) {
    if (llvm::AddOverflow(work, part, work))
      work = std::numeric_limits<int64_t>::max();
  };
  for (const Vars &loops : loopNests)
    add(product(loops));
  for (const auto &[value, vars] : valueDims)
    add(product(vars));
  return work;
}
