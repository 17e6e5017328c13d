//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shown: what the runs on inputs of one distribution have shown so far, and the
// payload that they are measured by.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_NUMERIC_SHOWN_H
#define EGG_LIB_VERIFY_NUMERIC_SHOWN_H

#include "NumericCheck.h"
#include "egg/Verify/Compare.h"
#include "egg/Verify/PayloadProgram.h"

namespace egg {

/// The payload in fp64, and to what its results are rounded.
struct Yardstick {
  std::unique_ptr<PayloadProgram> reference;
  llvm::SmallVector<Rounding> roundings;
};

/// What the runs on inputs of one distribution showed so far. The payload's
/// error depends on the inputs' scale.
struct Shown {
  Distribution distribution;
  ExactOn exactOn;
  const Yardstick &yardstick;
  /// How rounding errors add up, and how many units the policy allows.
  double growth, unitsOfPolicy;
  std::vector<OwnError> ownErrors;
  std::vector<ResultError> errors;
  std::vector<double> largestUnit;
  std::vector<SpreadNaN> spread;

  double allowedError(size_t number) const {
    return getAllowedError(ownErrors[number],
                           largestUnit[number] * unitsOfPolicy);
  }

  /// Adds the errors of float results, and NaNs that spread, at the extents
  /// `variant`.
  void addTo(NumericSummary &summary, const PayloadSignature &signature,
             llvm::StringRef variant) const;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_NUMERIC_SHOWN_H
