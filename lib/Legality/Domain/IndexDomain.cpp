//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Legality/IndexDomain.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace egg::legality;

bool Congruence::excludes(int64_t m, int64_t r) const {
  int64_t common = std::gcd(modulus, m);
  return (remainder - r) % common != 0;
}

int64_t LinearForm::coefficientOf(AtomId atom) const {
  for (auto [id, coefficient] : terms)
    if (id == atom)
      return coefficient;
  return 0;
}

static bool isSmall(__int128 number) {
  return number > -kInfinity && number < kInfinity;
}

std::optional<LinearForm> LinearForm::plus(const LinearForm &other,
                                           int64_t factor) const {
  LinearForm sum;
  __int128 total = __int128(other.constant) * factor + constant;
  if (!isSmall(total))
    return std::nullopt;
  sum.constant = int64_t(total);
  const auto *a = terms.begin(), *b = other.terms.begin();
  while (a != terms.end() || b != other.terms.end()) {
    AtomId id =
        b == other.terms.end() || (a != terms.end() && a->first <= b->first)
            ? a->first
            : b->first;
    __int128 coefficient = 0;
    if (a != terms.end() && a->first == id)
      coefficient += (a++)->second;
    if (b != other.terms.end() && b->first == id)
      coefficient += __int128((b++)->second) * factor;
    if (!isSmall(coefficient))
      return std::nullopt;
    if (coefficient != 0)
      sum.terms.push_back({id, int64_t(coefficient)});
  }
  return sum;
}

std::optional<LinearForm> LinearForm::times(int64_t factor) const {
  return LinearForm().plus(*this, factor);
}

bool LinearForm::operator<(const LinearForm &other) const {
  if (constant != other.constant)
    return constant < other.constant;
  return std::lexicographical_compare(terms.begin(), terms.end(),
                                      other.terms.begin(), other.terms.end());
}

AtomId IndexDomain::addAtom(Interval range, Congruence congruence) {
  Atom atom;
  atom.range = range;
  atom.congruence = congruence;
  atoms.push_back(std::move(atom));
  return atoms.size() - 1;
}

void IndexDomain::addFact(AtomId atom, LinearForm nonNegative) {
  atoms[atom].facts.push_back(std::move(nonNegative));
}

static int64_t saturate(__int128 number) {
  return int64_t(std::clamp<__int128>(number, -kInfinity, kInfinity));
}

Interval IndexDomain::interval(const LinearForm &form) const {
  __int128 lo = form.constant, hi = form.constant;
  bool boundedBelow = true, boundedAbove = true;
  for (auto [id, coefficient] : form.terms) {
    Interval range = atoms[id].range;
    if (coefficient < 0)
      std::swap(range.lo, range.hi);
    boundedBelow &= std::abs(range.lo) < kInfinity;
    boundedAbove &= std::abs(range.hi) < kInfinity;
    lo += __int128(range.lo) * coefficient;
    hi += __int128(range.hi) * coefficient;
  }
  return {boundedBelow ? saturate(lo) : -kInfinity,
          boundedAbove ? saturate(hi) : kInfinity};
}

Congruence IndexDomain::congruence(const LinearForm &form) const {
  // Constants of any size; products stay exact modulo the common modulus.
  __int128 modulus = 0;
  for (auto [id, coefficient] : form.terms) {
    __int128 step = __int128(atoms[id].congruence.modulus) * coefficient;
    if (step < 0)
      step = -step;
    while (step != 0) {
      __int128 rest = modulus % step;
      modulus = step;
      step = rest;
    }
  }
  if (!isSmall(modulus))
    return {};
  __int128 remainder = form.constant;
  for (auto [id, coefficient] : form.terms)
    remainder += __int128(atoms[id].congruence.remainder) * coefficient;
  if (modulus != 0) {
    remainder %= modulus;
    if (remainder < 0)
      remainder += modulus;
  }
  if (!isSmall(remainder))
    return {};
  return {int64_t(modulus), int64_t(remainder)};
}

/// form = factor * quotient + rest, where 0 <= rest < factor is sure.
std::optional<IndexDomain::Split> IndexDomain::splitBy(const LinearForm &form,
                                                       int64_t factor) const {
  Split split;
  auto divide = [&](int64_t number) {
    return llvm::divideFloorSigned(number, factor);
  };
  for (auto [id, coefficient] : form.terms) {
    int64_t quotient = divide(coefficient);
    int64_t rest = coefficient - quotient * factor;
    if (quotient != 0)
      split.quotient.terms.push_back({id, quotient});
    if (rest != 0)
      split.rest.terms.push_back({id, rest});
  }
  split.quotient.constant = divide(form.constant);
  split.rest.constant = form.constant - split.quotient.constant * factor;
  Interval range = interval(split.rest);
  if (!(range.lo >= 0 && range.hi < factor)) {
    // The rest may lie in another whole period.
    int64_t period = divide(range.lo);
    if (range.lo <= -kInfinity || range.hi >= kInfinity ||
        period != divide(range.hi))
      return std::nullopt;
    split.quotient.constant += period;
    split.rest.constant -= period * factor;
  }
  return split;
}

/// Scales at which a form may fall apart into digits, largest first.
static llvm::SmallVector<int64_t> scalesOf(const LinearForm &form,
                                           int64_t divisor) {
  llvm::SmallVector<int64_t> scales;
  for (auto [id, coefficient] : form.terms) {
    int64_t common = std::gcd(coefficient, divisor);
    if (common > 1 && common < divisor && !llvm::is_contained(scales, common))
      scales.push_back(common);
  }
  llvm::sort(scales, std::greater<>());
  return scales;
}

/// The atom of a form that is that atom plus a constant.
static const Atom *asAtom(const std::vector<Atom> &atoms,
                          const LinearForm &form) {
  if (form.terms.size() != 1 || form.terms[0].second != 1)
    return nullptr;
  return &atoms[form.terms[0].first];
}

/// What is left of a form when multiples of the divisor are taken out.
static std::pair<LinearForm, LinearForm>
takeOutMultiples(const LinearForm &form, int64_t divisor) {
  LinearForm whole, rest;
  for (auto [id, coefficient] : form.terms)
    if (coefficient % divisor == 0)
      whole.terms.push_back({id, coefficient / divisor});
    else
      rest.terms.push_back({id, coefficient});
  whole.constant = llvm::divideFloorSigned(form.constant, divisor);
  rest.constant = form.constant - whole.constant * divisor;
  return {whole, rest};
}

LinearForm IndexDomain::floorDiv(const LinearForm &form, int64_t divisor) {
  if (divisor == 1)
    return form;
  if (auto split = splitBy(form, divisor))
    return split->quotient;
  for (int64_t scale : scalesOf(form, divisor))
    if (auto split = splitBy(form, scale))
      return floorDiv(split->quotient, divisor / scale);
  auto [whole, rest] = takeOutMultiples(form, divisor);
  LinearForm lowest;
  const Atom *inner = asAtom(atoms, rest);
  // (x floordiv a + k) floordiv c = (x + k * a) floordiv (a * c).
  int64_t product;
  std::optional<LinearForm> source;
  if (inner && inner->kind == Atom::Kind::Quotient &&
      !llvm::MulOverflow(inner->divisor, divisor, product))
    if (auto shift = LinearForm(rest.constant).times(inner->divisor))
      source = inner->form.plus(*shift);
  if (source) {
    lowest = floorDiv(*source, product);
  } else {
    lowest = digit(Atom::Kind::Quotient, rest, divisor);
  }
  auto sum = whole.plus(lowest);
  return sum ? *sum : digit(Atom::Kind::Quotient, form, divisor);
}

LinearForm IndexDomain::mod(const LinearForm &form, int64_t divisor) {
  if (divisor == 1)
    return LinearForm(0);
  if (auto split = splitBy(form, divisor))
    return split->rest;
  for (int64_t scale : scalesOf(form, divisor))
    if (auto split = splitBy(form, scale))
      if (auto scaled = mod(split->quotient, divisor / scale).times(scale))
        if (auto sum = scaled->plus(split->rest))
          return *sum;
  LinearForm rest = takeOutMultiples(form, divisor).second;
  // (x mod (a * c)) mod c = x mod c.
  const Atom *inner = asAtom(atoms, rest);
  if (inner && inner->kind == Atom::Kind::Remainder && rest.constant == 0 &&
      inner->divisor % divisor == 0) {
    LinearForm source = inner->form;
    return mod(source, divisor);
  }
  if (auto split = splitBy(rest, divisor))
    return split->rest;
  return digit(Atom::Kind::Remainder, rest, divisor);
}

AtomId IndexDomain::digitAtom(Atom::Kind kind, const LinearForm &form,
                              int64_t divisor) {
  auto key = std::make_tuple(int(kind), form, LinearForm(), divisor);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  Interval range = interval(form);
  Atom atom;
  atom.kind = kind;
  atom.form = form;
  atom.divisor = divisor;
  if (kind == Atom::Kind::Quotient) {
    atom.range = {
        range.lo <= -kInfinity ? -kInfinity
                               : llvm::divideFloorSigned(range.lo, divisor),
        range.hi >= kInfinity ? kInfinity
                              : llvm::divideFloorSigned(range.hi, divisor)};
  } else {
    // x mod c = x modulo what c and the modulus of x have in common.
    Congruence inner = congruence(form);
    int64_t common = std::gcd(inner.modulus, divisor);
    atom.congruence = {common, ((inner.remainder % common) + common) % common};
    atom.range = {0, range.lo >= 0 ? std::min(range.hi, divisor - 1)
                                   : divisor - 1};
  }
  AtomId id = atoms.size();
  atoms.push_back(std::move(atom));
  known[key] = id;
  // The remainder is told from the quotient.
  if (kind == Atom::Kind::Remainder) {
    LinearForm quotient = floorDiv(form, divisor);
    atoms[id].quotient = quotient;
  }
  return id;
}

LinearForm IndexDomain::extremum(Atom::Kind kind, const LinearForm &a,
                                 const LinearForm &b) {
  Interval x = interval(a), y = interval(b);
  bool isMinimum = kind == Atom::Kind::Minimum;
  if (auto difference = a.plus(b, -1)) {
    Interval range = interval(*difference);
    if (range.hi <= 0)
      return isMinimum ? a : b;
    if (range.lo >= 0)
      return isMinimum ? b : a;
  }
  auto key = std::make_tuple(int(kind), a, b, int64_t(1));
  if (auto it = known.find(key); it != known.end())
    return LinearForm::ofAtom(it->second);
  Atom atom;
  atom.kind = kind;
  atom.form = a;
  atom.other = b;
  atom.range = isMinimum ? Interval{std::min(x.lo, y.lo), std::min(x.hi, y.hi)}
                         : Interval{std::max(x.lo, y.lo), std::max(x.hi, y.hi)};
  AtomId id = atoms.size();
  LinearForm self = LinearForm::ofAtom(id);
  for (const LinearForm *side : {&a, &b})
    if (auto fact = isMinimum ? side->plus(self, -1) : self.plus(*side, -1))
      atom.facts.push_back(*fact);
  atoms.push_back(std::move(atom));
  known[key] = id;
  return self;
}

LinearForm IndexDomain::minimum(const LinearForm &a, const LinearForm &b) {
  return extremum(Atom::Kind::Minimum, a, b);
}

LinearForm IndexDomain::maximum(const LinearForm &a, const LinearForm &b) {
  return extremum(Atom::Kind::Maximum, a, b);
}

void IndexDomain::collectAtoms(const LinearForm &form,
                               llvm::SmallVectorImpl<AtomId> &found) const {
  for (auto [id, coefficient] : form.terms) {
    if (llvm::is_contained(found, id))
      continue;
    found.push_back(id);
    collectAtoms(atoms[id].form, found);
    collectAtoms(atoms[id].other, found);
  }
}

std::optional<int64_t> IndexDomain::evaluate(
    const LinearForm &form,
    llvm::function_ref<std::optional<int64_t>(AtomId)> valueOf) const {
  int64_t sum = form.constant;
  for (auto [id, coefficient] : form.terms) {
    const Atom &atom = atoms[id];
    std::optional<int64_t> value;
    if (atom.kind == Atom::Kind::Free) {
      value = valueOf(id);
    } else {
      value = evaluate(atom.form, valueOf);
      if (!value)
        return std::nullopt;
      int64_t quotient = llvm::divideFloorSigned(*value, atom.divisor);
      if (atom.kind == Atom::Kind::Quotient)
        value = quotient;
      else if (atom.kind == Atom::Kind::Remainder)
        value = *value - quotient * atom.divisor;
      else if (auto other = evaluate(atom.other, valueOf))
        value = atom.kind == Atom::Kind::Minimum ? std::min(*value, *other)
                                                 : std::max(*value, *other);
      else
        value = std::nullopt;
    }
    if (!value)
      return std::nullopt;
    int64_t product;
    if (llvm::MulOverflow(*value, coefficient, product) ||
        llvm::AddOverflow(sum, product, sum))
      return std::nullopt;
  }
  return sum;
}
