//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inputs for checks: reproducible from a seed, of a named distribution, with
// integers that are valid wherever the payload uses them as indices.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_VERIFY_INPUTS_H
#define EGG_VERIFY_INPUTS_H

#include "egg/Host/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace egg {

/// How inputs are drawn. To add one: a case in drawFloat and drawInteger, a
/// name.
enum class Distribution {
  /// Uniform on [0, 1).
  Uniform,
  /// Normal with mean 0 and deviation 1.
  Normal,
  /// Normal with mean 0 and deviation 1000, each row sorted (up for even seeds,
  /// down for odd): exponentials of it overflow unless the largest is
  /// subtracted first, and the largest is at one end.
  Wide,
  /// Normal with mean 100 and deviation 1: what a variance loses digits on.
  LargeMean,
  /// Integers from -2 to 2: many equal elements.
  Ties,
  /// Rows of one normal value each: no variance, and equal exponentials.
  Constant,
  /// Normal, with one element in 32 NaN, an infinity, a zero of either sign or
  /// a denormal, and five in 32 at or near a constant that the payload compares
  /// with, where it has such. No infinities where the payload has products of
  /// many elements:
  /// there the order decides between infinity and NaN. The numeric check
  /// places some more by the payload's operations (Special/SpecialValues.h).
  Special
};
inline constexpr Distribution kDistributions[] = {
    Distribution::Uniform,   Distribution::Normal, Distribution::Wide,
    Distribution::LargeMean, Distribution::Ties,   Distribution::Constant,
    Distribution::Special};
llvm::StringRef stringifyDistribution(Distribution distribution);
std::optional<Distribution> symbolizeDistribution(llvm::StringRef name);

/// What special inputs may hold. Laws of algebra that a substitution uses can
/// fail on both.
struct SpecialNumbers {
  bool infinities = true, denormals = true;
};

/// One tensor for each argument of @main. Floats follow the distribution,
/// except that module buffers (running means and variances) are always uniform
/// on [0, 1), which no square root objects to. Integers are uniform on
/// [0, bound) where the payload has a bound for them, a quarter of the values
/// beyond it that are allowed too (InputRules.h). Elsewhere
/// they are small for Uniform and LargeMean (0 to 9), Ties (-2 to 2) and
/// Constant (-9 to 9, one a row), and of every value for the others: a quarter
/// each -9 to 9, the payload's constants and their neighbours, powers of two of
/// both signs and their neighbours (every second at the ends of the type), and
/// of any magnitude. Special holds infinities and denormals where it may. Equal
/// arguments give equal tensors on
/// every machine; a module that a schedule was applied to gets those of its
/// payload.
llvm::Expected<std::vector<HostTensor>> makeInputs(mlir::ModuleOp payload,
                                                   Distribution distribution,
                                                   uint64_t seed,
                                                   SpecialNumbers may = {});

/// The inputs with every float made larger or smaller by the relative amount,
/// at random; floats become f64 so that nothing rounds, integers stay.
std::vector<HostTensor> perturbInputs(llvm::ArrayRef<HostTensor> inputs,
                                      double amount, uint64_t seed);

} // namespace egg

#endif // EGG_VERIFY_INPUTS_H
