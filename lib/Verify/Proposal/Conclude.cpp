//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Conclude.h"
#include "egg/Host/Residue.h"
#include "egg/Support/Text.h"
#include "egg/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;
using llvm::StringRef;

static std::vector<uint64_t> getSeeds(const VerifyOptions &options) {
  std::vector<uint64_t> seeds;
  for (int64_t i = 0; i < options.seeds; ++i)
    seeds.push_back(options.seed + uint64_t(i));
  return seeds;
}

/// Where NaN reached more elements than in the payload, or nothing.
static std::string describeSpread(llvm::ArrayRef<SpreadNaN> spreadNaNs) {
  std::string places;
  for (const SpreadNaN &where : spreadNaNs)
    places +=
        llvm::formatv("{0}{1} of {2} elements of {3} on {4} ({5} extents)",
                      places.empty() ? "" : ", ", where.spread, where.elements,
                      where.result, where.inputs, where.variant);
  return places.empty()
             ? ""
             : "; a NaN in the input reaches more elements than in the "
               "payload: " +
                   places + "; with numbers in its places all elements agree";
}

static void addNumericEvidence(const VerifyOptions &options,
                               const NumericSummary &summary,
                               Verdict &verdict) {
  std::string distributions;
  for (Distribution distribution : options.distributions)
    distributions += (distributions.empty() ? "" : ", ") +
                     stringifyDistribution(distribution).str();
  bool hasSpecials =
      !summary.specials.empty() &&
      llvm::is_contained(options.distributions, Distribution::Special);
  Evidence &emulated = verdict.addEvidence(
      "emulate", summary.launches == 0
                     ? "there are no kernels to run"
                     : countOf(summary.launches, "launch", "launches") +
                           " ran thread by thread on the CPU without a fault");
  emulated.runs = summary.launches;
  Evidence &numeric = verdict.addEvidence(
      "numeric",
      llvm::formatv("{0} with the payload in fp64 ({1}); inputs "
                    "{2}; seeds {3} to {4}{5}",
                    countOf(summary.runs, "run agrees", "runs agree"),
                    llvm::join(summary.shapes, "; "), distributions,
                    options.seed, options.seed + options.seeds - 1,
                    hasSpecials ? "; special values: " + summary.specials
                                : ""));
  if (!summary.drawnAgain.empty())
    numeric.statement += llvm::formatv(
        "; {0} more inputs where an error was beyond the policy at first: {1}",
        kFurtherDraws, llvm::join(summary.drawnAgain, ", "));
  numeric.statement += describeSpread(summary.spreadNaNs);
  numeric.maxAbsoluteError = summary.maxError;
  numeric.maxRelativeError = summary.maxRelativeError;
  numeric.extents = summary.extents;
  numeric.seeds = getSeeds(options);
  for (Distribution distribution : options.distributions)
    numeric.distributions.push_back(stringifyDistribution(distribution).str());
  numeric.runs = summary.runs;
  numeric.errors = summary.errors;
}

/// Why the errors are not within the precision policy, if they are not.
static std::optional<std::string>
explainPolicy(llvm::ArrayRef<ResultError> errors) {
  const auto *beyond =
      llvm::find_if_not(errors, std::mem_fn(&ResultError::isWithinPolicy));
  if (beyond == errors.end())
    return std::nullopt;
  return llvm::formatv("the largest error of result {0} is {1} on inputs {2} "
                       "({3} extents); the policy allows {4}, the payload's "
                       "own is {5}",
                       beyond->result,
                       llvm::format("%.3g", beyond->maxAbsolute),
                       beyond->inputs, beyond->variant,
                       llvm::format("%.3g", beyond->allowed),
                       llvm::format("%.3g", beyond->own))
      .str();
}

static void addExactEvidence(const VerifyOptions &options,
                             const NumericSummary &summary,
                             const ExactSummary &exact, Verdict &verdict) {
  Evidence &evidence = verdict.addEvidence(
      "exact", llvm::formatv("{0}; seeds {1} to {2} ({3})", describe(exact),
                             options.seed, options.seed + options.seeds - 1,
                             llvm::join(summary.shapes, "; ")));
  evidence.extents = summary.extents;
  evidence.seeds = getSeeds(options);
  evidence.runs = exact.runs;
  ExactBound &bound = evidence.bound.emplace();
  bound.primes = {Residue::kP, Residue::kQ};
  bound.degree = exact.degree;
  double one = exact.degree / Residue::kQ;
  // Integers alone make no polynomials that a bound is known for.
  if (exact.degree > 0 && one < 1) {
    bound.inOneField = one;
    bound.inBoth = one * exact.degree / Residue::kP;
  }
}

void egg::conclude(const VerifyOptions &options, const NumericSummary &summary,
                   const ExactSummary &exact, bool complete, Verdict &verdict) {
  verdict.versions = {{"egg", getVersion().str()},
                      {"commit", getRevision().str()},
                      {"llvm", getLLVMVersion().str()}};
  bool comparedAll = summary.runs > 0;
  for (auto [number, finite] : llvm::enumerate(summary.finite))
    if (finite == 0) {
      comparedAll = false;
      verdict.skipped.push_back(
          llvm::formatv("numeric: result {0} has no finite element at any "
                        "input, so nothing of it was compared",
                        number));
    }
  if (summary.runs > 0)
    addNumericEvidence(options, summary, verdict);
  if (comparedAll)
    verdict.grade = Grade::Tested;
  auto beyond = explainPolicy(summary.errors);
  if (beyond)
    verdict.skipped.push_back("bounded: " + *beyond);
  else if (comparedAll)
    verdict.grade = Grade::Bounded;
  if (!options.exact) {
    verdict.skipped.push_back("exact: it was not asked for");
    return;
  }
  if (exact.results.empty() && exact.inconclusive.empty())
    return;
  if (auto gap = explainGaps(exact)) {
    verdict.skipped.push_back("exact: " + *gap);
    return;
  }
  addExactEvidence(options, summary, exact, verdict);
  // Integers are compared fully by both steps; floats that are no finite number
  // on numeric inputs may still be compared as residues.
  if (verdict.grade == Grade::Bounded && complete)
    verdict.grade = Grade::Exact;
}
