//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Evidence: what one step of a verification did and showed.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_EVIDENCE_H
#define EGG_CORE_EVIDENCE_H

#include "egg/Core/Plan.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace egg {

/// The extents that a payload was checked at.
struct CheckedExtents {
  /// How they were chosen: "aligned", "odd", "least".
  std::string variant;
  /// Those of each argument, in order.
  std::vector<TensorSpec> arguments;
  bool operator==(const CheckedExtents &) const = default;
};

/// How far one float result was from the payload in fp64, over all runs at some
/// extents on inputs of one distribution. Elements that are no finite number
/// there do not count.
struct ResultError {
  /// Number of the result, and its name in the PyTorch module if it has one.
  int64_t result = 0;
  std::string name;
  /// The extents' variant and the inputs' distribution.
  std::string variant, inputs;
  /// Largest absolute error, and the same relative to the reference's rms.
  double maxAbsolute = 0, maxRelative = 0;
  /// The largest absolute error of the payload run in its own dtypes and
  /// program order, on the same inputs.
  double own = 0;
  /// The largest error that the precision policy allows.
  double allowed = 0;

  bool isWithinPolicy() const { return maxAbsolute <= allowed; }
  bool operator==(const ResultError &) const = default;
};

/// How sure the comparison in exact arithmetic is.
struct ExactBound {
  /// Characteristics of the fields.
  std::vector<int64_t> primes;
  /// Bound of the degree of the results.
  double degree = 0;
  /// Bounds of the probability that a wrong element agrees in one run, where it
  /// is compared in one field and in both; none where no bound is claimed.
  std::optional<double> inOneField, inBoth;
  bool operator==(const ExactBound &) const = default;
};

struct Evidence {
  /// The step: "accept", "apply", "numeric", ...
  std::string step;
  /// What was done and found, in a sentence.
  std::string statement;
  /// Largest absolute error, and error relative to the result's scale, on
  /// inputs of ordinary size, where the step compared numbers.
  std::optional<double> maxAbsoluteError = {}, maxRelativeError = {};
  /// Extents, seeds and distributions of inputs of the runs, and their number.
  std::vector<CheckedExtents> extents = {};
  std::vector<uint64_t> seeds = {};
  std::vector<std::string> distributions = {};
  int64_t runs = 0;
  /// Errors by result and distribution.
  std::vector<ResultError> errors = {};
  std::optional<ExactBound> bound = {};
  bool operator==(const Evidence &) const = default;
};

/// One line a result: for each distribution the largest error, and the
/// payload's own in parentheses.
std::vector<std::string> describeErrors(const std::vector<ResultError> &errors);

/// JSON in which what does not apply is left out. Errors that are not finite
/// are kept as the strings "nan", "inf", "-inf".
llvm::json::Value toJSONValue(const Evidence &evidence);
bool fromJSON(const llvm::json::Value &value, Evidence &evidence,
              llvm::json::Path path);

} // namespace egg

#endif // EGG_CORE_EVIDENCE_H
