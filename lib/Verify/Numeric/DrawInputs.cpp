//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DrawInputs.h"
#include "../Special/WithoutNaN.h"
#include "egg/Import/InputRules.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;

llvm::Expected<llvm::SmallVector<Draw, 2>>
egg::drawInputs(ModuleOp payload, const SpecialValues &specials,
                const SparseValues &sparse, Distribution distribution,
                int64_t number, const VerifyOptions &options) {
  uint64_t seed = options.seed + uint64_t(number);
  bool isSpecial = distribution == Distribution::Special;
  int64_t round =
      isSpecial ? number % countSpecialDraws(specials, sparse) - 1 : -1;
  int64_t sparseRound = round - specials.countRounds();
  bool isSparse = isSpecial && sparseRound >= 0;
  bool isPlaced = round >= 0 && !isSparse;
  auto make = [&](Distribution from) {
    return makeInputs(payload, from, seed, options.specialNumbers());
  };
  auto inputs =
      make(isPlaced || isSparse ? Distribution::Normal : distribution);
  if (!inputs)
    return inputs.takeError();
  if (isPlaced)
    specials.place(*inputs, round);
  if (isSparse)
    sparse.place(*inputs, sparseRound, seed);
  std::string name = llvm::formatv(
      "{0}, seed {1}{2}", stringifyDistribution(distribution), seed,
      isPlaced   ? ", " + specials.str()
      : isSparse ? ", few elements that differ from the others"
                 : "");
  llvm::SmallVector<Draw, 2> draws;
  NaNs nans = NaNs::Stay;
  if (options.otherAlgebra && isSpecial) {
    auto ordinary = make(Distribution::Normal);
    if (!ordinary)
      return ordinary.takeError();
    bool areInfinite = holdsInfinities(*inputs);
    if (options.nanMaySpread && holdsNaN(*inputs)) {
      draws.push_back(
          {replaceInfinities(*inputs, *ordinary),
           name + (areInfinite ? "; numbers in place of infinities" : ""),
           NaNs::MaySpread});
      *inputs =
          replaceNaN(*inputs, *ordinary, readInputRules(payload).thresholds);
      name += "; numbers in place of NaN";
    }
    if (areInfinite)
      nans = NaNs::AreInfinities;
  }
  draws.push_back({std::move(*inputs), std::move(name), nans});
  return draws;
}
