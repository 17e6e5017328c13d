//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Findings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace egg;

void Findings::add(mlir::Operation *op, const std::string &what) {
  if (isEnabled)
    found.insert({op, "'" + op->getName().getStringRef().str() + "' " + what});
}

void Findings::addRepeating(mlir::Operation *op,
                            const Progression &progression) {
  if (!isEnabled)
    return;
  for (const auto &[loop, along] : progression.getLoops()) {
    Repeating &known = repeating[{loop.full, loop.small}];
    known.periods.insert(along.period);
    known.degree = std::max(known.degree, progression.getDegree());
    Integer &period = known.ops.insert({op, along.period}).first->second;
    period = std::max(period, along.period);
  }
}

/// How many frequencies functions with these periods have at most.
static Integer countFrequencies(const std::set<Integer> &periods) {
  Integer count(0);
  for (const Integer &period : periods)
    if (llvm::none_of(periods, [&](const Integer &other) {
          return other != period && other % period == 0;
        }))
      count += period;
  return count;
}

void Findings::closeRepeating() {
  for (const auto &[extents, known] : repeating) {
    auto [full, small] = extents;
    // Along a line the frequency zero counts twice.
    Integer wanted =
        countFrequencies(known.periods) * int64_t(known.degree) + 1;
    if (small >= full || small >= wanted)
      continue;
    for (const auto &[op, period] : known.ops) {
      if (period != *known.periods.rbegin())
        continue;
      std::string what;
      llvm::raw_string_ostream(what)
          << "repeats itself after " << period
          << " positions along an extent of " << full << " and is tried at "
          << small << ", of " << wanted << " that would show it";
      add(op, what);
    }
  }
}
