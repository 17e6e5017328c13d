//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How far elements of the reference move when the inputs do.
//
// To first order an element moves by |sum over inputs of c x|, where c is the
// element's derivative times the input times the perturbation, and x is -1 or 1
// at random. Its mean square is S^2, the sum of c^2. By Paley and Zygmund's
// inequality, and as the fourth moment of such a sum is at most 3 S^4
// (Khinchin),
//
//     P(|sum| >= S / 2)  >=  (1 - 1/4)^2 / 3  =  3 / 16
//
// so that the largest of four draws is below S / 2 for up to 44 elements of a
// hundred (x0 y0 + x1 y1 of products that cancel does not move at all in 2 of
// them), and the largest of 64 for at most 2 in a million, whatever the payload
// is. Four draws are what each run has; before an element is refused it
// gets 64.
//
// A derivative does not see what lies within the errors but not at the element
// itself: max(x, c) does not move with an x just below c, and its kernel may
// have an x just above. So the 64 draws perturb the inputs by as much as the
// tolerance is for, 4 growth units (Compare.h), where smooth elements move in
// proportion.
//
// Nor do errors of the inputs say what rounding does to values in between on
// which the element depends more than on the inputs: the sum of values that
// their mean was taken from is zero whatever the inputs are, and the sine of a
// large product loses its digits to the product's rounding. If an element is
// still beyond its tolerance, the arithmetic itself is perturbed, in 64 runs,
// by 4 units an operation: rounding to the type perturbs by up to one. What K
// operations add up to is in these runs, so the growth is not applied again.
// On constant rows, where rounding errors have equal signs, which random ones
// have not, the steps are sqrt(K) times as large.
//
// Inputs are perturbed in place of what they are rounded to, so integers are
// perturbed where they become floats, if the float type does not hold them. And
// decisions on values that nothing rounds (a selection by x > 0, the index of a
// maximum) are kept in all perturbed runs (KeepDecisions.h): no rounding
// excuses another choice there.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_REFERENCE_SENSITIVITY_H
#define EGG_LIB_VERIFY_REFERENCE_SENSITIVITY_H

#include "egg/Verify/PayloadProgram.h"

namespace egg {

inline constexpr uint64_t kDirections = 4;
inline constexpr uint64_t kCarefulDirections = 64;
/// Runs in which one rounding in kSparseOneIn is perturbed: a maximum over many
/// elements that are near each other moves up by as much wherever all are, and
/// cancels where its mean is taken from it.
inline constexpr uint64_t kSparseDraws = 32, kSparseOneIn = 16;

/// How far each element of the reference moves under perturbations of the
/// inputs by kPerturbation, in the worst of kDirections; results that are
/// integers get zeros. `expected` is the reference on `inputs`.
llvm::Expected<std::vector<HostTensor>>
findSensitivities(PayloadProgram &reference, llvm::ArrayRef<HostTensor> inputs,
                  llvm::ArrayRef<HostTensor> expected);

/// Raises the sensitivities of a result to those of kCarefulDirections more, by
/// the relative `amount` (at most 1/4 of it is used) and scaled to
/// kPerturbation.
llvm::Error refineSensitivity(PayloadProgram &reference,
                              llvm::ArrayRef<HostTensor> inputs,
                              llvm::ArrayRef<HostTensor> expected,
                              size_t result, double amount,
                              HostTensor &sensitivity);

/// Which roundings a run perturbs.
enum class Perturbed { All, Few };

/// Raises the sensitivities of a result to the movement in kCarefulDirections
/// (of few, kSparseDraws) runs of the payload whose arithmetic is perturbed by
/// the relative `amount` (at most 1/4 of it is used), of values below
/// `leastNormal` as if they were that, scaled so that a tolerance of the
/// relative `tolerance` is that movement. Nothing happens to a payload that has
/// no such form (Precision::Perturbed). Decisions are kept as `exactOn` says.
llvm::Error refineByRounding(mlir::ModuleOp payload, ExactOn exactOn,
                             llvm::ArrayRef<HostTensor> inputs,
                             llvm::ArrayRef<HostTensor> expected, size_t result,
                             double amount, double leastNormal,
                             double tolerance, Perturbed which,
                             HostTensor &sensitivity);

/// The largest of the drawn movements need not be the largest. Elsewhere the
/// size of the drawn errors leaves room for a kernel's; results that errors
/// move as far as they can (erf of anything between -inf and inf) move no
/// further for larger ones.
inline constexpr double kBeyondLargest = 1.25;

} // namespace egg

#endif // EGG_LIB_VERIFY_REFERENCE_SENSITIVITY_H
