//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/IndexSpace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;

namespace egg {

AffineExpr IndexSpace::addDim(int64_t size, Value value) {
  dims.push_back({size, value});
  return getAffineDimExpr(dims.size() - 1, context);
}

void IndexSpace::Sum::add(AffineExpr atom, int64_t coefficient) {
  for (auto *it = terms.begin(); it != terms.end(); ++it) {
    if (it->first != atom)
      continue;
    it->second += coefficient;
    if (it->second == 0)
      terms.erase(it);
    return;
  }
  if (coefficient != 0)
    terms.push_back({atom, coefficient});
}

void IndexSpace::Sum::add(const Sum &other, int64_t factor) {
  constant += factor * other.constant;
  for (auto [atom, coefficient] : other.terms)
    add(atom, factor * coefficient);
}

IndexSpace::Range IndexSpace::rangeOfAtom(AffineExpr atom) const {
  if (auto dim = dyn_cast<AffineDimExpr>(atom))
    return {0, std::max<int64_t>(dims[dim.getPosition()].size - 1, 0)};
  auto binary = cast<AffineBinaryOpExpr>(atom);
  int64_t c = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  Range inner = range(binary.getLHS());
  if (atom.getKind() == AffineExprKind::Mod)
    return {0, inner.lo >= 0 ? std::min(inner.hi, c - 1) : c - 1};
  auto floor = [c](int64_t x) { return x >= 0 ? x / c : -((-x + c - 1) / c); };
  return {floor(inner.lo), floor(inner.hi)};
}

IndexSpace::Range IndexSpace::rangeOfSum(const Sum &sum) const {
  Range result = {sum.constant, sum.constant};
  for (auto [atom, coefficient] : sum.terms) {
    Range r = rangeOfAtom(atom);
    int64_t a = r.lo * coefficient, b = r.hi * coefficient;
    result.lo += std::min(a, b);
    result.hi += std::max(a, b);
  }
  return result;
}

IndexSpace::Range IndexSpace::range(AffineExpr expr) const {
  return rangeOfSum(toSum(expr));
}

std::optional<std::pair<IndexSpace::Sum, IndexSpace::Sum>>
IndexSpace::splitBy(const Sum &sum, int64_t factor) const {
  Sum quotient, rest;
  for (auto [atom, coefficient] : sum.terms) {
    int64_t q = coefficient / factor;
    if (coefficient - q * factor < 0)
      --q;
    quotient.add(atom, q);
    rest.add(atom, coefficient - q * factor);
  }
  int64_t q = sum.constant / factor;
  if (sum.constant - q * factor < 0)
    --q;
  quotient.constant = q;
  rest.constant = sum.constant - q * factor;
  Range r = rangeOfSum(rest);
  if (r.lo < 0 || r.hi >= factor)
    return std::nullopt;
  return std::make_pair(quotient, rest);
}

/// Factors g of c worth trying as a common scale of the terms, largest first.
static SmallVector<int64_t>
scaleCandidates(ArrayRef<std::pair<AffineExpr, int64_t>> terms, int64_t c) {
  SmallVector<int64_t> result;
  for (auto [atom, coefficient] : terms) {
    int64_t g = std::gcd(coefficient, c);
    if (g > 1 && !llvm::is_contained(result, g))
      result.push_back(g);
  }
  llvm::sort(result, std::greater<>());
  return result;
}

IndexSpace::Sum IndexSpace::atomOrSum(AffineExprKind kind, const Sum &sum,
                                      int64_t c) const {
  AffineExpr expr = getAffineBinaryOpExpr(kind, fromSum(sum), constant(c));
  // The uniquer may simplify on its own, to something that is no atom.
  if (expr.getKind() != kind)
    return toSum(expr);
  Sum result;
  result.add(expr, 1);
  return result;
}

IndexSpace::Sum IndexSpace::floorDiv(const Sum &sum, int64_t c) const {
  if (c == 1)
    return sum;
  if (auto split = splitBy(sum, c))
    return split->first;
  for (int64_t g : scaleCandidates(sum.terms, c))
    if (g != c)
      if (auto split = splitBy(sum, g))
        return floorDiv(split->first, c / g);
  // Take whole multiples of c out; what is left becomes one atom.
  Sum whole, rest;
  for (auto [atom, coefficient] : sum.terms) {
    if (coefficient % c == 0)
      whole.add(atom, coefficient / c);
    else
      rest.add(atom, coefficient);
  }
  int64_t q = sum.constant / c;
  if (sum.constant - q * c < 0)
    --q;
  whole.constant = q;
  rest.constant = sum.constant - q * c;
  // (x floordiv a) floordiv c = x floordiv (a * c).
  if (rest.terms.size() == 1 && rest.constant == 0 &&
      rest.terms[0].second == 1 &&
      rest.terms[0].first.getKind() == AffineExprKind::FloorDiv) {
    auto inner = cast<AffineBinaryOpExpr>(rest.terms[0].first);
    int64_t a = cast<AffineConstantExpr>(inner.getRHS()).getValue();
    whole.add(floorDiv(toSum(inner.getLHS()), a * c), 1);
    return whole;
  }
  whole.add(atomOrSum(AffineExprKind::FloorDiv, rest, c), 1);
  return whole;
}

IndexSpace::Sum IndexSpace::mod(const Sum &sum, int64_t c) const {
  Sum result;
  if (c == 1)
    return result;
  if (auto split = splitBy(sum, c))
    return split->second;
  for (int64_t g : scaleCandidates(sum.terms, c)) {
    if (g == c)
      continue;
    if (auto split = splitBy(sum, g)) {
      result.add(mod(split->first, c / g), g);
      result.add(split->second, 1);
      return result;
    }
  }
  Sum rest;
  for (auto [atom, coefficient] : sum.terms)
    if (coefficient % c != 0)
      rest.add(atom, coefficient);
  rest.constant = ((sum.constant % c) + c) % c;
  // (x mod (a * c)) mod c = x mod c.
  if (rest.terms.size() == 1 && rest.constant == 0 &&
      rest.terms[0].second == 1 &&
      rest.terms[0].first.getKind() == AffineExprKind::Mod) {
    auto inner = cast<AffineBinaryOpExpr>(rest.terms[0].first);
    int64_t a = cast<AffineConstantExpr>(inner.getRHS()).getValue();
    if (a % c == 0)
      return mod(toSum(inner.getLHS()), c);
  }
  if (rest.terms.size() != sum.terms.size() || rest.constant != sum.constant)
    if (auto split = splitBy(rest, c))
      return split->second;
  result.add(atomOrSum(AffineExprKind::Mod, rest, c), 1);
  return result;
}

void IndexSpace::recombine(Sum &sum) const {
  // k * c * (e floordiv c) + k * (e mod c) = k * e, until none is left.
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto [atom, k] : sum.terms) {
      if (atom.getKind() != AffineExprKind::Mod)
        continue;
      auto binary = cast<AffineBinaryOpExpr>(atom);
      int64_t c = cast<AffineConstantExpr>(binary.getRHS()).getValue();
      Sum inner = toSum(binary.getLHS());
      Sum quotient = floorDiv(inner, c);
      if (quotient.terms.size() != 1 || quotient.constant != 0 ||
          quotient.terms[0].second != 1)
        continue;
      AffineExpr partner = quotient.terms[0].first;
      bool present = llvm::any_of(sum.terms, [&](auto &term) {
        return term.first == partner && term.second == k * c;
      });
      if (!present)
        continue;
      AffineExpr modAtom = atom;
      int64_t factor = k;
      sum.add(modAtom, -factor);
      sum.add(partner, -factor * c);
      sum.add(inner, factor);
      changed = true;
      break;
    }
  }
}

IndexSpace::Sum IndexSpace::toSum(AffineExpr expr) const {
  Sum result;
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    result.constant = cast<AffineConstantExpr>(expr).getValue();
    return result;
  case AffineExprKind::DimId:
    if (dims[cast<AffineDimExpr>(expr).getPosition()].size > 1)
      result.add(expr, 1);
    return result;
  case AffineExprKind::SymbolId:
    llvm_unreachable("index expressions have no symbols");
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Sum lhs = toSum(binary.getLHS());
  if (expr.getKind() == AffineExprKind::Add) {
    lhs.add(toSum(binary.getRHS()), 1);
    recombine(lhs);
    return lhs;
  }
  int64_t c = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    result.add(lhs, c);
    return result;
  case AffineExprKind::FloorDiv:
    return floorDiv(lhs, c);
  case AffineExprKind::Mod:
    return mod(lhs, c);
  default:
    llvm_unreachable("ceildiv does not occur in index expressions");
  }
}

AffineExpr IndexSpace::fromSum(const Sum &sum) const {
  // A canonical order of terms, so that equal sums are the same expression:
  // larger coefficients first, then dims by number, then the rest as they come.
  using Term = std::pair<AffineExpr, int64_t>;
  auto dimNumber = [](AffineExpr atom) -> int64_t {
    auto dim = dyn_cast<AffineDimExpr>(atom);
    return dim ? dim.getPosition() : INT64_MAX;
  };
  auto comesFirst = [&](const Term &a, const Term &b) {
    if (a.second != b.second)
      return a.second > b.second;
    return dimNumber(a.first) < dimNumber(b.first);
  };
  // Few terms, and equal ones keep their order.
  SmallVector<Term, 4> terms;
  for (const Term &term : sum.terms)
    terms.insert(llvm::upper_bound(terms, term, comesFirst), term);
  AffineExpr result = constant(sum.constant);
  for (auto [atom, coefficient] : llvm::reverse(terms))
    result = atom * coefficient + result;
  return result;
}

AffineExpr IndexSpace::simplify(AffineExpr expr) const {
  return fromSum(toSum(expr));
}

int64_t IndexSpace::divisor(AffineExpr expr) const {
  Sum sum = toSum(expr);
  int64_t result = std::abs(sum.constant);
  for (auto [atom, coefficient] : sum.terms)
    result = std::gcd(result, coefficient);
  return result;
}

std::optional<std::pair<AffineExpr, int64_t>>
IndexSpace::splitLinear(AffineExpr expr, AffineExpr dim) const {
  Sum sum = toSum(expr);
  int64_t coefficient = 0;
  unsigned position = cast<AffineDimExpr>(dim).getPosition();
  Sum base;
  base.constant = sum.constant;
  for (auto [atom, c] : sum.terms) {
    if (atom == dim) {
      coefficient = c;
      continue;
    }
    if (atom.isFunctionOfDim(position))
      return std::nullopt;
    base.add(atom, c);
  }
  return std::make_pair(fromSum(base), coefficient);
}

AffineExpr IndexSpace::linearize(ArrayRef<AffineExpr> idx,
                                 ArrayRef<int64_t> extents) const {
  AffineExpr result = constant(0);
  for (auto [i, extent] : llvm::zip_equal(idx, extents))
    result = result * extent + i;
  return simplify(result);
}

SmallVector<AffineExpr>
IndexSpace::delinearize(AffineExpr position, ArrayRef<int64_t> extents) const {
  SmallVector<AffineExpr> result(extents.size());
  Sum rest = toSum(position);
  for (int64_t i = static_cast<int64_t>(extents.size()) - 1; i > 0; --i) {
    int64_t extent = std::max<int64_t>(extents[i], 1);
    result[i] = fromSum(mod(rest, extent));
    rest = floorDiv(rest, extent);
  }
  if (!extents.empty())
    result[0] = fromSum(rest);
  return result;
}

Value IndexSpace::emit(OpBuilder &b, Location loc, Type type,
                       AffineExpr expr) const {
  Sum sum = toSum(expr);
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  };
  auto emitAtom = [&](AffineExpr atom) -> Value {
    if (auto dim = dyn_cast<AffineDimExpr>(atom)) {
      Value value = dims[dim.getPosition()].value;
      assert(value && "emitting a dim that has no value");
      return value;
    }
    auto binary = cast<AffineBinaryOpExpr>(atom);
    Value lhs = emit(b, loc, type, binary.getLHS());
    Value c = integer(cast<AffineConstantExpr>(binary.getRHS()).getValue());
    bool nonNegative = range(binary.getLHS()).lo >= 0;
    if (atom.getKind() == AffineExprKind::FloorDiv)
      return nonNegative
                 ? arith::DivUIOp::create(b, loc, lhs, c).getResult()
                 : arith::FloorDivSIOp::create(b, loc, lhs, c).getResult();
    if (nonNegative)
      return arith::RemUIOp::create(b, loc, lhs, c);
    Value quotient = arith::FloorDivSIOp::create(b, loc, lhs, c);
    Value product = arith::MulIOp::create(b, loc, quotient, c);
    return arith::SubIOp::create(b, loc, lhs, product);
  };
  Value result;
  // Canonical order, so that common subexpressions are found.
  AffineExpr canonical = fromSum(sum);
  Sum ordered = toSum(canonical);
  for (auto [atom, coefficient] : ordered.terms) {
    Value term = emitAtom(atom);
    if (coefficient != 1)
      term = arith::MulIOp::create(b, loc, term, integer(coefficient));
    result =
        result ? arith::AddIOp::create(b, loc, result, term).getResult() : term;
  }
  if (!result)
    return integer(sum.constant);
  if (sum.constant != 0)
    result = arith::AddIOp::create(b, loc, result, integer(sum.constant));
  return result;
}

} // namespace egg
