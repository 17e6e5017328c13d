//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Expressions.h"
#include "PayloadParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace egg::fuzz;

/// Elements of a result that a view may make.
static constexpr int64_t kMostElements = 6000;

static void addElementwise(PayloadBuilder &p) {
  Value first = p.pickTensor();
  Shape loops(shapeOf(first));
  SmallVector<Access> inputs = {{first, p.identity(loops.size())}};
  if (p.choices.chance(15) && loops.size() > 1) {
    // The loops in another order than the tensor's dimensions.
    auto order = llvm::to_vector(llvm::seq<unsigned>(0, loops.size()));
    p.choices.shuffle(order);
    Shape permuted(loops.size());
    for (auto [d, to] : llvm::enumerate(order))
      permuted[to] = loops[d];
    loops = permuted;
    inputs[0].map = AffineMap::getPermutationMap(order, p.b.getContext());
  }
  for (int64_t i = 0, e = p.choices.draw(0, 2); i < e; ++i)
    inputs.push_back(p.pickAccess(
        loops, p.choices.chance(80) ? elementOf(first) : p.pickElement()));
  bool rounded = llvm::any_of(
      inputs, [&](Access &access) { return p.isRounded(access.tensor); });
  ExpressionRules rules{!rounded, unsigned(loops.size()), false};
  Type type = p.choices.chance(75) ? elementOf(first) : p.pickElement();
  Value result =
      p.map(loops, type, inputs, [&](OpBuilder &b, ValueRange arguments) {
        return buildExpression(b, p.loc, arguments.take_front(inputs.size()),
                               type, p.choices, rules);
      });
  // Additions of floats in a kernel's own order round as the payload's do.
  p.offer(result, rounded || rules.rounds || isa<FloatType>(type));
}

/// Two results of one operation.
static void addPair(PayloadBuilder &p) {
  Value first = p.pickTensor();
  Shape loops(shapeOf(first));
  SmallVector<Access> inputs = {{first, p.identity(loops.size())},
                                p.pickAccess(loops, elementOf(first))};
  bool rounded = p.isRounded(first) || p.isRounded(inputs.back().tensor);
  SmallVector<Access> inits;
  SmallVector<Type> types = {elementOf(first), p.pickElement()};
  for (Type type : types)
    inits.push_back({p.empty(loops, type), p.identity(loops.size())});
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::parallel);
  auto op = p.generic(
      inputs, inits, iterators,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        SmallVector<Value> values;
        for (Type type : types) {
          ExpressionRules rules{!rounded, unsigned(loops.size()), false};
          values.push_back(buildExpression(b, loc, arguments.take_front(2),
                                           type, p.choices, rules));
        }
        linalg::YieldOp::create(b, loc, values);
      });
  for (Value result : op.getResults())
    p.offer(result, rounded || isa<FloatType>(elementOf(result)));
}

static void addTranspose(PayloadBuilder &p) {
  Value x = p.pickTensor();
  // Upstream's verifier of linalg.transpose crashes on rank zero.
  if (shapeOf(x).empty())
    return;
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, shapeOf(x).size()));
  p.choices.shuffle(order);
  Shape shape;
  for (int64_t d : order)
    shape.push_back(shapeOf(x)[d]);
  auto op = linalg::TransposeOp::create(p.b, p.loc, x,
                                        p.empty(shape, elementOf(x)), order);
  p.offer(op->getResult(0), p.isRounded(x));
}

static void addBroadcast(PayloadBuilder &p) {
  Value x = p.pickTensor();
  Shape shape(shapeOf(x));
  int64_t elements = ShapedType::getNumElements(shape);
  SmallVector<int64_t> added;
  size_t at = p.choices.index(shape.size() + 1);
  int64_t extent = p.pickExtent();
  if (shape.size() > 3 || elements * extent > kMostElements)
    return;
  shape.insert(shape.begin() + at, extent);
  added.push_back(at);
  auto op = linalg::BroadcastOp::create(p.b, p.loc, x,
                                        p.empty(shape, elementOf(x)), added);
  p.offer(op->getResult(0), p.isRounded(x));
}

static void addReshape(PayloadBuilder &p) {
  Value x = p.pickTensor();
  Shape shape(shapeOf(x));
  if (shape.size() > 1 && p.choices.chance(60)) {
    // Neighbouring dimensions become one.
    SmallVector<ReassociationIndices> groups;
    for (int64_t d = 0, e = shape.size(); d < e; ++d) {
      if (d == 0 || p.choices.chance(50))
        groups.emplace_back();
      groups.back().push_back(d);
    }
    if (groups.size() == shape.size())
      return;
    p.offer(tensor::CollapseShapeOp::create(p.b, p.loc, x, groups),
            p.isRounded(x));
    return;
  }
  if (shape.empty() || shape.size() > 4)
    return;
  size_t at = p.choices.index(shape.size());
  SmallVector<int64_t> divisors;
  for (int64_t n = 1; n <= shape[at]; ++n)
    if (shape[at] % n == 0)
      divisors.push_back(n);
  int64_t divisor = p.choices.pick(divisors);
  Shape expanded = shape;
  expanded[at] = divisor;
  expanded.insert(expanded.begin() + at + 1, shape[at] / divisor);
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    groups.emplace_back();
    groups.back().push_back(next++);
    if (d == at)
      groups.back().push_back(next++);
  }
  p.offer(
      tensor::ExpandShapeOp::create(
          p.b, p.loc, RankedTensorType::get(expanded, elementOf(x)), x, groups),
      p.isRounded(x));
}

static void addPad(PayloadBuilder &p) {
  Value x = p.pickTensor();
  Shape shape(shapeOf(x));
  if (shape.empty() || ShapedType::getNumElements(shape) > 800)
    return;
  SmallVector<int64_t> low, high;
  for (int64_t &extent : shape) {
    low.push_back(p.choices.chance(60) ? p.choices.draw(0, 2) : 0);
    high.push_back(p.choices.chance(60) ? p.choices.draw(0, 2) : 0);
    extent += low.back() + high.back();
  }
  Type element = elementOf(x);
  Value value = arith::ConstantOp::create(
      p.b, p.loc, getNeutral(p.b, element, int(p.choices.draw(0, 3))));
  SmallVector<OpFoldResult> lows, highs;
  for (auto [l, h] : llvm::zip_equal(low, high)) {
    lows.push_back(p.b.getIndexAttr(l));
    highs.push_back(p.b.getIndexAttr(h));
  }
  auto pad = tensor::PadOp::create(
      p.b, p.loc, RankedTensorType::get(shape, element), x, lows, highs, value);
  p.offer(pad, p.isRounded(x));
}

static void addSlice(PayloadBuilder &p) {
  Value x = p.pickTensor();
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (int64_t extent : shapeOf(x)) {
    int64_t stride = p.choices.chance(70) ? 1 : p.choices.draw(1, 3);
    int64_t offset = p.choices.draw(0, std::min<int64_t>(extent - 1, 3));
    int64_t most = (extent - offset - 1) / stride + 1;
    offsets.push_back(p.b.getIndexAttr(offset));
    strides.push_back(p.b.getIndexAttr(stride));
    sizes.push_back(p.b.getIndexAttr(
        p.choices.chance(60) ? most : p.choices.draw(1, most)));
  }
  p.offer(
      tensor::ExtractSliceOp::create(p.b, p.loc, x, offsets, sizes, strides),
      p.isRounded(x));
}

static void addInsert(PayloadBuilder &p) {
  Value into = p.pickTensor();
  Shape shape;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (int64_t extent : shapeOf(into)) {
    int64_t stride = p.choices.chance(80) ? 1 : 2;
    int64_t offset = p.choices.draw(0, std::min<int64_t>(extent - 1, 3));
    int64_t size = p.choices.draw(1, (extent - offset - 1) / stride + 1);
    shape.push_back(size);
    offsets.push_back(p.b.getIndexAttr(offset));
    sizes.push_back(p.b.getIndexAttr(size));
    strides.push_back(p.b.getIndexAttr(stride));
  }
  auto type = RankedTensorType::get(shape, elementOf(into));
  Value source = p.findTensor(type);
  if (!source)
    source = p.addInput(shape, elementOf(into));
  p.offer(tensor::InsertSliceOp::create(p.b, p.loc, source, into, offsets,
                                        sizes, strides),
          p.isRounded(into) || p.isRounded(source));
}

static void addConcat(PayloadBuilder &p) {
  Value x = p.pickTensor();
  if (shapeOf(x).empty() ||
      ShapedType::getNumElements(shapeOf(x)) > kMostElements / 3)
    return;
  size_t dim = p.choices.index(shapeOf(x).size());
  SmallVector<Value> parts = {x};
  for (int64_t i = 0, e = p.choices.draw(1, 2); i < e; ++i) {
    Shape shape(shapeOf(x));
    shape[dim] = p.choices.draw(1, shape[dim]);
    Value part = p.findTensor(RankedTensorType::get(shape, elementOf(x)));
    parts.push_back(part ? part : p.addInput(shape, elementOf(x)));
  }
  p.choices.shuffle(parts);
  bool rounded =
      llvm::any_of(parts, [&](Value part) { return p.isRounded(part); });
  p.offer(tensor::ConcatOp::create(p.b, p.loc, dim, parts), rounded);
}

/// Elements of a tensor at places that an integer tensor gives.
static void addGather(PayloadBuilder &p) {
  Value table = p.pickTensor();
  if (shapeOf(table).empty())
    return;
  size_t dim = p.choices.index(shapeOf(table).size());
  Shape loops(shapeOf(table));
  loops[dim] = p.pickExtent();
  if (ShapedType::getNumElements(loops) > kMostElements)
    return;
  Value indices = p.addInput({loops[dim]}, p.b.getI64Type());
  Access access{indices,
                AffineMap::get(loops.size(), 0, p.b.getAffineDimExpr(dim))};
  Value result = p.map(
      loops, elementOf(table), access, [&](OpBuilder &b, ValueRange arguments) {
        SmallVector<Value> place;
        for (size_t d = 0; d < loops.size(); ++d)
          place.push_back(
              d == dim ? Value(arith::IndexCastOp::create(
                             b, p.loc, b.getIndexType(), arguments[0]))
                       : Value(linalg::IndexOp::create(b, p.loc, uint64_t(d))));
        return tensor::ExtractOp::create(b, p.loc, table, place);
      });
  p.offer(result, p.isRounded(table));
}

ArrayRef<PayloadPart> egg::fuzz::getPointwiseParts() {
  static constexpr PayloadPart kParts[] = {{"elementwise", addElementwise, 12},
                                           {"pair", addPair, 2},
                                           {"transpose", addTranspose, 2},
                                           {"broadcast", addBroadcast, 2},
                                           {"reshape", addReshape, 4},
                                           {"pad", addPad, 2},
                                           {"slice", addSlice, 2},
                                           {"insert", addInsert, 1},
                                           {"concat", addConcat, 1},
                                           {"gather", addGather, 1}};
  return kParts;
}
