//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Sensitivity.h"
#include "KeepDecisions.h"
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

/// Runs a program again and again as perturbed, with the decisions of a run on
/// the inputs as they are.
static llvm::Error forEachPerturbedRun(
    PayloadProgram &program, llvm::ArrayRef<HostTensor> inputs, uint64_t draws,
    llvm::function_ref<llvm::Expected<std::vector<HostTensor>>(uint64_t)> run,
    llvm::function_ref<void(llvm::ArrayRef<HostTensor>)> see) {
  DecisionScope decisions;
  if (program.hasDecisions())
    if (auto kept = program.run(inputs); !kept)
      return kept.takeError();
  for (uint64_t draw = 0; draw < draws; ++draw) {
    decisions.replay();
    auto moved = run(draw);
    if (!moved)
      return moved.takeError();
    see(*moved);
  }
  return llvm::Error::success();
}

/// A run whose floats, and integers where they become floats, are perturbed.
static llvm::Expected<std::vector<HostTensor>>
runOnPerturbed(PayloadProgram &reference, llvm::ArrayRef<HostTensor> inputs,
               double amount, uint64_t draw) {
  PerturbationScope scope(amount, draw);
  return reference.run(perturbInputs(inputs, amount, draw));
}

llvm::Expected<std::vector<HostTensor>>
egg::findSensitivities(PayloadProgram &reference,
                       llvm::ArrayRef<HostTensor> inputs,
                       llvm::ArrayRef<HostTensor> expected) {
  std::vector<HostTensor> result;
  for (const HostTensor &tensor : expected)
    result.push_back(HostTensor::zeros(tensor.shape, "f64"));
  llvm::Error error = forEachPerturbedRun(
      reference, inputs, kDirections,
      [&](uint64_t draw) {
        return runOnPerturbed(reference, inputs, kPerturbation, draw);
      },
      [&](llvm::ArrayRef<HostTensor> moved) {
        for (auto [sensitivity, from, to] :
             llvm::zip_equal(result, expected, moved))
          if (from.isFloat())
            raise(sensitivity, from, to, 1);
      });
  if (error)
    return std::move(error);
  return result;
}

llvm::Error egg::refineSensitivity(PayloadProgram &reference,
                                   llvm::ArrayRef<HostTensor> inputs,
                                   llvm::ArrayRef<HostTensor> expected,
                                   size_t result, double amount,
                                   HostTensor &sensitivity) {
  amount = std::min(amount, 0.25);
  return forEachPerturbedRun(
      reference, inputs, kCarefulDirections,
      [&](uint64_t draw) {
        return runOnPerturbed(reference, inputs, amount, kDirections + draw);
      },
      [&](llvm::ArrayRef<HostTensor> moved) {
        raise(sensitivity, expected[result], moved[result],
              kPerturbation / amount);
      });
}

llvm::Error egg::refineByRounding(mlir::ModuleOp payload, ExactOn exactOn,
                                  llvm::ArrayRef<HostTensor> inputs,
                                  llvm::ArrayRef<HostTensor> expected,
                                  size_t result, double amount,
                                  double leastNormal, double tolerance,
                                  Perturbed which, HostTensor &sensitivity) {
  if (mayIndexByFloats(payload))
    return llvm::Error::success();
  auto program =
      PayloadProgram::compile(payload, Precision::Perturbed, exactOn);
  if (!program)
    return program.takeError();
  return forEachPerturbedRun(
      **program, inputs,
      which == Perturbed::Few ? kSparseDraws : kCarefulDirections,
      [&](uint64_t draw) {
        PerturbationScope scope(std::min(amount, 0.25), draw, leastNormal,
                                which == Perturbed::Few ? kSparseOneIn : 1);
        return (*program)->run(inputs);
      },
      [&](llvm::ArrayRef<HostTensor> moved) {
        raise(sensitivity, expected[result], moved[result],
              kPerturbation / tolerance);
      });
}
