//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PayloadTerms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace egg::proof;

using Forms = SmallVector<LinearForm>;

static ArrayRef<int64_t> extentsOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

Value egg::proof::rootOf(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            op) ||
        !cast<ShapedType>(op->getOperand(0).getType()).hasStaticShape())
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

/// Row-major; nothing if a number is too large.
static std::optional<LinearForm> linearize(ArrayRef<LinearForm> index,
                                           ArrayRef<int64_t> extents) {
  LinearForm position;
  for (auto [i, extent] : llvm::zip_equal(index, extents)) {
    auto scaled = position.times(extent);
    auto sum = scaled ? scaled->plus(i) : std::nullopt;
    if (!sum)
      return std::nullopt;
    position = *sum;
  }
  return position;
}

/// The digits of a position that is in range, so that the first needs no
/// remainder.
static Forms delinearize(IndexDomain &domain, const LinearForm &position,
                         ArrayRef<int64_t> extents) {
  Forms index(extents.size());
  int64_t stride = 1;
  bool isFirst = true;
  for (size_t d = extents.size(); d-- > 0; stride *= extents[d]) {
    if (extents[d] == 1)
      continue;
    isFirst = llvm::all_of(extents.take_front(d),
                           [](int64_t extent) { return extent == 1; });
    LinearForm digit = domain.floorDiv(position, stride);
    index[d] = isFirst ? digit : domain.mod(digit, extents[d]);
  }
  return index;
}

static std::optional<LinearForm> ofAffine(IndexDomain &domain, AffineExpr expr,
                                          ArrayRef<LinearForm> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LinearForm(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  auto a = ofAffine(domain, binary.getLHS(), dims),
       b = ofAffine(domain, binary.getRHS(), dims);
  if (!a || !b)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return a->plus(*b);
  if (!b->isConstant())
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul)
    return a->times(b->constant);
  if (b->constant < 1)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mod)
    return domain.mod(*a, b->constant);
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return domain.floorDiv(*a, b->constant);
  return std::nullopt;
}

static bool isDynamic(ArrayRef<int64_t> numbers) {
  return llvm::any_of(numbers, ShapedType::isDynamic);
}

const Term *PayloadTerms::at(Value tensor, const LinearForm &position) {
  return at(tensor,
            Index(delinearize(table.domain, position, extentsOf(tensor))));
}

const Term *PayloadTerms::at(Value tensor, Index index) {
  std::pair<void *, std::vector<LinearForm>> key(tensor.getAsOpaquePointer(),
                                                 index.vec());
  if (auto it = known.find(key); it != known.end())
    return it->second;
  table.budget.spend();
  if (table.budget.isSpent())
    return table.unknown(tensor.getLoc(), "the proof takes too many steps");
  auto element = [&](Value source) {
    auto position = linearize(index, extentsOf(tensor));
    return position ? table.element(source, *position, tensor.getLoc())
                    : table.unknown(tensor.getLoc(),
                                    "positions are larger than 62 bits hold");
  };
  const Term *term;
  if (auto it = stops.find(tensor); it != stops.end())
    term = element(it->second);
  else if (isa<BlockArgument>(tensor))
    term = element(tensor);
  else
    term = define(cast<OpResult>(tensor), index);
  if (!term)
    term = element(tensor);
  return known[std::move(key)] = term;
}

/// Null for what has no rule: its elements stand for themselves.
const Term *PayloadTerms::define(OpResult result, Index index) {
  IndexDomain &domain = table.domain;
  Location location = result.getLoc();
  return llvm::TypeSwitch<Operation *, const Term *>(result.getOwner())
      .Case([&](linalg::LinalgOp op) {
        return ofLinalg(op, result.getResultNumber(), index);
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto op) -> const Term * {
            // Groups of dimensions, each of which is one of the source.
            bool expands = isa<tensor::ExpandShapeOp>(op.getOperation());
            Forms source;
            for (auto [i, group] :
                 llvm::enumerate(op.getReassociationIndices())) {
              ArrayRef<int64_t> extents =
                  extentsOf(expands ? op.getResult() : op.getSrc())
                      .slice(group.front(), group.size());
              if (expands) {
                auto one = linearize(index.slice(group.front(), group.size()),
                                     extents);
                if (!one)
                  return nullptr;
                source.push_back(*one);
              } else {
                source.append(delinearize(domain, index[i], extents));
              }
            }
            // All dimensions of extent 1 collapse to none.
            source.resize(extentsOf(op.getSrc()).size());
            return at(op.getSrc(), Index(source));
          })
      .Case([&](tensor::CastOp op) -> const Term * {
        auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
        return from && from.hasStaticShape() ? at(op.getSource(), index)
                                             : nullptr;
      })
      .Case([&](tensor::ExtractSliceOp op) -> const Term * {
        if (isDynamic(op.getStaticOffsets()) ||
            isDynamic(op.getStaticStrides()))
          return nullptr;
        llvm::SmallBitVector dropped = op.getDroppedDims();
        Forms source;
        size_t next = 0;
        for (size_t d = 0; d < dropped.size(); ++d) {
          LinearForm offset(op.getStaticOffsets()[d]);
          auto i = dropped[d]
                       ? offset
                       : offset.plus(index[next++], op.getStaticStrides()[d]);
          if (!i)
            return nullptr;
          source.push_back(*i);
        }
        return at(op.getSource(), Index(source));
      })
      .Case([&](tensor::PadOp op) { return ofPad(op, index); })
      .Case([&](tensor::InsertSliceOp op) { return ofInsert(op, index); })
      .Case([&](tensor::ConcatOp op) { return ofConcat(op, index); })
      .Case([&](tensor::SplatOp op) {
        Body none;
        return ofScalar(op.getInput(), none);
      })
      .Case([&](tensor::EmptyOp op) {
        return table.unknown(location, "nothing has written this tensor");
      })
      .Case([&](arith::ConstantOp op) -> const Term * {
        auto values = dyn_cast<DenseElementsAttr>(op.getValue());
        auto position = linearize(index, extentsOf(result));
        if (!values || !position)
          return nullptr;
        return table.element(values, *position, location);
      })
      .Default([](Operation *) -> const Term * { return nullptr; });
}

/// 0 <= form < extent.
const Term *PayloadTerms::isBetween(const LinearForm &form, int64_t extent,
                                    Location location) {
  auto type = IndexType::get(location.getContext());
  auto number = [&](const LinearForm &value) {
    return table.integer(type, value, location);
  };
  return both(table.compare(int64_t(arith::CmpIPredicate::sge), number(form),
                            number(LinearForm(0)), location),
              table.compare(int64_t(arith::CmpIPredicate::slt), number(form),
                            number(LinearForm(extent)), location),
              location);
}

const Term *PayloadTerms::both(const Term *a, const Term *b,
                               Location location) {
  if (!a)
    return b;
  MLIRContext *context = location.getContext();
  return table.apply(
      StringAttr::get(context, arith::AndIOp::getOperationName()),
      DictionaryAttr::get(context), a->type, {a, b}, location);
}

const Term *PayloadTerms::ofPad(tensor::PadOp pad, Index index) {
  Value padding = pad.getConstantPaddingValue();
  if (isDynamic(pad.getStaticLow()) || !padding ||
      !pad.getSourceType().hasStaticShape())
    return nullptr;
  Location location = pad.getLoc();
  Forms source;
  const Term *inside = nullptr;
  for (auto [d, i] : llvm::enumerate(index)) {
    auto moved = i.plus(LinearForm(pad.getStaticLow()[d]), -1);
    if (!moved)
      return nullptr;
    int64_t extent = extentsOf(pad.getSource())[d];
    if (pad.getStaticLow()[d] != 0 || extent != extentsOf(pad.getResult())[d])
      inside = both(inside, isBetween(*moved, extent, location), location);
    source.push_back(*moved);
  }
  const Term *element = at(pad.getSource(), Index(source));
  Body none;
  return inside
             ? table.select(inside, element, ofScalar(padding, none), location)
             : element;
}

const Term *PayloadTerms::ofInsert(tensor::InsertSliceOp insert, Index index) {
  if (isDynamic(insert.getStaticOffsets()) ||
      isDynamic(insert.getStaticSizes()) ||
      llvm::any_of(insert.getStaticStrides(),
                   [](int64_t stride) { return stride != 1; }))
    return nullptr;
  Location location = insert.getLoc();
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  Forms source;
  const Term *inside = nullptr;
  for (auto [d, i] : llvm::enumerate(index)) {
    auto moved = i.plus(LinearForm(insert.getStaticOffsets()[d]), -1);
    if (!moved)
      return nullptr;
    int64_t size = insert.getStaticSizes()[d];
    if (size != extentsOf(insert.getResult())[d])
      inside = both(inside, isBetween(*moved, size, location), location);
    if (!dropped[d])
      source.push_back(*moved);
  }
  const Term *element = at(insert.getSource(), Index(source));
  return inside ? table.select(inside, element, at(insert.getDest(), index),
                               location)
                : element;
}

const Term *PayloadTerms::ofConcat(tensor::ConcatOp concat, Index index) {
  Location location = concat.getLoc();
  int64_t dim = concat.getDim(), offset = 0;
  SmallVector<std::pair<const Term *, const Term *>> parts;
  for (Value input : concat.getInputs()) {
    Forms source(index);
    auto moved = index[dim].plus(LinearForm(offset), -1);
    if (!moved || !cast<RankedTensorType>(input.getType()).hasStaticShape())
      return nullptr;
    source[dim] = *moved;
    int64_t extent = extentsOf(input)[dim];
    parts.push_back(
        {isBetween(*moved, extent, location), at(input, Index(source))});
    offset += extent;
  }
  const Term *result = parts.back().second;
  for (auto [inside, element] : llvm::reverse(llvm::drop_end(parts)))
    result = table.select(inside, element, result, location);
  return result;
}

const Term *PayloadTerms::ofLinalg(linalg::LinalgOp op, unsigned number,
                                   Index index) {
  if (op.getNumReductionLoops() != 0 || op.hasDynamicShape() ||
      !op.hasPureTensorSemantics())
    return nullptr;
  // Each loop is told by the result's index, or has one iteration.
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(number));
  if (!written.isPermutation() && !(written.isProjectedPermutation() &&
                                    written.getNumResults() == index.size()))
    return nullptr;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  Forms loops(ranges.size());
  llvm::SmallBitVector isKnown(ranges.size());
  for (auto [expr, i] : llvm::zip_equal(written.getResults(), index)) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    loops[loop] = i;
    isKnown.set(loop);
  }
  for (auto [loop, range] : llvm::enumerate(ranges))
    if (!isKnown[loop] && range != 1)
      return nullptr;
  Body body;
  body.loops = loops;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    if (!isa<RankedTensorType>(operand.get().getType())) {
      Body none;
      body.values[argument] = ofScalar(operand.get(), none);
      continue;
    }
    Forms source;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      auto form = ofAffine(table.domain, expr, loops);
      if (!form)
        return nullptr;
      source.push_back(*form);
    }
    body.values[argument] = at(operand.get(), Index(source));
  }
  return ofScalar(op.getBlock()->getTerminator()->getOperand(number), body);
}

const Term *PayloadTerms::ofScalar(Value value, Body &body) {
  if (auto it = body.values.find(value); it != body.values.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  auto compute = [&]() -> const Term * {
    if (!op)
      return table.unknown(value.getLoc(), "a scalar argument");
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return table.constant(constant.getValue(), op->getLoc());
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      return index.getDim() < body.loops.size()
                 ? table.integer(value.getType(), body.loops[index.getDim()],
                                 op->getLoc())
                 : table.unknown(op->getLoc(), "an index outside of its loop");
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      Forms source;
      for (Value i : extract.getIndices()) {
        auto form = formOf(ofScalar(i, body));
        if (!form)
          return table.unknown(op->getLoc(),
                               "the payload reads at an index from memory");
        source.push_back(*form);
      }
      return at(extract.getTensor(), Index(source));
    }
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      Forms operands;
      for (Value operand : apply.getMapOperands()) {
        auto form = formOf(ofScalar(operand, body));
        if (!form)
          return table.unknown(op->getLoc(), "an index from memory");
        operands.push_back(*form);
      }
      AffineMap map = apply.getAffineMap();
      SmallVector<AffineExpr> symbols;
      for (unsigned i = 0; i < map.getNumSymbols(); ++i)
        symbols.push_back(
            getAffineDimExpr(map.getNumDims() + i, op->getContext()));
      AffineExpr expr = map.getResult(0).replaceSymbols(symbols);
      auto form = ofAffine(table.domain, expr, operands);
      return form ? table.integer(value.getType(), *form, op->getLoc())
                  : table.unknown(op->getLoc(), "an index that is not affine");
    }
    if (op->getNumRegions() != 0 || op->getNumResults() != 1 ||
        !isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
        isa<ShapedType>(value.getType()))
      return table.unknown(op->getLoc(),
                           "the payload has " +
                               op->getName().getStringRef().str());
    SmallVector<const Term *> operands;
    for (Value operand : op->getOperands())
      operands.push_back(ofScalar(operand, body));
    return table.apply(op, operands, /*isDefinition=*/true);
  };
  const Term *term = compute();
  body.values[value] = term;
  return term;
}
