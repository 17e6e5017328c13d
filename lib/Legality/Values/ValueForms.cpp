//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values of a kernel as linear forms.
//
//===----------------------------------------------------------------------===//
#include "egg/Legality/KernelFacts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace egg::legality;

Interval egg::legality::rangeOfType(Type type) {
  if (type.isInteger(1))
    return {0, 1};
  unsigned bits = isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
  if (bits >= 63)
    return {};
  return {-(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1};
}

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)) ||
      number.getSignificantBits() > 62)
    return std::nullopt;
  return value.getType().isInteger(1) ? int64_t(number.getZExtValue())
                                      : number.getSExtValue();
}

LinearForm KernelFacts::unknown(Value value) {
  return unknown(value, value.getType().isIntOrIndex()
                            ? rangeOfType(value.getType())
                            : Interval());
}

LinearForm KernelFacts::unknown(Value value, Interval range) {
  AtomId atom = domain.addAtom(range);
  unknowns[atom] = value;
  return LinearForm::ofAtom(atom);
}

LinearForm KernelFacts::ofId(gpu::Dimension dimension,
                             const std::array<int64_t, 3> &extents,
                             bool isThread) {
  auto number = static_cast<size_t>(dimension);
  int64_t extent = extents[number];
  if (extent <= 1)
    return LinearForm(0);
  std::optional<AtomId> &atom = ids[isThread][number];
  if (!atom) {
    atom = domain.addAtom({0, extent - 1});
    (isThread ? threads : blocks).push_back(*atom);
  }
  return LinearForm::ofAtom(*atom);
}

LinearForm KernelFacts::ofLoopVariable(scf::ForOp loop) {
  LinearForm lower = formOf(loop.getLowerBound());
  LinearForm upper = formOf(loop.getUpperBound());
  Value variable = loop.getInductionVar();
  std::optional<int64_t> step = constantOf(loop.getStep());
  if (!step || *step < 1)
    return unknown(variable);
  Block *around = loop->getBlock();
  if (loop.getUnsignedCmp() &&
      !(isNonNegative(lower, around) && isNonNegative(upper, around)))
    return unknown(variable);
  Interval from = boundsAt(lower, around), to = boundsAt(upper, around);
  Interval range = rangeOfType(variable.getType());
  range.lo = std::max(range.lo, from.lo);
  if (to.hi < kInfinity)
    range.hi = std::min(range.hi, to.hi - 1);
  if (range.isEmpty())
    range = {0, 0};
  Congruence rule = domain.congruence(lower);
  rule.modulus = std::gcd(rule.modulus, *step);
  rule.remainder %= rule.modulus;
  AtomId atom = domain.addAtom(range, rule);
  LinearForm self = LinearForm::ofAtom(atom);
  loops[atom] = loop;
  if (auto fact = self.plus(lower, -1))
    domain.addFact(atom, *fact);
  if (auto distance = upper.plus(self, -1))
    if (auto fact = distance->plus(LinearForm(-1)))
      domain.addFact(atom, *fact);
  return self;
}

/// Additions and multiplications.
std::optional<LinearForm> KernelFacts::ofArithmetic(Operation *op) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op))
    return std::nullopt;
  LinearForm a = formOf(op->getOperand(0)), b = formOf(op->getOperand(1));
  if (isa<arith::AddIOp>(op))
    return a.plus(b);
  if (isa<arith::SubIOp>(op))
    return a.plus(b, -1);
  if (isa<arith::ShLIOp>(op))
    return b.isConstant() && b.constant >= 0 && b.constant < 62
               ? a.times(int64_t(1) << b.constant)
               : std::nullopt;
  if (b.isConstant())
    return a.times(b.constant);
  if (a.isConstant())
    return b.times(a.constant);
  return std::nullopt;
}

std::optional<LinearForm> KernelFacts::ofDivision(Operation *op) {
  if (!isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp,
           arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
           arith::ShRUIOp, arith::ShRSIOp>(op))
    return std::nullopt;
  LinearForm form = formOf(op->getOperand(0));
  std::optional<int64_t> divisor = constantOf(op->getOperand(1));
  if (!divisor)
    return std::nullopt;
  if (isa<arith::ShRUIOp, arith::ShRSIOp>(op)) {
    if (*divisor < 0 || *divisor > 61)
      return std::nullopt;
    divisor = int64_t(1) << *divisor;
  }
  if (*divisor < 1)
    return std::nullopt;
  std::optional<LinearForm> meaning;
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op)) {
    if (auto raised = form.plus(LinearForm(*divisor - 1)))
      meaning = domain.floorDiv(*raised, *divisor);
  } else if (isa<arith::RemUIOp, arith::RemSIOp>(op)) {
    meaning = domain.mod(form, *divisor);
  } else {
    meaning = domain.floorDiv(form, *divisor);
  }
  if (isa<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::ShRSIOp>(op) ||
      isNonNegative(form, op->getBlock()))
    return meaning;
  Interval range = rangeOfType(op->getResult(0).getType());
  if (isa<arith::RemUIOp>(op))
    range = {0, *divisor - 1};
  return unsignedOnly(op, form, meaning, range);
}

/// The result of an operation whose sense is known where its operand is not
/// negative: at its place nothing shows that, where it is used something may.
LinearForm KernelFacts::unsignedOnly(Operation *op, const LinearForm &source,
                                     std::optional<LinearForm> meaning,
                                     Interval range) {
  LinearForm self = unknown(op->getResult(0), range);
  if (meaning)
    meanings[self.terms.front().first] = {source, *meaning, false};
  return self;
}

std::optional<LinearForm> KernelFacts::ofBits(Operation *op) {
  Block *block = op->getBlock();
  auto nonNegative = [&](const LinearForm &form) {
    return isNonNegative(form, block);
  };
  if (isa<arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp>(op)) {
    LinearForm a = formOf(op->getOperand(0)), b = formOf(op->getOperand(1));
    if (isa<arith::MinUIOp, arith::MaxUIOp>(op) &&
        !(nonNegative(a) && nonNegative(b)))
      return std::nullopt;
    return isa<arith::MinSIOp, arith::MinUIOp>(op) ? domain.minimum(a, b)
                                                   : domain.maximum(a, b);
  }
  if (auto mask = dyn_cast<arith::AndIOp>(op)) {
    LinearForm a = formOf(mask.getLhs());
    auto bits = constantOf(mask.getRhs());
    if (bits && *bits >= 0 && llvm::isPowerOf2_64(uint64_t(*bits) + 1))
      return domain.mod(a, *bits + 1);
    Interval x = domain.interval(a), y = domain.interval(formOf(mask.getRhs()));
    if (x.lo >= 0 && y.lo >= 0)
      return unknown(mask, {0, std::min(x.hi, y.hi)});
    return std::nullopt;
  }
  if (isa<arith::OrIOp, arith::XOrIOp>(op)) {
    Interval x = domain.interval(formOf(op->getOperand(0))),
             y = domain.interval(formOf(op->getOperand(1)));
    int64_t most = std::max(x.hi, y.hi);
    if (x.lo < 0 || y.lo < 0 || most >= kInfinity)
      return std::nullopt;
    int64_t next = int64_t(llvm::PowerOf2Ceil(uint64_t(most) + 1));
    return unknown(op->getResult(0), {0, next - 1});
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return op->getOperand(0).getType().isInteger(1)
               ? std::nullopt
               : std::optional(formOf(op->getOperand(0)));
  if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op)) {
    LinearForm form = formOf(op->getOperand(0));
    Interval type = rangeOfType(op->getOperand(0).getType());
    if (nonNegative(form))
      return form;
    return unsignedOnly(op, form, form,
                        type.hi < kInfinity / 4 ? Interval{0, 2 * type.hi + 1}
                                                : Interval());
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    LinearForm a = formOf(select.getTrueValue()),
               b = formOf(select.getFalseValue());
    if (a == b)
      return a;
    Interval x = domain.interval(a), y = domain.interval(b);
    return unknown(select, {std::min(x.lo, y.lo), std::max(x.hi, y.hi)});
  }
  return std::nullopt;
}

/// affine.apply, as other front ends write index arithmetic.
std::optional<LinearForm> KernelFacts::ofAffine(Operation *op) {
  auto apply = dyn_cast<affine::AffineApplyOp>(op);
  if (!apply)
    return std::nullopt;
  AffineMap map = apply.getAffineMap();
  std::function<std::optional<LinearForm>(AffineExpr)> visit =
      [&](AffineExpr expr) -> std::optional<LinearForm> {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return LinearForm(constant.getValue());
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return formOf(apply.getMapOperands()[dim.getPosition()]);
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      return formOf(
          apply.getMapOperands()[map.getNumDims() + symbol.getPosition()]);
    auto binary = cast<AffineBinaryOpExpr>(expr);
    auto a = visit(binary.getLHS()), b = visit(binary.getRHS());
    if (!a || !b)
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::Add)
      return a->plus(*b);
    if (!b->isConstant())
      return std::nullopt;
    int64_t c = b->constant;
    if (expr.getKind() == AffineExprKind::Mul)
      return a->times(c);
    if (c < 1)
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::Mod)
      return domain.mod(*a, c);
    if (expr.getKind() == AffineExprKind::CeilDiv)
      a = a->plus(LinearForm(c - 1));
    return a ? std::optional(domain.floorDiv(*a, c)) : std::nullopt;
  };
  return visit(map.getResult(0));
}

LinearForm KernelFacts::ofOperation(Operation *op, Type type) {
  Value value = op->getResult(0);
  if (auto number = constantOf(value))
    return LinearForm(*number);
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return ofId(id.getDimension(), launch.block, /*isThread=*/true);
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return ofId(id.getDimension(), launch.grid, /*isThread=*/false);
  if (auto size = dyn_cast<gpu::BlockDimOp>(op))
    return LinearForm(launch.block[size_t(size.getDimension())]);
  if (auto size = dyn_cast<gpu::GridDimOp>(op))
    return LinearForm(launch.grid[size_t(size.getDimension())]);
  if (isa<gpu::LaneIdOp>(op) && launch.threads() == launch.block[0])
    return domain.mod(ofId(gpu::Dimension::x, launch.block, true), 32);
  if (isa<gpu::SubgroupIdOp>(op) && launch.threads() == launch.block[0])
    return domain.floorDiv(ofId(gpu::Dimension::x, launch.block, true), 32);
  std::optional<LinearForm> form = ofArithmetic(op);
  for (auto method :
       {&KernelFacts::ofDivision, &KernelFacts::ofBits, &KernelFacts::ofAffine})
    if (!form)
      form = (this->*method)(op);
  if (!form)
    return unknown(value);
  // What may wrap around is not that number.
  Interval fits = rangeOfType(type);
  if (isWithin(*form, fits.lo, fits.hi, op->getBlock()))
    return *form;
  wrapping.insert(op);
  return unknown(value);
}

LinearForm KernelFacts::computeForm(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() ? ofLoopVariable(loop)
                                                      : unknown(value);
  }
  Operation *op = value.getDefiningOp();
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    LinearForm a = formOf(branch.thenYield().getOperand(number)),
               b = formOf(branch.elseYield().getOperand(number));
    Interval x = boundsAt(a, branch.thenBlock()),
             y = boundsAt(b, branch.elseBlock());
    if (x.isEmpty() || y.isEmpty())
      x = y = x.isEmpty() ? y : x;
    return unknown(value, {std::min(x.lo, y.lo), std::max(x.hi, y.hi)});
  }
  if (op->getNumResults() != 1)
    return unknown(value);
  return ofOperation(op, value.getType());
}

LinearForm KernelFacts::formOf(Value value) {
  if (auto it = forms.find(value); it != forms.end())
    return it->second;
  LinearForm form =
      value.getType().isIntOrIndex() ? computeForm(value) : unknown(value);
  return forms[value] = form;
}
