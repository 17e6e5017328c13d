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

/// Products of one contraction.
static constexpr int64_t kMostProducts = 60000;

/// What the products of operands of the type are summed in.
static Type pickAccumulator(PayloadBuilder &p, Type element) {
  if (element.isInteger(1))
    return p.b.getI64Type();
  if (element.isF16() || element.isBF16())
    return p.choices.chance(75) ? p.b.getF32Type() : element;
  if (element.isInteger(8) || element.isInteger(16))
    return p.choices.chance(75) ? Type(p.b.getI32Type()) : element;
  return element;
}

/// Both operands' product added to the accumulator.
static void buildProductBody(PayloadBuilder &p, OpBuilder &b, ValueRange a,
                             bool swapped) {
  Type type = a[2].getType();
  Value x = convertTo(b, p.loc, a[0], type),
        y = convertTo(b, p.loc, a[1], type);
  if (swapped)
    std::swap(x, y);
  linalg::YieldOp::create(
      b, p.loc, combine(b, p.loc, a[2], combine(b, p.loc, x, y, 1), 0));
}

/// A tensor of the type, or a new input.
static Value takeTensor(PayloadBuilder &p, ArrayRef<int64_t> shape,
                        Type element) {
  Value found = p.choices.chance(60)
                    ? p.findTensor(RankedTensorType::get(shape, element))
                    : Value();
  return found ? found : p.addInput(shape, element);
}

/// A contraction with any number of batch, row, column and summed loops, the
/// operands and the result in any order of dimensions.
static void addContraction(PayloadBuilder &p) {
  enum Role { Batch, Row, Column, Sum };
  SmallVector<Role> roles;
  auto addRole = [&](Role role, int64_t low, int64_t high) {
    for (int64_t i = 0, e = p.choices.draw(low, high); i < e; ++i)
      roles.push_back(role);
  };
  addRole(Batch, 0, p.choices.chance(35) ? 1 : 0);
  addRole(Row, 0, p.choices.chance(20) ? 2 : 1);
  addRole(Column, p.choices.chance(90) ? 1 : 0, p.choices.chance(20) ? 2 : 1);
  addRole(Sum, 1, p.choices.chance(25) ? 2 : 1);
  if (p.choices.chance(40))
    p.choices.shuffle(roles);
  Shape loops;
  int64_t products = 1;
  for (size_t d = 0; d < roles.size(); ++d) {
    int64_t extent = p.pickExtent();
    while (products * extent > kMostProducts)
      extent = (extent + 1) / 2;
    loops.push_back(extent);
    products *= extent;
  }
  SmallVector<unsigned> dims[3];
  SmallVector<utils::IteratorType> iterators;
  for (unsigned d = 0; d < roles.size(); ++d) {
    iterators.push_back(roles[d] == Sum ? utils::IteratorType::reduction
                                        : utils::IteratorType::parallel);
    if (roles[d] != Column)
      dims[0].push_back(d);
    if (roles[d] != Row)
      dims[1].push_back(d);
    if (roles[d] != Sum)
      dims[2].push_back(d);
  }
  auto access = [&](unsigned number, Value tensor) {
    SmallVector<AffineExpr> exprs;
    for (unsigned d : dims[number])
      exprs.push_back(p.b.getAffineDimExpr(d));
    return Access{tensor,
                  AffineMap::get(loops.size(), 0, exprs, p.b.getContext())};
  };
  Shape shapes[3];
  for (auto [shape, order] : llvm::zip_equal(shapes, dims)) {
    if (p.choices.chance(40))
      p.choices.shuffle(order);
    for (unsigned d : order)
      shape.push_back(loops[d]);
  }
  Type element = p.pickElement();
  Type sum = pickAccumulator(p, element);
  SmallVector<Access> inputs = {access(0, takeTensor(p, shapes[0], element)),
                                access(1, takeTensor(p, shapes[1], element))};
  if (p.choices.chance(30))
    std::swap(inputs[0], inputs[1]);
  Value init = p.fill(shapes[2], getNeutral(p.b, sum, 0));
  if (p.choices.chance(10))
    init = takeTensor(p, shapes[2], sum);
  bool rounded = p.isRounded(inputs[0].tensor) ||
                 p.isRounded(inputs[1].tensor) || p.isRounded(init);
  bool swapped = p.choices.chance(20);
  auto op = p.generic(inputs, access(2, init), iterators,
                      [&](OpBuilder &b, Location, ValueRange a) {
                        buildProductBody(p, b, a, swapped);
                      });
  p.offer(op.getResult(0), rounded || isa<FloatType>(sum));
}

static Type pickNamedElement(PayloadBuilder &p) {
  Type element = p.pickElement();
  return element.isInteger(1) ? Type(p.b.getF32Type()) : element;
}

static void addNamedProduct(PayloadBuilder &p) {
  int64_t m = p.pickExtent(), n = p.pickExtent(), k = p.pickExtent(),
          batch = p.choices.draw(1, 4);
  while (m * n * k * batch > kMostProducts)
    (m > n ? (m > k ? m : k) : (n > k ? n : k)) /= 2;
  Type element = pickNamedElement(p);
  auto build = [&](auto tag, Shape a, Shape b, Shape c) {
    using Op = decltype(tag);
    Value lhs = takeTensor(p, a, element), rhs = takeTensor(p, b, element);
    Value init = p.fill(c, getNeutral(p.b, element, 0));
    bool rounded = p.isRounded(lhs) || p.isRounded(rhs);
    auto op = Op::create(p.b, p.loc, TypeRange{init.getType()},
                         ValueRange{lhs, rhs}, ValueRange{init});
    p.offer(op->getResult(0), rounded || isa<FloatType>(element));
  };
  switch (p.choices.draw(0, 5)) {
  case 0:
    return build(linalg::BatchMatmulOp(), {batch, m, k}, {batch, k, n},
                 {batch, m, n});
  case 1:
    return build(linalg::MatvecOp(), {m, k}, {k}, {m});
  case 2:
    return build(linalg::VecmatOp(), {k}, {k, n}, {n});
  case 3:
    return build(linalg::DotOp(), {k}, {k}, {});
  default:
    return build(linalg::MatmulOp(), {m, k}, {k, n}, {m, n});
  }
}

namespace {

/// A window that slides over an image: extents, strides and dilations.
struct Windows {
  int64_t n, c;
  Shape image, window, result;
  SmallVector<int64_t> strides, dilations;

  Windows(PayloadBuilder &p, unsigned rank) {
    n = p.choices.draw(1, 2);
    c = p.choices.draw(1, 5);
    for (unsigned d = 0; d < rank; ++d) {
      result.push_back(p.choices.draw(1, rank == 1 ? 20 : 7));
      window.push_back(p.choices.draw(1, 3));
      strides.push_back(p.choices.chance(65) ? 1 : p.choices.draw(1, 3));
      dilations.push_back(p.choices.chance(75) ? 1 : p.choices.draw(1, 3));
      image.push_back((result[d] - 1) * strides[d] +
                      (window[d] - 1) * dilations[d] + 1 +
                      p.choices.draw(0, strides[d] - 1));
    }
  }
};

} // namespace

/// The image, of `shape`, or a smaller one padded to it.
static Value takeImage(PayloadBuilder &p, Shape shape, size_t firstSpatial,
                       Type element, TypedAttr padding) {
  if (!p.choices.chance(40))
    return takeTensor(p, shape, element);
  Shape inner = shape;
  SmallVector<OpFoldResult> low, high;
  for (size_t d = 0; d < shape.size(); ++d) {
    bool padded = d >= firstSpatial && shape[d] > 2;
    int64_t before = padded ? p.choices.draw(0, 1) : 0,
            after = padded ? p.choices.draw(0, 1) : 0;
    inner[d] -= before + after;
    low.push_back(p.b.getIndexAttr(before));
    high.push_back(p.b.getIndexAttr(after));
  }
  Value x = takeTensor(p, inner, element);
  Value value = arith::ConstantOp::create(p.b, p.loc, padding);
  Value padded = tensor::PadOp::create(
      p.b, p.loc, RankedTensorType::get(shape, element), x, low, high, value);
  p.offer(padded, p.isRounded(x));
  return padded;
}

static Shape join(std::initializer_list<int64_t> first,
                  ArrayRef<int64_t> rest) {
  Shape shape(first);
  llvm::append_range(shape, rest);
  return shape;
}

template <typename Op>
static void addWindowed(PayloadBuilder &p, const Windows &w, Value image,
                        Value filter, Value init) {
  bool rounded = p.isRounded(image) || p.isRounded(filter);
  auto op = Op::create(p.b, p.loc, TypeRange{init.getType()},
                       ValueRange{image, filter}, ValueRange{init},
                       p.b.getI64VectorAttr(w.strides),
                       p.b.getI64VectorAttr(w.dilations));
  p.offer(op->getResult(0), rounded || isa<FloatType>(elementOf(init)));
}

static void addConvolution(PayloadBuilder &p) {
  Windows w(p, p.choices.chance(35) ? 1 : 2);
  Type element = pickNamedElement(p);
  TypedAttr zero = getNeutral(p.b, element, 0);
  int64_t f = p.choices.draw(1, 6);
  Shape imageShape = join({w.n, w.c}, w.image);
  Value image = takeImage(p, imageShape, 2, element, zero);
  if (p.choices.chance(25) && w.window.size() == 2) {
    Value filter = takeTensor(p, join({w.c}, w.window), element);
    return addWindowed<linalg::DepthwiseConv2DNchwChwOp>(
        p, w, image, filter, p.fill(join({w.n, w.c}, w.result), zero));
  }
  Value filter = takeTensor(p, join({f, w.c}, w.window), element);
  Value init = p.fill(join({w.n, f}, w.result), zero);
  if (w.window.size() == 1)
    addWindowed<linalg::Conv1DNcwFcwOp>(p, w, image, filter, init);
  else
    addWindowed<linalg::Conv2DNchwFchwOp>(p, w, image, filter, init);
}

static void addPooling(PayloadBuilder &p) {
  Windows w(p, 2);
  Type element = pickNamedElement(p);
  int kind = p.choices.chance(50) ? 2 : 0;
  TypedAttr start = getNeutral(p.b, element, kind);
  Value image = takeImage(p, join({w.n, w.c}, w.image), 2, element, start);
  Value window = p.empty(w.window, element);
  Value init = p.fill(join({w.n, w.c}, w.result), start);
  if (kind == 2)
    addWindowed<linalg::PoolingNchwMaxOp>(p, w, image, window, init);
  else
    addWindowed<linalg::PoolingNchwSumOp>(p, w, image, window, init);
}

ArrayRef<PayloadPart> egg::fuzz::getProductParts() {
  static constexpr PayloadPart kParts[] = {
      {"contraction", addContraction, 6},
      {"named-product", addNamedProduct, 3},
      {"convolution", addConvolution, 4},
      {"pooling", addPooling, 2}};
  return kParts;
}
