//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelTerms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;
using namespace egg::proof;
using egg::legality::kInfinity;

static int64_t laneCount(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// Positions are sums, digits and extrema of ids and loop variables.
bool KernelTerms::isOfPositions(const LinearForm &form) const {
  SmallVector<AtomId> atoms;
  facts.domain.collectAtoms(form, atoms);
  return llvm::all_of(atoms, [&](AtomId id) {
    return facts.domain.atom(id).kind != legality::Atom::Kind::Free ||
           llvm::is_contained(facts.threadAtoms(), id) ||
           llvm::is_contained(facts.blockAtoms(), id) || facts.loopOf(id);
  });
}

static bool isFollowed(Operation *op) {
  if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
          gpu::LaneIdOp, gpu::SubgroupIdOp, arith::ConstantOp,
          vector::ExtractOp, vector::FromElementsOp, vector::BroadcastOp,
          memref::GetGlobalOp>(op))
    return true;
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         (op->hasTrait<OpTrait::Elementwise>() || isa<arith::SelectOp>(op));
}

/// Whether the buffer is flat, as materialized ones are.
static bool isFlat(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.getRank() == 1 && type.hasStaticShape() &&
         type.getLayout().isIdentity() && type.getElementType().isIntOrFloat();
}

static bool isScalable(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.isScalable();
}

/// What an operation is that is not followed, whatever it computes with.
static std::optional<Obstacle> findObstacle(Operation *op) {
  auto refuse = [&](StringRef reason) { return Obstacle{op, reason.str()}; };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (loop.getNumResults() != 0)
      return refuse("a loop carries values from round to round, as reductions "
                    "and scans do, which are not followed");
    APInt step;
    if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
        !step.isStrictlyPositive())
      return refuse("a loop's step is not a positive constant");
    return std::nullopt;
  }
  if (isa<scf::IfOp, scf::YieldOp, gpu::ReturnOp>(op))
    return std::nullopt;
  if (std::optional<legality::Access> access = legality::getAccess(op)) {
    if (!isFlat(access->buffer) || access->indices.size() != 1)
      return refuse("it accesses a buffer of several dimensions or strides");
    if (op->hasAttr("alignment"))
      return refuse("it promises an alignment");
    return std::nullopt;
  }
  if (!isFollowed(op) || llvm::any_of(op->getResultTypes(), isScalable))
    return refuse(
        llvm::formatv("it has {0}, which is not followed", op->getName())
            .str());
  // Positions do not show these; materialized kernels promise nothing.
  auto flags = op->getAttrOfType<arith::IntegerOverflowFlagsAttr>(
      arith::AddIOp::getIntegerOverflowAttrName());
  if ((flags && flags.getValue() != arith::IntegerOverflowFlags::none) ||
      op->hasAttr("isExact") || op->hasAttr("upper_bound"))
    return refuse("it promises something of integers (no overflow)");
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op)) {
    APInt divisor;
    if (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
        divisor.isZero() || divisor.isAllOnes())
      return refuse("it divides by an integer that may be zero or -1");
  }
  return std::nullopt;
}

/// Where intervals have no end, the domain does not see what wraps.
std::optional<Obstacle> KernelTerms::checkRange(Operation *op) {
  for (Value result : op->getResults()) {
    if (!result.getType().isIntOrIndex())
      continue;
    LinearForm form = facts.formOf(result);
    Interval range = facts.domain.interval(form);
    if (isOfPositions(form) &&
        (range.lo <= -kInfinity || range.hi >= kInfinity))
      return Obstacle{op, "a position may be more than 62 bits hold"};
  }
  return std::nullopt;
}

std::optional<Obstacle> KernelTerms::store(Operation *op) {
  legality::Access access = *legality::getAccess(op);
  LinearForm position = facts.formOf(access.indices.front());
  if (!isOfPositions(position))
    return Obstacle{op, "it stores at an index that is not told by positions "
                        "alone"};
  found.push_back({op, access.buffer, position, lanesOf(access.stored)});
  return std::nullopt;
}

std::optional<Obstacle> KernelTerms::run() {
  std::optional<Obstacle> obstacle;
  auto visit =
      [&](llvm::function_ref<std::optional<Obstacle>(Operation *)> by) {
        facts.kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
          obstacle = by(op);
          return obstacle ? WalkResult::interrupt() : WalkResult::advance();
        });
        return !obstacle;
      };
  if (visit(findObstacle))
    visit([&](Operation *op) {
      auto access = legality::getAccess(op);
      return access && access->isWrite ? store(op) : checkRange(op);
    });
  return obstacle;
}

const KernelTerms::Lanes &KernelTerms::lanesOf(Value value) {
  void *key = value.getAsOpaquePointer();
  if (auto it = known.find(key); it != known.end())
    return it->second;
  Lanes lanes = compute(value);
  return known[key] = std::move(lanes);
}

KernelTerms::Lanes KernelTerms::load(Operation *op) {
  legality::Access access = *legality::getAccess(op);
  Location location = op->getLoc();
  auto all = [&](const Term *term) { return Lanes(access.width, term); };
  LinearForm position = facts.formOf(access.indices.front());
  if (!isOfPositions(position))
    return all(table.unknown(location,
                             "it loads from an index that is not told by "
                             "positions alone"));
  if (facts.isWritten(access.buffer))
    return all(
        table.unknown(location, "it loads from a buffer that it writes"));
  Value source = sources.lookup(access.buffer);
  DenseElementsAttr values;
  if (auto global = access.buffer.getDefiningOp<memref::GetGlobalOp>()) {
    auto symbol = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        global, global.getNameAttr());
    if (symbol && symbol.getConstant())
      values =
          dyn_cast_or_null<DenseElementsAttr>(symbol.getInitialValueAttr());
  }
  if (auto constant = source ? source.getDefiningOp<arith::ConstantOp>()
                             : arith::ConstantOp())
    values = dyn_cast<DenseElementsAttr>(constant.getValue());
  Lanes lanes;
  for (int64_t lane = 0; lane < access.width; ++lane) {
    auto at = position.plus(LinearForm(lane));
    if (!at || (!source && !values)) {
      lanes.push_back(table.unknown(
          location, "it loads from a buffer of which nothing is known"));
      continue;
    }
    const Term *element = values ? table.element(values, *at, location)
                                 : table.element(source, *at, location);
    if (element->type.isInteger(1))
      element = table.asByte(element, location);
    lanes.push_back(element);
  }
  return lanes;
}

KernelTerms::Lanes KernelTerms::compute(Value value) {
  Location location = value.getLoc();
  Type type = value.getType();
  if (type.isIntOrIndex() && !type.isInteger(1)) {
    LinearForm form = facts.formOf(value);
    if (isOfPositions(form))
      return {table.integer(type, form, location)};
  }
  Operation *op = value.getDefiningOp();
  auto count = laneCount(type);
  if (!op)
    return Lanes(count, table.unknown(location, "a value from outside"));
  if (auto access = legality::getAccess(op))
    return load(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto values = dyn_cast<DenseElementsAttr>(constant.getValue());
    Lanes lanes;
    if (!values)
      return {table.constant(constant.getValue(), location)};
    for (Attribute element : values.getValues<Attribute>())
      lanes.push_back(table.constant(cast<TypedAttr>(element), location));
    return lanes;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    Lanes a = lanesOf(branch.thenYield().getOperand(number)),
          b = lanesOf(branch.elseYield().getOperand(number)), lanes;
    const Term *condition = of(branch.getCondition());
    for (auto [onTrue, onFalse] : llvm::zip_equal(a, b))
      lanes.push_back(table.select(condition, onTrue, onFalse, location));
    return lanes;
  }
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    auto from = extract.getSource().getType();
    if (from.getRank() == 1 && !isa<VectorType>(type) &&
        !extract.hasDynamicPosition())
      return {
          lanesOf(extract.getSource())[extract.getStaticPosition().front()]};
  } else if (auto elements = dyn_cast<vector::FromElementsOp>(op)) {
    Lanes lanes;
    for (Value element : elements.getElements())
      lanes.push_back(of(element));
    return lanes;
  } else if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    if (!isa<VectorType>(broadcast.getSourceType()))
      return Lanes(count, of(broadcast.getSource()));
  } else if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect())) {
    SmallVector<Lanes> operands;
    for (Value operand : op->getOperands())
      operands.push_back(lanesOf(operand));
    Lanes lanes;
    for (int64_t lane = 0; lane < count; ++lane) {
      SmallVector<const Term *> terms;
      for (const Lanes &operand : operands)
        terms.push_back(operand.size() == 1 ? operand.front() : operand[lane]);
      lanes.push_back(table.apply(op, terms, /*isDefinition=*/false));
    }
    return lanes;
  }
  return Lanes(
      count, table.unknown(location, ("it has " + op->getName().getStringRef() +
                                      ", which is not followed")
                                         .str()));
}
