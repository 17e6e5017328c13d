//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RefuseSubstitution.h"
#include "egg/Core/ScheduleFormat.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;

static Rejection refuse(std::string reason, std::string remedy) {
  Rejection rejection;
  rejection.step = "exact";
  rejection.location = "@" + kSubstitutionName.str();
  rejection.reason = std::move(reason);
  rejection.remedy = std::move(remedy);
  return rejection;
}

Rejection egg::refuseUnproved(const Verdict &verdict, bool isTooLarge) {
  Rejection rejection = refuse(
      llvm::formatv(
          "the substitution was not shown to be equal: the verdict is "
          "'{0}', and a substitution needs 'exact'",
          stringifyGrade(verdict.grade)),
      isTooLarge
          ? "results are compared at small extents, which hold every tile and "
            "part of a split: with fewer parts, smaller tiles, or one split "
            "instead of two they can be smaller, so that the check can run"
          : "use operations whose equality the exact check can decide, or "
            "leave the substitution out");
  for (const std::string &skipped : verdict.skipped)
    rejection.notes.push_back("skipped: " + skipped);
  return rejection;
}

Rejection egg::refuseMerged(const DistinctPairs &merged) {
  Rejection rejection =
      refuse("the substitution was compared only where extents or positions "
             "that differ at full size are equal",
             "use fewer different extents and offsets in the functions that "
             "replace something");
  for (auto [along, a, b] : merged)
    rejection.notes.push_back(
        along == 0 ? llvm::formatv(
                         "{0} and {1} are the same at all small extents", a, b)
                         .str()
                   : llvm::formatv("positions {0} and {1} along an extent of "
                                   "{2} are the same, or in another order, at "
                                   "all small extents",
                                   a, b, along)
                         .str());
  return rejection;
}
