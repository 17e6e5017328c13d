//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Sensitivity.h"
#include "PerturbRounding.h"
#include "egg/Verify/Compare.h"
#include "egg/Verify/Inputs.h"
#include <cmath>

using namespace egg;

/// Raises sensitivities to the movement between two runs. A movement to
/// something that is no number says nothing of rounding.
static void raise(HostTensor &sensitivity, const HostTensor &from,
                  const HostTensor &to, double scale) {
  for (int64_t i = 0, e = from.getNumElements(); i < e; ++i) {
    double movement = std::abs(to.getFloat(i) - from.getFloat(i)) * scale;
    if (std::isfinite(movement) && movement > sensitivity.getFloat(i))
      sensitivity.setFloat(i, movement);
  }
}

llvm::Expected<std::vector<HostTensor>>
egg::findSensitivities(PayloadProgram &reference,
                       llvm::ArrayRef<HostTensor> inputs,
                       llvm::ArrayRef<HostTensor> expected) {
  std::vector<HostTensor> result;
  for (const HostTensor &tensor : expected)
    result.push_back(HostTensor::zeros(tensor.shape, "f64"));
  for (uint64_t draw = 0; draw < kDirections; ++draw) {
    auto moved = reference.run(perturbInputs(inputs, kPerturbation, draw));
    if (!moved)
      return moved.takeError();
    for (auto [sensitivity, from, to] :
         llvm::zip_equal(result, expected, *moved))
      if (from.isFloat())
        raise(sensitivity, from, to, 1);
  }
  return result;
}

llvm::Error egg::refineSensitivity(PayloadProgram &reference,
                                   llvm::ArrayRef<HostTensor> inputs,
                                   llvm::ArrayRef<HostTensor> expected,
                                   size_t result, double amount,
                                   HostTensor &sensitivity) {
  amount = std::min(amount, 0.25);
  for (uint64_t draw = 0; draw < kCarefulDirections; ++draw) {
    auto moved =
        reference.run(perturbInputs(inputs, amount, kDirections + draw));
    if (!moved)
      return moved.takeError();
    raise(sensitivity, expected[result], (*moved)[result],
          kPerturbation / amount);
  }
  return llvm::Error::success();
}

llvm::Error egg::refineByRounding(mlir::ModuleOp payload,
                                  llvm::ArrayRef<HostTensor> inputs,
                                  llvm::ArrayRef<HostTensor> expected,
                                  size_t result, double amount,
                                  double tolerance, HostTensor &sensitivity) {
  if (mayIndexByFloats(payload))
    return llvm::Error::success();
  auto program = PayloadProgram::compile(payload, Precision::Perturbed);
  if (!program)
    return program.takeError();
  for (uint64_t draw = 0; draw < kCarefulDirections; ++draw) {
    PerturbationScope scope(std::min(amount, 0.25), draw);
    auto moved = (*program)->run(inputs);
    if (!moved)
      return moved.takeError();
    raise(sensitivity, expected[result], (*moved)[result],
          kPerturbation / tolerance);
  }
  return llvm::Error::success();
}
