//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Comparison of a result with the fp64 reference.
//
// For an element g of a float result let r be the reference, o what the payload
// gives in its own precision, u the unit roundoff of the coarsest float type
// that anything on the way to the result is rounded to, and
//
//     h = u max(|r|, least normal number) + s
//
// its unit of error: s is how far the reference moves when every float input is
// off by a relative u, in the worst of some random directions, or when rounding
// errors are put into each operation (the reasons for their number and size are
// in Sensitivity.h). So h knows how well conditioned the element is. The rule
// is
//
//     |g - r| <= max(4 sqrt(K) h, min(2 H h, 2 E))
//
// where K is the longest reduction of the payload, E the payload's largest
// error |o - r| over the tensor, and H the largest in units, |o - r| / h.
// The first term is what another order of operations may do: rounding errors
// of K terms add up like sqrt(K). The second is the yardstick of the policy
// `match`: a schedule may be twice as far from the truth as the program it
// replaces, both absolutely and relative to the element's condition, so that
// neither one large nor one badly conditioned element excuses the others. NaN
// matches NaN, and an infinity its like or what the payload gives in its own
// precision. Where the payload alone overflows, a result that does not is held
// to the rule. An infinite g for a finite r stands for the least number that is
// rounded to it.
//
// Whether a sum or product overflows, and to what, is a matter of its order. So
// where g or r is no finite number, g is also right if the payload gives it in
// another order of its reductions, or if it is not finite and other orders give
// values of two kinds that are not (OtherOrders.h in lib/Verify/Reference). A
// finite g is given by an order if it lies among the finite values of orders,
// up to rounding. That all of these may be finite where r is not: a dividend
// that underflows leaves 0 / 0 = NaN in place of an infinity, and a maximum
// passes over the NaN. Then r is nothing that the payload's precision can give
// and says nothing of g. What the orders give is all that a kernel in this
// precision can be asked for, and they differ by their rounding as kernels do,
// so that g need not be o to the last bit.
//
// A kernel that follows other laws of algebra than its payload, as a fast
// convolution does, may give NaN for more elements when an input is NaN; never
// for fewer. Where that is allowed (NaNs::MaySpread) such elements are counted
// and passed over, and all others are held to the rule.
//
// On inputs whose rows are constant, rounding errors add up instead: K stands
// in place of sqrt(K).
//
// The reference of an f64 result is no more precise than the payload, so that E
// and H say nothing there; its elements may be off by 256 sqrt(K) u rms(r) too,
// or as many of the least denormal.
//
// The grade `bounded` asks for more. Over all runs on inputs of one
// distribution at some extents, the largest errors must keep
//
//     max |g - r| <= max(2 E, 4 max h)        (4 K max h on constant rows)
//
// that is, no element may be further from the truth than twice the payload's
// worst one, with four units of the worst conditioned element for payloads that
// are exact by luck.
//
// A result on whose way nothing rounds (ExactValues.h in lib/Verify/Reference)
// has one right value: |g - r| must be zero. On small integers that holds of
// sums and products too.
//
// Integers agree bit for bit with the payload in its own precision or in fp64:
// where an integer depends on floats (argmax, a comparison) both are right.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_VERIFY_COMPARE_H
#define EGG_VERIFY_COMPARE_H

#include "egg/Host/HostTensor.h"
#include "egg/Verify/PayloadProgram.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include <cmath>

namespace egg {

/// Where a result may be NaN.
enum class NaNs {
  /// Where the payload's is.
  Stay,
  /// There, and anywhere else.
  MaySpread,
  /// Where the payload's is no finite number, by any law of algebra: an
  /// infinity for a NaN, or of the other sign.
  AreInfinities
};

/// What the comparison of one result showed.
struct Comparison {
  /// Elements beyond their tolerance.
  int64_t mismatches = 0;
  /// The element furthest beyond (or nearest to) its tolerance, the values
  /// there and what was allowed.
  int64_t worst = 0;
  double got = 0, expected = 0, native = 0, tolerance = 0;
  /// Largest absolute error, and the same relative to the reference's rms.
  double maxError = 0, maxRelativeError = 0;
  /// Elements whose reference is a finite number, and the largest unit of error
  /// among them.
  int64_t finite = 0;
  double largestUnit = 0;
  /// Elements that are NaN and are none in the reference and in the payload's
  /// own precision, where that is allowed. They do not count as finite.
  int64_t spread = 0;

  bool matches() const { return mismatches == 0; }
  /// Whether something that is no finite number is the worst mismatch.
  bool isOverflow() const {
    return !matches() && !(std::isfinite(got) && std::isfinite(expected));
  }
};

/// The payload's own errors of one result, over all inputs so far: E and H of
/// the rule.
struct OwnError {
  double absolute = 0, inUnits = 0;
};

/// By how much inputs are perturbed to find the sensitivity: the unit roundoff
/// of f32. Sensitivities scale with it.
inline constexpr double kPerturbation = 0x1p-24;

/// The largest error of the grade `bounded`; `largestUnit` is that of all
/// elements, times K on constant rows.
double getAllowedError(const OwnError &own, double largestUnit);

/// The coarsest rounding of some float types; of none, nothing rounds.
struct Rounding {
  /// The largest unit roundoff, and the largest of the least normal numbers.
  double unit = 0, leastNormal = 0;

  bool isExact() const { return unit == 0; }
  /// No rounding is finer than that of `dtype`.
  void add(llvm::StringRef dtype);
};

/// For each result of @main the coarsest rounding of its dtype and of what the
/// arithmetic on the way to it is rounded to: an f64 that is computed from sums
/// in f32 is known no better than these. Types that values are only widened
/// from do not count: inputs are what they are. Integers have no rounding, nor
/// has a result that is exact.
llvm::SmallVector<Rounding> getRoundings(mlir::ModuleOp payload,
                                         ExactOn exactOn = ExactOn::Nothing);

/// What orders of the payload's reductions give of each element of a result, in
/// its own precision.
class OrderOutcomes {
public:
  /// A result of one more order.
  void add(const HostTensor &result);
  /// Whether element i may be `value`; finite ones lie among those of orders,
  /// up to rounding. `growth` is as below.
  bool allow(int64_t i, double value, double growth,
             const Rounding &rounding) const;

private:
  struct Element {
    double least = HUGE_VAL, largest = -HUGE_VAL;
    bool nan = false, plus = false, minus = false;
  };
  std::vector<Element> elements;
};

/// Compares one result. `reference` is f64 for floats; `native` and `got` have
/// the payload's dtype. `sensitivity` has an f64 an element: the change of the
/// reference under a relative perturbation of kPerturbation. `own` is updated
/// first. `growth` is how rounding errors add up: sqrt(K), or K on constant
/// rows. Integers have no NaN to spread. `orders` are those that were tried, if
/// any.
Comparison compareResult(const HostTensor &reference, const HostTensor &native,
                         const HostTensor &got, const HostTensor &sensitivity,
                         double growth, const Rounding &rounding, OwnError &own,
                         NaNs nans = NaNs::Stay,
                         const OrderOutcomes *orders = nullptr);

/// Errors of a result over all of its elements, as root mean squares.
struct RmsErrors {
  double got = 0, native = 0;
  /// Twice the native error, and at least the rounding of the result itself.
  double allowed = 0;
};

/// Measures results of floats; elements whose reference is no finite number
/// are passed over. The rule `match`: a kernel is as precise as the payload in
/// its own precision when `got` is at most `allowed`.
RmsErrors measureRmsErrors(const HostTensor &reference,
                           const HostTensor &native, const HostTensor &got);

/// The longest reduction of the payload: the product of the reduction extents
/// of a linalg op, or the length of a scan; at least 1.
int64_t getLongestReduction(mlir::ModuleOp payload);

} // namespace egg

#endif // EGG_VERIFY_COMPARE_H
