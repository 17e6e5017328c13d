//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../ExplainElement.h"
#include "../Reference/OtherOrders.h"
#include "../Reference/PerturbRounding.h"
#include "../Reference/Sensitivity.h"
#include "../Special/SignedZeros.h"
#include "../Special/SpecialValues.h"
#include "AimedDraws.h"
#include "DrawInputs.h"
#include "NumericCheck.h"
#include "NumericRejections.h"
#include "Shown.h"
#include "egg/Verify/PayloadProgram.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace egg;

/// Whether the inputs are of ordinary size, so that errors mean something by
/// themselves.
static bool isOrdinary(Distribution distribution) {
  return distribution == Distribution::Uniform ||
         distribution == Distribution::Normal;
}

namespace {

/// The results of one run, and how far the reference's move with the inputs.
struct Results {
  std::vector<HostTensor> expected, own, got, sensitivities;
};

/// A payload and a candidate for it, compared on all distributions.
class NumericComparison {
public:
  NumericComparison(ModuleOp payload, PayloadSignature signature,
                    NumericCandidate candidate, int64_t launches,
                    llvm::StringRef variant, llvm::StringRef shapes,
                    const VerifyOptions &options,
                    DiagnosticCollector &diagnostics,
                    llvm::function_ref<void(llvm::StringRef)> onStep,
                    NumericSummary &summary)
      : payload(payload), signature(std::move(signature)), candidate(candidate),
        launches(launches), variant(variant), shapes(shapes), options(options),
        diagnostics(diagnostics), onStep(onStep), summary(summary),
        specials(payload, options.specialNumbers()),
        sparse(payload, options.handWritten),
        signedZeros(findSignedZeros(payload)),
        reductionLength(double(getLongestReduction(payload))) {}

  std::optional<Rejection> run();

private:
  llvm::Expected<Shown> start(Distribution distribution);
  std::optional<Rejection> checkDistribution(Distribution distribution);
  std::optional<Rejection> checkUnread();
  std::optional<Rejection> checkDraw(Draw &draw, Shown &shown);
  std::optional<Rejection> checkResult(const Draw &draw, size_t number,
                                       Results &results, Shown &shown);
  llvm::Expected<Comparison> compare(const Draw &draw, size_t number,
                                     Results &results, Shown &shown);

  Rejection refuse(llvm::Error error, llvm::StringRef step) {
    return explainFailure(std::move(error), step, shapes, options.handWritten,
                          diagnostics);
  }
  Rejection finish(Rejection rejection, const Draw &draw) const {
    rejection.notes.push_back("inputs: " + draw.name);
    rejection.notes.push_back(noteExtents(shapes, options.handWritten));
    return rejection;
  }

  ModuleOp payload;
  PayloadSignature signature;
  NumericCandidate candidate;
  int64_t launches;
  llvm::StringRef variant, shapes;
  const VerifyOptions &options;
  DiagnosticCollector &diagnostics;
  llvm::function_ref<void(llvm::StringRef)> onStep;
  NumericSummary &summary;

  SpecialValues specials;
  SparseValues sparse;
  llvm::SmallVector<bool> signedZeros;
  double reductionLength;
  std::unique_ptr<PayloadProgram> native;
  std::map<ExactOn, Yardstick> yardsticks;
  UnreadElements unread;
};

} // namespace

llvm::Expected<Comparison> NumericComparison::compare(const Draw &draw,
                                                      size_t number,
                                                      Results &results,
                                                      Shown &shown) {
  auto &[reference, roundings] = shown.yardstick;
  const Rounding &rounding = roundings[number];
  HostTensor &sensitivity = results.sensitivities[number];
  OwnError &own = shown.ownErrors[number];
  OwnError ownBefore = own;
  auto compareOnce = [&](const OrderOutcomes *orders = nullptr) {
    own = ownBefore;
    return compareResult(results.expected[number], results.own[number],
                         results.got[number], sensitivity, shown.growth,
                         rounding, own, draw.nans, orders);
  };
  Comparison comparison = compareOnce();
  // Before a refusal the tolerance is measured with more care.
  double step = 4 * rounding.unit;
  bool isConstant = shown.distribution == Distribution::Constant;
  bool isRounded = !rounding.isExact() && results.got[number].isFloat();
  auto perturb = [&](Perturbed which, double room = 1) {
    return refineByRounding(
        payload, shown.exactOn, draw.inputs, results.expected, number,
        isConstant ? step * std::sqrt(shown.growth) : step,
        rounding.leastNormal, step * shown.growth / room, which, sensitivity);
  };
  for (bool perturbsArithmetic : {false, true}) {
    if (comparison.matches() || !isRounded)
      break;
    if (llvm::Error error =
            perturbsArithmetic
                ? perturb(Perturbed::All)
                : refineSensitivity(*reference, draw.inputs, results.expected,
                                    number, step * shown.growth, sensitivity))
      return std::move(error);
    comparison = compareOnce();
  }
  // A refusal names what was measured so far.
  if (!comparison.matches() && isRounded) {
    HostTensor measured = sensitivity;
    for (Perturbed which : {Perturbed::All, Perturbed::Few})
      if (llvm::Error error = perturb(which, kBeyondLargest))
        return std::move(error);
    if (Comparison wider = compareOnce(); wider.matches())
      return wider;
    sensitivity = std::move(measured);
  }
  if (comparison.isOverflow()) {
    auto orders = runInOtherOrders(payload, draw.inputs, number);
    if (!orders)
      return orders.takeError();
    comparison = compareOnce(&*orders);
  }
  return comparison;
}

std::optional<Rejection> NumericComparison::checkResult(const Draw &draw,
                                                        size_t number,
                                                        Results &results,
                                                        Shown &shown) {
  const TensorSpec &spec = signature.results[number];
  const HostTensor &got = results.got[number];
  auto compared = compare(draw, number, results, shown);
  if (!compared)
    return refuse(compared.takeError(), "numeric");
  const Comparison &comparison = *compared;
  // A result without elements agrees as a whole.
  summary.finite[number] += got.getNumElements() ? comparison.finite : 1;
  if (!comparison.matches()) {
    Rejection rejection = finish(
        describeMismatch(comparison, number, spec, got, options.handWritten),
        draw);
    std::string sources =
        explainElement(*shown.yardstick.reference, draw.inputs,
                       signature.arguments, number, comparison.worst);
    if (!sources.empty())
      rejection.notes.insert(rejection.notes.begin() + 1,
                             "that element is computed from " + sources);
    return rejection;
  }
  if (shown.distribution == Distribution::Special && !options.otherAlgebra &&
      signedZeros[number] && got.isFloat())
    if (auto element =
            findWrongZero(results.expected[number], results.own[number], got))
      return finish(describeWrongZero(*element, number, spec, got), draw);
  ResultError &error = shown.errors[number];
  error.maxAbsolute = std::max(error.maxAbsolute, comparison.maxError);
  error.maxRelative = std::max(error.maxRelative, comparison.maxRelativeError);
  shown.largestUnit[number] =
      std::max(shown.largestUnit[number], comparison.largestUnit);
  if (draw.nans == NaNs::MaySpread) {
    shown.spread[number].spread += comparison.spread;
    shown.spread[number].elements += got.getNumElements();
  } else if (options.matchPrecision && !draw.toleranceOnly) {
    if (auto rejection = checkPrecision(results.expected[number],
                                        results.own[number], got, number, spec))
      return finish(std::move(*rejection), draw);
  }
  if (isOrdinary(shown.distribution)) {
    summary.maxError = std::max(summary.maxError, comparison.maxError);
    summary.maxRelativeError =
        std::max(summary.maxRelativeError, comparison.maxRelativeError);
  }
  return std::nullopt;
}

std::optional<Rejection> NumericComparison::checkDraw(Draw &draw,
                                                      Shown &shown) {
  PayloadProgram &reference = *shown.yardstick.reference;
  onStep("emulate");
  if (options.changeInputs)
    options.changeInputs(draw.inputs, HostArithmetic::Native);
  std::vector<ElementsRead> read;
  auto got = candidate(draw.inputs, read);
  if (!got)
    return refuse(got.takeError(), "emulate");
  unread.remove(read);
  onStep("numeric");
  auto expected = reference.run(draw.inputs);
  if (!expected)
    return refuse(expected.takeError(), "numeric");
  auto own = native->run(draw.inputs);
  if (!own)
    return refuse(own.takeError(), "numeric");
  auto sensitivities = findSensitivities(reference, draw.inputs, *expected);
  if (!sensitivities)
    return refuse(sensitivities.takeError(), "numeric");
  Results results{std::move(*expected), std::move(*own), std::move(*got),
                  std::move(*sensitivities)};
  for (size_t number = 0; number < signature.results.size(); ++number)
    if (auto rejection = checkResult(draw, number, results, shown))
      return rejection;
  ++summary.runs;
  summary.launches += launches;
  return std::nullopt;
}

/// Nothing shown yet.
llvm::Expected<Shown> NumericComparison::start(Distribution distribution) {
  ExactOn exactOn = options.otherAlgebra ? ExactOn::Nothing
                    : distribution == Distribution::Ties
                        ? ExactOn::SmallIntegers
                        : ExactOn::AnyInputs;
  auto &[reference, roundings] = yardsticks[exactOn];
  if (!reference) {
    if (llvm::Error error =
            PayloadProgram::compile(payload, Precision::Double, exactOn)
                .moveInto(reference))
      return std::move(error);
    roundings = getRoundings(payload, exactOn);
  }
  size_t resultCount = signature.results.size();
  bool isConstant = distribution == Distribution::Constant;
  double growth = isConstant ? reductionLength : std::sqrt(reductionLength);
  return Shown{distribution,
               exactOn,
               yardsticks[exactOn],
               growth,
               isConstant ? growth : 1,
               std::vector<OwnError>(resultCount),
               std::vector<ResultError>(resultCount),
               std::vector<double>(resultCount),
               std::vector<SpreadNaN>(resultCount)};
}

std::optional<Rejection>
NumericComparison::checkDistribution(Distribution distribution) {
  auto started = start(distribution);
  if (!started)
    return refuse(started.takeError(), "numeric");
  Shown &shown = *started;
  bool isOften = isOrdinary(distribution) || distribution == Distribution::Wide;
  bool isSpecial = distribution == Distribution::Special;
  const int64_t planned = isOften     ? options.seeds
                          : isSpecial ? countSpecialDraws(specials, sparse)
                                      : 1;
  int64_t count = planned;
  for (int64_t i = 0; i < count; ++i) {
    auto draws =
        drawInputs(payload, specials, sparse, distribution, i, options);
    if (!draws)
      return refuse(draws.takeError(), "numeric");
    for (Draw &one : *draws)
      if (auto rejection = checkDraw(one, shown))
        return rejection;
    // The largest of few errors is a matter of luck, in the payload as in the
    // kernels: what looks too large is measured on more inputs.
    auto isBeyond = [&](size_t number) {
      return shown.errors[number].maxAbsolute > shown.allowedError(number);
    };
    if (i + 1 == planned &&
        llvm::any_of(llvm::seq(signature.results.size()), isBeyond)) {
      count += kFurtherDraws;
      summary.drawnAgain.push_back(llvm::formatv(
          "{0} ({1} extents)", stringifyDistribution(distribution), variant));
    }
  }
  shown.addTo(summary, signature, variant);
  return std::nullopt;
}

/// Aims at what no kernel has read. Kernels run only where the payload depends
/// on it: what is right is not held up, and costs next to nothing. Floats that
/// index must stay what the distributions make of them.
std::optional<Rejection> NumericComparison::checkUnread() {
  if (!unread.any() || mayIndexByFloats(payload))
    return std::nullopt;
  // Equal terms add up their errors, as those of constant rows do.
  auto shown = start(Distribution::Constant);
  if (!shown)
    return refuse(shown.takeError(), "numeric");
  AimedDraws draws(payload, signature.arguments, unread, options);
  int64_t runs = 0;
  for (size_t number = 0; number < draws.size(); ++number) {
    auto pair = draws.make(number);
    if (!pair)
      return refuse(pair.takeError(), "numeric");
    auto differ = tellsApart(*native, *pair, options);
    if (!differ)
      return refuse(differ.takeError(), "numeric");
    if (!*differ)
      continue;
    // Kernels that read neither give one result for both, so one is wrong.
    for (Draw *draw : {&pair->aimed, &pair->background}) {
      if (runs++ == kAimedRuns)
        return std::nullopt;
      auto rejection = checkDraw(*draw, *shown);
      if (!rejection)
        continue;
      std::string note = unread.str(signature.arguments, draw->inputs);
      if (!note.empty())
        rejection->notes.insert(rejection->notes.begin(), note);
      return rejection;
    }
  }
  return std::nullopt;
}

std::optional<Rejection> NumericComparison::run() {
  onStep("numeric");
  if (llvm::Error error =
          PayloadProgram::compile(payload, Precision::Native).moveInto(native))
    return refuse(std::move(error), "numeric");
  summary.finite.resize(signature.results.size());
  for (Distribution distribution : options.distributions)
    if (auto rejection = checkDistribution(distribution))
      return rejection;
  if (auto rejection = checkUnread())
    return rejection;
  summary.specials = specials.str();
  if (sparse.countRounds())
    summary.specials += (summary.specials.empty() ? "" : "; ") +
                        std::string("rows of zeros but for few elements");
  summary.extents.push_back({variant.str(), signature.arguments});
  summary.shapes.push_back(shapes.str());
  return std::nullopt;
}

std::optional<Rejection> egg::compareNumerically(
    ModuleOp payload, NumericCandidate candidate, int64_t launches,
    llvm::StringRef variant, llvm::StringRef shapes,
    const VerifyOptions &options, DiagnosticCollector &diagnostics,
    llvm::function_ref<void(llvm::StringRef)> onStep, NumericSummary &summary) {
  auto signature = getPayloadSignature(payload);
  if (!signature)
    return toRejection(signature.takeError(), "numeric");
  return NumericComparison(payload, std::move(*signature), candidate, launches,
                           variant, shapes, options, diagnostics, onStep,
                           summary)
      .run();
}
