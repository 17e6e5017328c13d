//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Shown.h"
#include "NumericRejections.h"

using namespace egg;

void Shown::addTo(NumericSummary &summary, const PayloadSignature &signature,
                  llvm::StringRef variant) const {
  std::string inputs = stringifyDistribution(distribution).str();
  for (auto [number, spec] : llvm::enumerate(signature.results)) {
    if (llvm::StringRef(spec.dtype).starts_with("i"))
      continue;
    ResultError error = errors[number];
    error.result = int64_t(number);
    error.name = spec.name;
    error.variant = variant;
    error.inputs = inputs;
    error.own = ownErrors[number].absolute;
    error.allowed = allowedError(number);
    summary.errors.push_back(std::move(error));
    if (spread[number].spread == 0)
      continue;
    SpreadNaN nans = spread[number];
    nans.result = nameResult(number, spec);
    nans.variant = variant;
    nans.inputs = inputs;
    summary.spreadNaNs.push_back(std::move(nans));
  }
}
