//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Fuzz/Fuzz.h"
#include "ChildCase.h"
#include "egg/Target/TargetInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <set>

using namespace egg;
using namespace egg::fuzz;
using Fate = FuzzOutcome::Fate;
using Clock = std::chrono::steady_clock;

// Between two reports on cases without findings.
static constexpr std::chrono::seconds kKeepInterval(2);

/// Without numbers and what is in quotes.
static std::string generalize(llvm::StringRef text) {
  std::string result;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      continue;
    }
    // An apostrophe stands behind a letter, a quote does not.
    if (c == '"' || (c == '\'' && (i == 0 || !llvm::isAlnum(text[i - 1])))) {
      quote = c;
      result += "''";
    } else if (llvm::isDigit(c)) {
      while (i + 1 < text.size() &&
             (llvm::isAlnum(text[i + 1]) || text[i + 1] == '.' ||
              ((text[i + 1] == '-' || text[i + 1] == '+') && text[i] == 'e')))
        ++i;
      result += '#';
    } else if (result.size() < 120) {
      result += c;
    }
  }
  return result;
}

std::string FuzzOutcome::kind() const {
  // What stands behind it is figures.
  return step + ": " + generalize(llvm::StringRef(reason).split(';').first);
}

llvm::Expected<FuzzPrograms>
egg::makeFuzzPrograms(const mlir::DialectRegistry &registry,
                      const FuzzOptions &options, uint64_t number) {
  auto result = runCase([&] { return generate(registry, options, number); },
                        registry, options);
  if (!result)
    return result.takeError();
  if (!result->programs)
    return llvm::createStringError(result->outcome.reason);
  return std::move(*result->programs);
}

llvm::Expected<FuzzOutcome>
egg::runFuzzPrograms(const FuzzPrograms &programs,
                     const mlir::DialectRegistry &registry,
                     const FuzzOptions &options) {
  auto result =
      runCase([&]() -> llvm::Expected<FuzzPrograms> { return programs; },
              registry, options);
  if (!result)
    return result.takeError();
  return std::move(result->outcome);
}

llvm::Error egg::reduceFinding(FuzzFinding &finding,
                               const mlir::DialectRegistry &registry,
                               const FuzzOptions &options,
                               llvm::function_ref<llvm::Error()> keep) {
  std::string kind = finding.outcome.kind();
  // Another round only where the last made something possible.
  size_t number = 0, since = 0;
  Clock::time_point start = Clock::now();
  for (int64_t trial = 0; trial < options.reductionTrials; ++trial) {
    std::chrono::duration<double> taken = Clock::now() - start;
    if (taken.count() >= options.reductionSeconds) {
      finding.reductionLimit =
          llvm::formatv("{0} s", llvm::format("%g", options.reductionSeconds));
      return llvm::Error::success();
    }
    auto result = runCase(
        [&]() -> llvm::Expected<FuzzPrograms> {
          if (auto smaller = makeSmaller(finding.programs, registry, number))
            return std::move(*smaller);
          return llvm::createStringError("no more");
        },
        registry, options);
    if (!result)
      return result.takeError();
    bool isLast = !result->programs && result->outcome.reason == "no more";
    if (isLast) {
      if (since == 0)
        return llvm::Error::success();
      number = since = 0;
      continue;
    }
    if (result->programs && !(*result->programs == finding.programs) &&
        result->outcome.kind() == kind) {
      finding.programs = std::move(*result->programs);
      finding.outcome = std::move(result->outcome);
      ++since;
      if (llvm::Error error = keep())
        return error;
      continue;
    }
    ++number;
  }
  if (options.reductionTrials > 0)
    finding.reductionLimit =
        llvm::formatv("{0} attempts", options.reductionTrials);
  return llvm::Error::success();
}

llvm::Expected<FuzzResult>
egg::runFuzz(const mlir::DialectRegistry &registry, const FuzzOptions &options,
             llvm::function_ref<llvm::Error(const FuzzResult &)> keep) {
  if (auto target = lookupTarget(options.chip); !target)
    return target.takeError();
  FuzzResult result;
  result.options = options;
  std::set<std::string> kinds;
  Clock::time_point kept = Clock::now();
  for (uint64_t i = 0; i < options.count; ++i) {
    uint64_t number = options.first + i;
    auto one = runCase([&] { return generate(registry, options, number); },
                       registry, options);
    if (!one)
      return one.takeError();
    FuzzOutcome &outcome = one->outcome;
    ++result.done;
    result.seconds += outcome.seconds;
    if (outcome.seconds > result.longestSeconds) {
      result.longestSeconds = outcome.seconds;
      result.longestNumber = number;
    }
    switch (outcome.fate) {
    case Fate::Accepted:
      ++result.accepted;
      if (!outcome.grade.empty())
        ++result.grades[outcome.grade];
      for (const std::string &reason : outcome.skipped)
        ++result.skipped[generalize(reason)];
      break;
    case Fate::Refused:
      ++result.refused;
      ++result.refusals[outcome.kind()];
      break;
    case Fate::Finding: {
      if (outcome.step == kParsePayload) {
        ++result.parserCrashes;
        break;
      }
      FuzzFinding &finding = result.findings.emplace_back();
      finding.number = number;
      finding.outcome = std::move(outcome);
      if (one->programs)
        finding.programs = std::move(*one->programs);
      auto keepAll = [&] { return keep(result); };
      if (llvm::Error error = keepAll())
        return std::move(error);
      if (kinds.insert(finding.outcome.kind()).second && one->programs)
        if (llvm::Error error =
                reduceFinding(finding, registry, options, keepAll))
          return std::move(error);
    }
    }
    if (Clock::now() - kept >= kKeepInterval) {
      if (llvm::Error error = keep(result))
        return std::move(error);
      kept = Clock::now();
    }
  }
  return result;
}
