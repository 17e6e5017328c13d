//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/Inputs.h"
#include "Special/Thresholds.h"
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

namespace {

/// What special values a float argument may have.
struct Specials {
  std::vector<double> values;
  /// Where the payload's comparisons turn.
  std::vector<double> thresholds;
};

} // namespace

static double drawFloat(Random &random, Distribution distribution,
                        const Specials &specials) {
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
  case Distribution::Special: {
    uint64_t kind = random.next() % 32;
    if (kind == 0)
      return specials.values[random.next() % specials.values.size()];
    if (kind < 6 && !specials.thresholds.empty())
      return specials.thresholds[random.next() % specials.thresholds.size()];
    return drawNormal(random);
  }
  }
  llvm_unreachable("all distributions are listed");
}

/// A multiple of the constant, of any magnitude that the type has: where
/// quotients by it change.
static uint64_t drawMultiple(Random &random, unsigned width, int64_t constant) {
  uint64_t factor = constant < 0 ? 0 - uint64_t(constant) : uint64_t(constant);
  uint64_t sign = random.next();
  uint64_t value = random.next() >> (64 - width + sign / 2 % width);
  if (factor != 0)
    value -= value % factor;
  return sign & 1 ? 0 - value : value;
}

/// An integer of any value that its type has: small, near one of the payload's
/// constants or a multiple of it, near a power of two or an end of the type, or
/// of any magnitude.
static int64_t drawAnyInteger(Random &random, unsigned width,
                              llvm::ArrayRef<int64_t> constants) {
  uint64_t kind = random.next() % 4, which = random.next();
  int64_t offset = int64_t(which % 3) - 1;
  which /= 3;
  if (kind == 0)
    return int64_t(which % 19) - 9;
  if (kind == 1 && !constants.empty()) {
    int64_t constant = constants[which % constants.size()];
    uint64_t near = random.next() & 1 ? drawMultiple(random, width, constant)
                                      : uint64_t(constant);
    return int64_t(near + uint64_t(offset));
  }
  if (kind == 3)
    return int64_t(random.next()) >> (64 - width + which % width);
  // Half of these are ends of the type: the most negative integer is a power of
  // two, the largest one below it.
  uint64_t sign = random.next();
  uint64_t power = uint64_t(1) << (sign & 2 ? width - 1 : which % width);
  return int64_t((sign & 1 ? 0 - power : power) + uint64_t(offset));
}

/// Integers that are small on the distributions where equal elements count and
/// of any value on the others. With a bound they are in [0, bound).
static int64_t drawInteger(Random &random, Distribution distribution,
                           unsigned width, const InputRules &rules,
                           int64_t bound, llvm::ArrayRef<int64_t> guarded) {
  if (bound != 0 && !guarded.empty() && random.next() % 2 == 0)
    return guarded[random.next() % guarded.size()];
  if (bound != 0)
    return int64_t(random.next() % uint64_t(bound));
  switch (distribution) {
  case Distribution::Uniform:
  case Distribution::LargeMean:
    return int64_t(random.next() % 10);
  case Distribution::Ties:
    return int64_t(random.next() % 5) - 2;
  case Distribution::Constant:
    return int64_t(random.next() % 19) - 9;
  case Distribution::Normal:
  case Distribution::Wide:
  case Distribution::Special:
    return drawAnyInteger(random, width, rules.integers);
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
egg::makeInputs(ModuleOp payload, Distribution distribution, uint64_t seed,
                SpecialNumbers may) {
  auto signature = getPayloadSignature(payload);
  if (!signature)
    return signature.takeError();
  InputRules rules = readInputRules(payload);
  Specials specials{{NAN, 0.0, -0.0}, {}};
  if (may.denormals)
    specials.values.push_back(0x1p-130);
  if (may.infinities && !rules.longProducts)
    llvm::append_values(specials.values, HUGE_VAL, -HUGE_VAL);
  std::vector<HostTensor> inputs;
  for (auto [number, spec] : llvm::enumerate(signature->arguments)) {
    Random random(Random(seed * 1000003 + number).next());
    HostTensor tensor = HostTensor::zeros(spec.shape, spec.dtype);
    bool isBuffer = spec.kind == "buffer";
    Distribution drawn = isBuffer ? Distribution::Uniform : distribution;
    if (tensor.isFloat()) {
      specials.thresholds =
          getThresholdValues(rules.thresholds, spec.dtype, may.denormals);
      for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
        tensor.setFloat(i, drawFloat(random, drawn, specials));
    } else {
      int64_t bound = spec.dtype == "i1" ? 2 : rules.bounds[number];
      unsigned width = unsigned(*getDtypeBytes(spec.dtype)) * 8;
      for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
        tensor.setInteger(i, drawInteger(random, drawn, width, rules, bound,
                                         rules.guarded[number]));
      if (bound != 0)
        drawn = Distribution::Uniform;
    }
    if (tensor.isFloat() && distribution == Distribution::Wide)
      sortRows(tensor, seed % 2 == 0);
    if (drawn == Distribution::Constant)
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
