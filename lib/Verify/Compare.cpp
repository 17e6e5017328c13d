//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/Compare.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <cmath>

using namespace mlir;
using namespace egg;

/// Bit for bit, against either run of the payload.
static Comparison compareIntegers(const HostTensor &reference,
                                  const HostTensor &native,
                                  const HostTensor &got) {
  Comparison result;
  result.finite = got.getNumElements();
  for (int64_t i = 0, e = got.getNumElements(); i < e; ++i) {
    int64_t value = got.getInteger(i);
    if (value == native.getInteger(i) || value == reference.getInteger(i))
      continue;
    if (result.mismatches++ == 0) {
      result.worst = i;
      result.got = double(value);
      result.expected = double(reference.getInteger(i));
      result.native = double(native.getInteger(i));
    }
    result.maxError =
        std::max(result.maxError,
                 std::abs(double(value) - double(native.getInteger(i))));
  }
  return result;
}

/// The least normal number of a float dtype; of f64 the next power of two,
/// whose product with the unit roundoff is a number.
static double getLeastNormal(llvm::StringRef dtype) {
  if (dtype == "f64")
    return 0x1p-1021;
  return dtype == "f16" ? 0x1p-14 : 0x1p-126;
}

void Rounding::add(llvm::StringRef dtype) {
  unit = std::max(unit, getUnitRoundoff(dtype));
  leastNormal = std::max(leastNormal, getLeastNormal(dtype));
}

/// The least number that is rounded to infinity.
static double getOverflow(llvm::StringRef dtype) {
  int exponent = dtype == "f64" ? 1024 : dtype == "f16" ? 16 : 128;
  return std::ldexp(1 - getUnitRoundoff(dtype) / 2, exponent);
}

void OrderOutcomes::add(const HostTensor &result) {
  elements.resize(size_t(result.getNumElements()));
  for (auto [i, element] : llvm::enumerate(elements)) {
    double value = result.getFloat(int64_t(i));
    element.nan |= std::isnan(value);
    element.plus |= value == HUGE_VAL;
    element.minus |= value == -HUGE_VAL;
    if (!std::isfinite(value))
      continue;
    element.least = std::min(element.least, value);
    element.largest = std::max(element.largest, value);
  }
}

bool OrderOutcomes::allow(int64_t i, double value, double growth,
                          const Rounding &rounding) const {
  const Element &element = elements[size_t(i)];
  int kinds = element.nan + element.plus + element.minus;
  if (!std::isfinite(value))
    return kinds > 1 || (std::isnan(value) ? element.nan
                         : value > 0       ? element.plus
                                           : element.minus);
  double margin = 4 * growth * rounding.unit *
                  std::max(std::abs(element.least), std::abs(element.largest));
  return value >= element.least - margin && value <= element.largest + margin;
}

double egg::getAllowedError(const OwnError &own, double largestUnit) {
  return std::max(2 * own.absolute, 4 * largestUnit);
}

Comparison egg::compareResult(const HostTensor &reference,
                              const HostTensor &native, const HostTensor &got,
                              const HostTensor &sensitivity, double growth,
                              const Rounding &rounding, OwnError &own,
                              NaNs nans, const OrderOutcomes *orders) {
  if (!got.isFloat())
    return compareIntegers(reference, native, got);

  Comparison result;
  int64_t count = got.getNumElements();
  auto unitOf = [&](int64_t i) {
    double s =
        std::abs(sensitivity.getFloat(i)) * rounding.unit / kPerturbation;
    return rounding.unit *
               std::max(std::abs(reference.getFloat(i)), rounding.leastNormal) +
           (std::isfinite(s) ? s : 0);
  };
  double squares = 0;
  for (int64_t i = 0; i < count; ++i) {
    double r = reference.getFloat(i), o = native.getFloat(i);
    if (!std::isfinite(r))
      continue;
    ++result.finite;
    squares += r * r;
    result.largestUnit = std::max(result.largestUnit, unitOf(i));
    if (!std::isfinite(o))
      continue;
    own.absolute = std::max(own.absolute, std::abs(o - r));
    if (!rounding.isExact())
      own.inUnits = std::max(own.inUnits, std::abs(o - r) / unitOf(i));
  }
  double rms = result.finite ? std::sqrt(squares / double(result.finite)) : 0;
  double unitsAllowed = 4 * growth;
  // Nothing is more precise than the payload here, so its own error is unknown.
  double least = got.dtype == "f64" && !rounding.isExact()
                     ? 64 * unitsAllowed *
                           std::max(getUnitRoundoff("f64") * rms, 0x1p-1074)
                     : 0;
  // How far beyond its tolerance the worst element is.
  double worstRatio = -1;
  for (int64_t i = 0; i < count; ++i) {
    double r = reference.getFloat(i), o = native.getFloat(i),
           g = got.getFloat(i);
    if (nans == NaNs::MaySpread && std::isnan(g) && !std::isnan(r) &&
        !std::isnan(o)) {
      ++result.spread;
      result.finite -= std::isfinite(r);
      continue;
    }
    double unit = unitOf(i);
    double tolerance =
        std::max({unitsAllowed * unit, least,
                  std::min(2 * own.inUnits * unit, 2 * own.absolute)});
    double error = std::abs(g - r);
    bool same =
        g == r || g == o || (std::isnan(g) && (std::isnan(r) || std::isnan(o)));
    // A quotient by zero whose dividend cancels: its sign, or whether it is
    // one, is a matter of rounding.
    bool undecided =
        std::isinf(r) && std::isinf(o) && r != o && !std::isfinite(g);
    if (std::isinf(g) && std::isfinite(r))
      error = std::max(0.0, getOverflow(got.dtype) - std::copysign(1.0, g) * r);
    bool isNoNumber = nans == NaNs::AreInfinities && !std::isfinite(r) &&
                      !std::isfinite(o) && !std::isfinite(g);
    if (undecided || isNoNumber ||
        (same && !(std::isfinite(r) && std::isfinite(o))) ||
        (orders && !(std::isfinite(r) && std::isfinite(g)) &&
         orders->allow(i, g, growth, rounding))) {
      error = 0;
    } else if (!std::isfinite(r) || std::isnan(g) ||
               (std::isinf(g) && error > tolerance)) {
      error = HUGE_VAL;
      tolerance = 0;
    }
    result.maxError = std::max(result.maxError, error);
    result.mismatches += error > tolerance;
    double ratio = error == 0       ? 0
                   : tolerance == 0 ? HUGE_VAL
                                    : error / tolerance;
    if (ratio > worstRatio) {
      worstRatio = ratio;
      result.worst = i;
      result.got = g;
      result.expected = r;
      result.native = o;
      result.tolerance = tolerance;
    }
  }
  result.maxRelativeError = result.maxError == 0 ? 0
                            : rms > 0            ? result.maxError / rms
                                                 : HUGE_VAL;
  return result;
}

RmsErrors egg::measureRmsErrors(const HostTensor &reference,
                                const HostTensor &native,
                                const HostTensor &got) {
  RmsErrors errors;
  double squares = 0;
  int64_t count = 0;
  for (int64_t i = 0, e = got.getNumElements(); i < e; ++i) {
    double r = reference.getFloat(i), o = native.getFloat(i),
           g = got.getFloat(i);
    if (!std::isfinite(r) || !std::isfinite(o))
      continue;
    ++count;
    squares += r * r;
    errors.got += (g - r) * (g - r);
    errors.native += (o - r) * (o - r);
  }
  if (count == 0)
    return errors;
  auto root = [&](double sum) { return std::sqrt(sum / double(count)); };
  errors.got = root(errors.got);
  errors.native = root(errors.native);
  errors.allowed =
      std::max(2 * errors.native, getUnitRoundoff(got.dtype) * root(squares));
  return errors;
}

int64_t egg::getLongestReduction(ModuleOp payload) {
  int64_t longest = 1;
  payload.walk([&](linalg::LinalgOp op) {
    int64_t length = 1;
    for (auto [extent, kind] :
         llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
      if (kind == utils::IteratorType::reduction)
        length *= std::max<int64_t>(extent, 1);
    longest = std::max(longest, length);
  });
  payload.walk([&](ScanOp scan) {
    auto type = cast<RankedTensorType>(scan.getInput().getType());
    longest = std::max(longest, type.getDimSize(scan.getDim()));
  });
  return longest;
}
