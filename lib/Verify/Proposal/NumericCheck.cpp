//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "NumericCheck.h"
#include "../ExplainElement.h"
#include "../Reference/OtherOrders.h"
#include "../Reference/Sensitivity.h"
#include "../Special/SignedZeros.h"
#include "../Special/SpecialValues.h"
#include "egg/Emulator/Emulation.h"
#include "egg/Verify/Compare.h"
#include "egg/Verify/PayloadProgram.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace egg;

/// What an author can do about a fault.
static llvm::StringRef adviseOn(SimtFault::Kind kind) {
  switch (kind) {
  case SimtFault::Kind::DataRace:
  case SimtFault::Kind::UninitializedRead:
  case SimtFault::Kind::DivergentBarrier:
  case SimtFault::Kind::DivergentShuffle:
  case SimtFault::Kind::Deadlock:
  case SimtFault::Kind::MissingWait:
  case SimtFault::Kind::MissingFence:
  case SimtFault::Kind::InvalidOperation:
    return "map the kernel to threads in another way (threads a row, tile "
           "sizes, stages); the fault is in how its threads cooperate";
  case SimtFault::Kind::OutOfBounds:
  case SimtFault::Kind::UnwrittenOutput:
  case SimtFault::Kind::Misaligned:
    return "choose tile sizes or vector widths whose remainders the kernel "
           "handles; the fault shows at the edge of a tensor";
  case SimtFault::Kind::WrongSpace:
    return "give the pointer the address space of the memory that it is "
           "derived from";
  case SimtFault::Kind::WriteToInput:
    return "form the kernel so that it returns what it writes";
  }
  llvm_unreachable("all kinds are listed");
}

static Rejection toNumericRejection(llvm::Error error, llvm::StringRef step) {
  Rejection rejection;
  rejection.step = step.str();
  llvm::handleAllErrors(
      std::move(error),
      [&](const SimtFault &fault) {
        rejection.location =
            fault.location.empty() ? "kernel " + fault.kernel : fault.location;
        rejection.reason = fault.message();
        rejection.remedy = adviseOn(fault.kind).str();
      },
      [&](const RejectionError &refused) {
        rejection = refused.get();
        rejection.step = step.str();
      },
      [&](const llvm::ErrorInfoBase &other) {
        rejection.reason = other.message();
        rejection.remedy = "write the kernel with ops that the CPU execution "
                           "knows, or report the op";
      });
  return rejection;
}

std::string egg::formatShapes(ModuleOp payload, ShrinkVariant variant) {
  std::string text;
  auto signature = getPayloadSignature(payload);
  if (!signature) {
    llvm::consumeError(signature.takeError());
    return stringifyShrinkVariant(variant).str();
  }
  for (const TensorSpec &spec : signature->arguments) {
    text += text.empty() ? "" : ", ";
    text += spec.name.empty() ? "argument" : spec.name;
    text += "[";
    for (size_t dim = 0; dim < spec.shape.size(); ++dim)
      text += (dim ? ", " : "") + std::to_string(spec.shape[dim]);
    text += "]";
  }
  return (stringifyShrinkVariant(variant) + ": " + text).str();
}

static std::string nameResult(size_t number, const TensorSpec &spec) {
  return "result " + std::to_string(number) +
         (spec.name.empty() ? "" : " '" + spec.name + "'");
}

static Rejection describeMismatch(const Comparison &comparison, size_t number,
                                  const TensorSpec &spec,
                                  const HostTensor &got) {
  Rejection rejection;
  rejection.step = "numeric";
  rejection.location = nameResult(number, spec);
  rejection.reason = llvm::formatv(
      "{0} of {1} elements differ from the payload; the worst at "
      "{2} is {3}, should be {4} (fp64; the payload in its own "
      "precision gives {5}); allowed is a difference of {6}",
      comparison.mismatches, got.getNumElements(),
      got.formatIndex(comparison.worst), llvm::format("%.9g", comparison.got),
      llvm::format("%.9g", comparison.expected),
      llvm::format("%.9g", comparison.native),
      llvm::format("%.3g", comparison.tolerance));
  rejection.remedy =
      "look at the kernel that writes this result: the schedule computes "
      "something else, not the same with other rounding";
  return rejection;
}

/// The rule `match`, over all elements of a result.
static std::optional<Rejection>
checkPrecision(const HostTensor &reference, const HostTensor &native,
               const HostTensor &got, size_t number, const TensorSpec &spec) {
  if (!got.isFloat())
    return std::nullopt;
  RmsErrors errors = measureRmsErrors(reference, native, got);
  // Written so that NaN fails too.
  if (errors.got <= errors.allowed)
    return std::nullopt;
  Rejection rejection;
  rejection.step = "precision";
  rejection.location = nameResult(number, spec);
  rejection.reason = llvm::formatv(
      "the error against fp64 is {0} (root mean square over all elements), "
      "that of the payload in its own precision {1}; allowed is twice that, "
      "{2}",
      llvm::format("%.3g", errors.got), llvm::format("%.3g", errors.native),
      llvm::format("%.3g", errors.allowed));
  rejection.remedy = "add the products of fewer steps in the tensor cores' "
                     "accumulators before they are added in f32, or ask for "
                     "less precision";
  return rejection;
}

static Rejection describeWrongZero(int64_t element, size_t number,
                                   const TensorSpec &spec,
                                   const HostTensor &got) {
  Rejection rejection;
  rejection.step = "numeric";
  rejection.location = nameResult(number, spec);
  rejection.reason = llvm::formatv(
      "the zero at {0} has the other sign than in the payload, which adds "
      "nothing on the way there; it should be {1}0",
      got.formatIndex(element),
      std::signbit(got.getFloat(element)) ? "+" : "-");
  rejection.remedy =
      "compute with the payload's operations where the sign of "
      "a zero counts: 0 - x is not -x, nor a selection a maximum";
  return rejection;
}

Rejection egg::explainFailure(llvm::Error error, llvm::StringRef step,
                              llvm::StringRef shapes,
                              DiagnosticCollector &diagnostics) {
  Rejection rejection = toNumericRejection(std::move(error), step);
  Rejection diagnosed =
      diagnostics.takeRejection(step, rejection.reason, rejection.remedy);
  if (rejection.location.empty())
    rejection = std::move(diagnosed);
  rejection.notes.push_back(("at the small extents " + shapes).str());
  return rejection;
}

/// Whether the inputs are of ordinary size, so that errors mean something by
/// themselves.
static bool isOrdinary(Distribution distribution) {
  return distribution == Distribution::Uniform ||
         distribution == Distribution::Normal;
}

namespace {

/// The payload in fp64, and to what its results are rounded.
struct Yardstick {
  std::unique_ptr<PayloadProgram> reference;
  llvm::SmallVector<Rounding> roundings;
};

} // namespace

std::optional<Rejection> egg::checkNumerically(
    ModuleOp payload, const LoweredProgram &program, ShrinkVariant variant,
    const VerifyOptions &options, DiagnosticCollector &diagnostics,
    llvm::function_ref<void(llvm::StringRef)> onStep, NumericSummary &summary) {
  std::string shapes = formatShapes(payload, variant);
  onStep("emulate");
  auto kernels = SimtProgram::compile(*program.module);
  if (!kernels)
    return explainFailure(kernels.takeError(), "emulate", shapes, diagnostics);
  int64_t launches = llvm::count_if(program.plan.steps, [](auto &step) {
    return step.kind == PlanStep::Kind::Launch;
  });
  return compareNumerically(
      payload,
      [&](llvm::ArrayRef<HostTensor> inputs) {
        return (*kernels)->run(program.plan, inputs);
      },
      launches, stringifyShrinkVariant(variant).str(), std::move(shapes),
      options, diagnostics, onStep, summary);
}

std::optional<Rejection> egg::compareNumerically(
    ModuleOp payload, NumericCandidate candidate, int64_t launches,
    std::string variant, std::string shapes, const VerifyOptions &options,
    DiagnosticCollector &diagnostics,
    llvm::function_ref<void(llvm::StringRef)> onStep, NumericSummary &summary) {
  auto signature = getPayloadSignature(payload);
  if (!signature)
    return toRejection(signature.takeError(), "numeric");
  auto fromError = [&](llvm::Error error, llvm::StringRef step) {
    return explainFailure(std::move(error), step, shapes, diagnostics);
  };

  onStep("numeric");
  auto native = PayloadProgram::compile(payload, Precision::Native);
  if (!native)
    return fromError(native.takeError(), "numeric");

  double reductionLength = double(getLongestReduction(payload));
  SpecialValues specials(payload, options.otherAlgebra);
  llvm::SmallVector<bool> signedZeros = findSignedZeros(payload);
  size_t resultCount = signature->results.size();
  summary.finite.resize(resultCount);
  std::map<ExactOn, Yardstick> yardsticks;
  for (Distribution distribution : options.distributions) {
    ExactOn exactOn = options.otherAlgebra ? ExactOn::Nothing
                      : distribution == Distribution::Ties
                          ? ExactOn::SmallIntegers
                          : ExactOn::AnyInputs;
    auto &[reference, roundings] = yardsticks[exactOn];
    if (!reference) {
      if (llvm::Error error =
              PayloadProgram::compile(payload, Precision::Double, exactOn)
                  .moveInto(reference))
        return fromError(std::move(error), "numeric");
      roundings = getRoundings(payload, exactOn);
    }
    // The payload's error depends on the inputs' scale.
    std::vector<OwnError> ownErrors(resultCount);
    std::vector<ResultError> errors(resultCount);
    std::vector<double> largestUnit(resultCount);
    bool isConstant = distribution == Distribution::Constant;
    double growth = isConstant ? reductionLength : std::sqrt(reductionLength);
    bool isOften =
        isOrdinary(distribution) || distribution == Distribution::Wide;
    bool isSpecial = distribution == Distribution::Special;
    const int64_t planned = isOften     ? options.seeds
                            : isSpecial ? 1 + specials.countRounds()
                                        : 1;
    int64_t draws = planned;
    auto allowedError = [&](size_t number) {
      return getAllowedError(ownErrors[number],
                             largestUnit[number] * (isConstant ? growth : 1));
    };
    for (int64_t i = 0; i < draws; ++i) {
      uint64_t seed = options.seed + i;
      // One input of special values anywhere, then the rounds of those that
      // are placed.
      int64_t round = isSpecial ? i % (1 + specials.countRounds()) - 1 : -1;
      bool isPlaced = round >= 0;
      auto inputs =
          makeInputs(payload, isPlaced ? Distribution::Normal : distribution,
                     seed, options.otherAlgebra);
      if (!inputs)
        return fromError(inputs.takeError(), "numeric");
      if (isPlaced)
        specials.place(*inputs, round);
      onStep("emulate");
      if (options.changeInputs)
        options.changeInputs(*inputs, HostArithmetic::Native);
      auto got = candidate(*inputs);
      if (!got)
        return fromError(got.takeError(), "emulate");
      onStep("numeric");
      auto expected = reference->run(*inputs);
      if (!expected)
        return fromError(expected.takeError(), "numeric");
      auto own = (*native)->run(*inputs);
      if (!own)
        return fromError(own.takeError(), "numeric");
      auto sensitivities = findSensitivities(*reference, *inputs, *expected);
      if (!sensitivities)
        return fromError(sensitivities.takeError(), "numeric");
      auto finish = [&](Rejection rejection) {
        rejection.notes.push_back(llvm::formatv(
            "inputs: {0}, seed {1}{2}", stringifyDistribution(distribution),
            seed, isPlaced ? ", " + specials.str() : ""));
        rejection.notes.push_back("at the small extents " + shapes);
        return rejection;
      };
      for (size_t number = 0; number < resultCount; ++number) {
        HostTensor &sensitivity = (*sensitivities)[number];
        auto compare = [&](const OrderOutcomes *orders = nullptr) {
          return compareResult((*expected)[number], (*own)[number],
                               (*got)[number], sensitivity, growth,
                               roundings[number], ownErrors[number], orders);
        };
        OwnError ownBefore = ownErrors[number];
        Comparison comparison = compare();
        // Before a refusal the tolerance is measured with more care.
        double step = 4 * roundings[number].unit;
        for (bool perturbsArithmetic : {false, true}) {
          if (comparison.matches() || roundings[number].isExact() ||
              !(*got)[number].isFloat())
            break;
          if (llvm::Error error =
                  perturbsArithmetic
                      ? refineByRounding(
                            payload, exactOn, *inputs, *expected, number,
                            isConstant ? step * std::sqrt(growth) : step,
                            step * growth, sensitivity)
                      : refineSensitivity(*reference, *inputs, *expected,
                                          number, step * growth, sensitivity))
            return fromError(std::move(error), "numeric");
          ownErrors[number] = ownBefore;
          comparison = compare();
        }
        if (comparison.isOverflow()) {
          auto orders = runInOtherOrders(payload, *inputs, number);
          if (!orders)
            return fromError(orders.takeError(), "numeric");
          ownErrors[number] = ownBefore;
          comparison = compare(&*orders);
        }
        // A result without elements agrees as a whole.
        summary.finite[number] +=
            (*got)[number].getNumElements() ? comparison.finite : 1;
        if (!comparison.matches()) {
          Rejection rejection = describeMismatch(
              comparison, number, signature->results[number], (*got)[number]);
          std::string sources =
              explainElement(*reference, *inputs, signature->arguments, number,
                             comparison.worst);
          rejection = finish(std::move(rejection));
          if (!sources.empty())
            rejection.notes.insert(rejection.notes.begin() + 1,
                                   "that element is computed from " + sources);
          return rejection;
        }
        if (isSpecial && !options.otherAlgebra && signedZeros[number] &&
            (*got)[number].isFloat())
          if (auto element = findWrongZero((*expected)[number], (*own)[number],
                                           (*got)[number]))
            return finish(describeWrongZero(
                *element, number, signature->results[number], (*got)[number]));
        ResultError &error = errors[number];
        error.maxAbsolute = std::max(error.maxAbsolute, comparison.maxError);
        error.maxRelative =
            std::max(error.maxRelative, comparison.maxRelativeError);
        largestUnit[number] =
            std::max(largestUnit[number], comparison.largestUnit);
        if (options.matchPrecision)
          if (auto rejection = checkPrecision(
                  (*expected)[number], (*own)[number], (*got)[number], number,
                  signature->results[number]))
            return finish(std::move(*rejection));
        if (isOrdinary(distribution)) {
          summary.maxError = std::max(summary.maxError, comparison.maxError);
          summary.maxRelativeError =
              std::max(summary.maxRelativeError, comparison.maxRelativeError);
        }
      }
      ++summary.runs;
      summary.launches += launches;
      // The largest of few errors is a matter of luck, in the payload as in
      // the kernels: what looks too large is measured on more inputs.
      auto isBeyond = [&](size_t number) {
        return errors[number].maxAbsolute > allowedError(number);
      };
      if (i + 1 == planned && llvm::any_of(llvm::seq(resultCount), isBeyond)) {
        draws += kFurtherDraws;
        summary.drawnAgain.push_back(llvm::formatv(
            "{0} ({1} extents)", stringifyDistribution(distribution), variant));
      }
    }
    for (auto [number, spec] : llvm::enumerate(signature->results)) {
      if (llvm::StringRef(spec.dtype).starts_with("i"))
        continue;
      ResultError &error = errors[number];
      error.result = int64_t(number);
      error.name = spec.name;
      error.variant = variant;
      error.inputs = stringifyDistribution(distribution).str();
      error.own = ownErrors[number].absolute;
      error.allowed = allowedError(number);
      summary.errors.push_back(std::move(error));
    }
  }
  summary.specials = specials.str();
  summary.extents.push_back({std::move(variant), signature->arguments});
  summary.shapes.push_back(std::move(shapes));
  return std::nullopt;
}
