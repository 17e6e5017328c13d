//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/Inputs.h"
#include "egg/Import/InputRules.h"
#include "egg/Support/Random.h"
#include "egg/Verify/PayloadProgram.h"
#include <cmath>

using namespace mlir;
using namespace egg;

llvm::StringRef egg::stringifyDistribution(Distribution distribution) {
  switch (distribution) {
  case Distribution::Uniform:
    return "uniform";
  case Distribution::Normal:
    return "normal";
  case Distribution::Wide:
    return "wide";
  case Distribution::LargeMean:
    return "large-mean";
  case Distribution::Ties:
    return "ties";
  case Distribution::Constant:
    return "constant";
  case Distribution::Special:
    return "special";
  }
  llvm_unreachable("all distributions are listed");
}

std::optional<Distribution> egg::symbolizeDistribution(llvm::StringRef name) {
  for (Distribution distribution : kDistributions)
    if (stringifyDistribution(distribution) == name)
      return distribution;
  return std::nullopt;
}

/// Box-Muller; 1 - u avoids the logarithm of zero.
static double drawNormal(Random &random) {
  double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(6.283185307179586 * random.uniform());
}

static double drawFloat(Random &random, Distribution distribution,
                        bool infinities) {
  static constexpr double kSpecials[] = {NAN,      0.0,      -0.0,
                                         0x1p-130, HUGE_VAL, -HUGE_VAL};
  switch (distribution) {
  case Distribution::Uniform:
    return random.uniform();
  case Distribution::Normal:
  case Distribution::Constant:
    return drawNormal(random);
  case Distribution::Wide:
    return 1000 * drawNormal(random);
  case Distribution::LargeMean:
    return 100 + drawNormal(random);
  case Distribution::Ties:
    return double(random.next() % 5) - 2;
  case Distribution::Special:
    if (random.next() % 32 == 0)
      return kSpecials[random.next() %
                       (std::size(kSpecials) - (infinities ? 0 : 2))];
    return drawNormal(random);
  }
  llvm_unreachable("all distributions are listed");
}

/// Sorts each row (along the last dimension), so that the extreme elements lie
/// at its ends, where remainders are.
static void sortRows(HostTensor &tensor, bool ascending) {
  int64_t width = tensor.shape.empty() ? 1 : tensor.shape.back();
  for (int64_t row = 0, e = tensor.getNumElements(); row < e; row += width) {
    std::vector<double> values;
    for (int64_t i = 0; i < width; ++i)
      values.push_back(tensor.getFloat(row + i));
    llvm::sort(values);
    if (!ascending)
      std::reverse(values.begin(), values.end());
    for (int64_t i = 0; i < width; ++i)
      tensor.setFloat(row + i, values[i]);
  }
}

/// Gives all elements of each row (along the last dimension) the first's value.
static void levelRows(HostTensor &tensor) {
  int64_t width = tensor.shape.empty() ? 1 : tensor.shape.back();
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    tensor.setFloat(i, tensor.getFloat(i - i % width));
}

llvm::Expected<std::vector<HostTensor>>
egg::makeInputs(ModuleOp payload, Distribution distribution, uint64_t seed) {
  auto signature = getPayloadSignature(payload);
  if (!signature)
    return signature.takeError();
  InputRules rules = readInputRules(payload);
  std::vector<HostTensor> inputs;
  for (auto [number, spec] : llvm::enumerate(signature->arguments)) {
    Random random(Random(seed * 1000003 + number).next());
    HostTensor tensor = HostTensor::zeros(spec.shape, spec.dtype);
    bool moduleBuffer = spec.kind == "buffer";
    int64_t bound = spec.dtype == "i1" ? 2 : rules.bounds[number];
    for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
      if (tensor.isFloat())
        tensor.setFloat(
            i, drawFloat(random,
                         moduleBuffer ? Distribution::Uniform : distribution,
                         !rules.longProducts));
      else
        tensor.setInteger(i, random.next() % bound);
    }
    if (tensor.isFloat() && distribution == Distribution::Wide)
      sortRows(tensor, seed % 2 == 0);
    if (tensor.isFloat() && distribution == Distribution::Constant &&
        !moduleBuffer)
      levelRows(tensor);
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

std::vector<HostTensor> egg::perturbInputs(llvm::ArrayRef<HostTensor> inputs,
                                           double amount, uint64_t seed) {
  std::vector<HostTensor> result;
  for (auto [number, input] : llvm::enumerate(inputs)) {
    if (!input.isFloat()) {
      result.push_back(input);
      continue;
    }
    Random random(Random(~seed * 1000003 + number).next());
    HostTensor tensor = input.convertTo("f64");
    for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
      tensor.setFloat(i, tensor.getFloat(i) *
                             (random.next() & 1 ? 1 + amount : 1 - amount));
    result.push_back(std::move(tensor));
  }
  return result;
}
