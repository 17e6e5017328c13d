//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PayloadBuilder.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Import/NameOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace egg;
using namespace egg::fuzz;

/// Elements of one tensor; the check runs each case on two cores' patience.
static constexpr int64_t kMostElements = 3000;

ArrayRef<int64_t> egg::fuzz::shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}
Type egg::fuzz::elementOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

PayloadBuilder::PayloadBuilder(MLIRContext *context, Choices &choices)
    : b(context), loc(UnknownLoc::get(context)), choices(choices) {
  context->loadDialect<EggDialect, arith::ArithDialect, func::FuncDialect,
                       linalg::LinalgDialect, tensor::TensorDialect>();
  module = ModuleOp::create(loc);
  b.setInsertionPointToStart(module->getBody());
  main = func::FuncOp::create(b, loc, "main", b.getFunctionType({}, {}));
  b.setInsertionPointToStart(main.addEntryBlock());
  static constexpr int64_t kExtents[] = {
      1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 31, 32, 33, 48, 64, 65, 97, 128};
  for (int64_t i = 0, e = choices.draw(2, 4); i < e; ++i)
    extents.push_back(choices.pick(kExtents));
  // Mostly f32, as programs are; two more in some payloads.
  elements = {b.getF32Type()};
  if (choices.chance(40)) {
    Type others[] = {b.getF64Type(),       b.getF16Type(),
                     b.getBF16Type(),      b.getIntegerType(64),
                     b.getIntegerType(32), b.getIntegerType(16),
                     b.getIntegerType(8),  b.getI1Type()};
    for (int64_t i = 0, e = choices.draw(1, 2); i < e; ++i)
      elements.push_back(choices.pick(others));
    if (choices.chance(40))
      elements.erase(elements.begin());
  }
}

Value PayloadBuilder::addInput(ArrayRef<int64_t> shape, Type element) {
  auto type = RankedTensorType::get(shape, element);
  unsigned number = main.getNumArguments();
  auto attributes = b.getDictionaryAttr(
      {b.getNamedAttr("egg.kind", b.getStringAttr("input")),
       b.getNamedAttr("egg.name", b.getStringAttr("x" + Twine(number)))});
  (void)main.insertArgument(number, type, attributes, loc);
  Value value = main.getArgument(number);
  pool.push_back(value);
  return value;
}

Value PayloadBuilder::empty(ArrayRef<int64_t> shape, Type element) {
  return tensor::EmptyOp::create(b, loc, shape, element);
}

Value PayloadBuilder::fill(ArrayRef<int64_t> shape, TypedAttr number) {
  Value scalar = arith::ConstantOp::create(b, loc, number);
  return linalg::FillOp::create(b, loc, scalar, empty(shape, number.getType()))
      .getResult(0);
}

linalg::GenericOp PayloadBuilder::generic(
    ArrayRef<Access> inputs, ArrayRef<Access> inits,
    ArrayRef<utils::IteratorType> iterators,
    llvm::function_ref<void(OpBuilder &, Location, ValueRange)> body) {
  SmallVector<Value> ins, outs;
  SmallVector<AffineMap> maps;
  for (const Access &access : inputs) {
    ins.push_back(access.tensor);
    maps.push_back(access.map);
  }
  for (const Access &access : inits) {
    outs.push_back(access.tensor);
    maps.push_back(access.map);
  }
  return linalg::GenericOp::create(b, loc, TypeRange(ValueRange(outs)), ins,
                                   outs, maps, iterators, body);
}

Value PayloadBuilder::map(
    ArrayRef<int64_t> loops, Type result, ArrayRef<Access> inputs,
    llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::parallel);
  Access init{empty(loops, result), identity(loops.size())};
  return generic(inputs, init, iterators,
                 [&](OpBuilder &nested, Location at, ValueRange arguments) {
                   Value value = body(nested, arguments);
                   linalg::YieldOp::create(nested, at, value);
                 })
      .getResult(0);
}

void PayloadBuilder::offer(Value value, bool isRounded) {
  pool.push_back(value);
  if (isRounded)
    rounded.insert(value);
}

Value PayloadBuilder::pickTensor() {
  // Late ones more often: chains are what fusion is about.
  if (!pool.empty() && choices.chance(85))
    return choices.chance(60) ? pool.back() : choices.pick(pool);
  return addInput(pickShape(0, 4, kMostElements), pickElement());
}

Value PayloadBuilder::findTensor(Type type) {
  SmallVector<Value> found;
  for (Value value : pool)
    if (value.getType() == type)
      found.push_back(value);
  return found.empty() ? Value() : choices.pick(found);
}

/// The loops that the tensor's dimensions can follow, each a different one of
/// its extent; empty if there are none.
static std::optional<SmallVector<unsigned>>
fitDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> loops, bool mixed) {
  SmallVector<unsigned> dims;
  for (int64_t extent : shape) {
    bool found = false;
    for (unsigned i = 0; i < loops.size() && !found; ++i) {
      unsigned d = mixed ? loops.size() - 1 - i : i;
      if (loops[d] == extent && !llvm::is_contained(dims, d)) {
        dims.push_back(d);
        found = true;
      }
    }
    if (!found)
      return std::nullopt;
  }
  return dims;
}

Access PayloadBuilder::pickAccess(ArrayRef<int64_t> loops, Type element) {
  MLIRContext *context = b.getContext();
  auto toMap = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(loops.size(), 0, exprs, context);
  };
  if (choices.chance(60)) {
    SmallVector<Access> fitting;
    for (Value value : pool) {
      if (elementOf(value) != element)
        continue;
      auto dims = fitDims(shapeOf(value), loops, choices.chance(30));
      if (!dims)
        continue;
      SmallVector<AffineExpr> exprs;
      for (unsigned d : *dims)
        exprs.push_back(b.getAffineDimExpr(d));
      fitting.push_back({value, toMap(exprs)});
    }
    if (!fitting.empty())
      return choices.pick(fitting);
  }
  // A new input over some of the loops.
  SmallVector<unsigned> dims;
  for (unsigned d = 0; d < loops.size(); ++d)
    if (choices.chance(75))
      dims.push_back(d);
  if (choices.chance(25))
    choices.shuffle(dims);
  Shape shape;
  SmallVector<AffineExpr> exprs;
  for (unsigned d : dims) {
    AffineExpr dim = b.getAffineDimExpr(d);
    int64_t extent = loops[d];
    if (choices.chance(8)) {
      int64_t stride = choices.draw(1, 3), offset = choices.draw(0, 2);
      // Where a map is the dimension itself, the tensor has its extent.
      bool isPlain = stride == 1 && offset == 0;
      exprs.push_back(dim * stride + offset);
      shape.push_back((extent - 1) * stride + offset + 1 +
                      (isPlain ? 0 : choices.draw(0, 1)));
    } else if (choices.chance(5)) {
      exprs.push_back(b.getAffineConstantExpr(extent - 1) - dim);
      shape.push_back(extent);
    } else {
      exprs.push_back(dim);
      shape.push_back(extent);
    }
  }
  if (choices.chance(5)) {
    size_t at = choices.index(shape.size() + 1);
    exprs.insert(exprs.begin() + at, b.getAffineConstantExpr(0));
    shape.insert(shape.begin() + at, 1);
  }
  return {addInput(shape, element), toMap(exprs)};
}

Shape PayloadBuilder::pickShape(int64_t leastRank, int64_t mostRank,
                                int64_t mostElements) {
  Shape shape;
  int64_t elements = 1;
  for (int64_t d = 0, e = choices.draw(leastRank, mostRank); d < e; ++d) {
    int64_t extent = pickExtent();
    if (elements * extent > mostElements)
      extent = choices.draw(
          1,
          std::max<int64_t>(1, std::min<int64_t>(3, mostElements / elements)));
    shape.push_back(extent);
    elements *= extent;
  }
  return shape;
}

Type PayloadBuilder::pickElement() { return choices.pick(elements); }

Type PayloadBuilder::pickFloat() {
  SmallVector<Type> floats;
  for (Type type : elements)
    if (isa<FloatType>(type))
      floats.push_back(type);
  return floats.empty() ? b.getF32Type() : choices.pick(floats);
}

OwningOpRef<ModuleOp> PayloadBuilder::finish() {
  SmallVector<Value> results;
  for (Value value : pool)
    if (value.getDefiningOp() && isComputeOp(value.getDefiningOp()) &&
        (value.use_empty() || choices.chance(12)))
      results.push_back(value);
  // At least one; a payload of arguments alone has nothing to schedule.
  if (results.empty())
    results.push_back(pool.back());
  func::ReturnOp::create(b, loc, results);
  main.setType(b.getFunctionType(main.getArgumentTypes(), ValueRange(results)));
  for (unsigned i = 0; i < results.size(); ++i) {
    main.setResultAttr(i, "egg.kind", b.getStringAttr("output"));
    main.setResultAttr(i, "egg.name", b.getStringAttr("output_" + Twine(i)));
  }
  nameComputeOps(*module);
  return std::move(module);
}
