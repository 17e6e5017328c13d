//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Thresholds.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace egg;
using llvm::APFloat;

static const llvm::fltSemantics &getSemantics(llvm::StringRef dtype) {
  return dtype == "f64"    ? APFloat::IEEEdouble()
         : dtype == "f16"  ? APFloat::IEEEhalf()
         : dtype == "bf16" ? APFloat::BFloat()
                           : APFloat::IEEEsingle();
}

std::vector<double> egg::getThresholdValues(llvm::ArrayRef<double> thresholds,
                                            llvm::StringRef dtype,
                                            bool denormals) {
  std::vector<double> values;
  denormals &= dtype == "f32" || dtype == "f64";
  auto round = [&](double number) {
    APFloat value(number);
    bool losesInfo;
    value.convert(getSemantics(dtype), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value;
  };
  auto add = [&](const APFloat &value) {
    double number = value.convertToDouble();
    if (value.isFinite() && (denormals || !value.isDenormal()) &&
        !llvm::is_contained(values, number))
      values.push_back(number);
  };
  for (double threshold : thresholds) {
    APFloat at = round(threshold), above = at, below = at;
    if (!at.isFinite())
      continue;
    above.next(/*nextDown=*/false);
    below.next(/*nextDown=*/true);
    double beyond = std::abs(threshold) + 1;
    for (const APFloat &value : {at, above, below, round(threshold + beyond),
                                 round(threshold - beyond)})
      add(value);
  }
  return values;
}
