//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-fuzz.
//
//===----------------------------------------------------------------------===//
#include "egg/Fuzz/Fuzz.h"
#include "egg/Fuzz/Passes.h"
#include "egg/Support/Files.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"

namespace egg {
#define GEN_PASS_DEF_FUZZPASS
#include "egg/Fuzz/Passes.h.inc"
} // namespace egg

using namespace mlir;

namespace {

class FuzzPass : public egg::impl::FuzzPassBase<FuzzPass> {
public:
  using FuzzPassBase::FuzzPassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (llvm::Error error = fuzz()) {
      getOperation().emitError()
          << "[fuzz] " << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error write(llvm::StringRef text);
  llvm::Error keep(llvm::StringRef text);
  llvm::Error fuzz();
  llvm::Error repeatFile(const DialectRegistry &registry,
                         const egg::FuzzOptions &options);
  llvm::Error printCase(const DialectRegistry &registry,
                        const egg::FuzzOptions &options);
};

} // namespace

llvm::Error FuzzPass::write(llvm::StringRef text) {
  if (output != "-")
    return egg::writeFileAtomically(output, text);
  llvm::outs() << text;
  return llvm::Error::success();
}

/// What there is before the end.
llvm::Error FuzzPass::keep(llvm::StringRef text) {
  return output == "-" ? llvm::Error::success() : write(text);
}

llvm::Error FuzzPass::repeatFile(const DialectRegistry &registry,
                                 const egg::FuzzOptions &options) {
  auto text = egg::readFile(repeat);
  if (!text)
    return text.takeError();
  auto programs = egg::parseFinding(*text);
  if (!programs)
    return llvm::createStringError(
        "'" + repeat +
        "' has no parts 'payload.mlir' and 'schedule.mlir'; give a file that "
        "egg fuzz wrote");
  auto outcome = egg::runFuzzPrograms(*programs, registry, options);
  if (!outcome)
    return outcome.takeError();
  if (outcome->fate != egg::FuzzOutcome::Fate::Finding) {
    bool isAccepted = outcome->fate == egg::FuzzOutcome::Fate::Accepted;
    std::string line = llvm::formatv(
        "{0} in step {1}{2}{3}\n", isAccepted ? "accepted" : "refused",
        outcome->step, outcome->reason.empty() ? "" : ": ", outcome->reason);
    return write(line);
  }
  egg::FuzzFinding finding;
  finding.outcome = std::move(*outcome);
  finding.programs = std::move(*programs);
  auto keepFile = [&] { return keep(egg::formatFinding(finding, options)); };
  if (llvm::Error error =
          egg::reduceFinding(finding, registry, options, keepFile))
    return error;
  if (llvm::Error error = write(egg::formatFinding(finding, options)))
    return error;
  return llvm::createStringError(
      "the fault in '" + repeat + "' is still there, in step " +
      finding.outcome.step + ": " + finding.outcome.reason);
}

llvm::Error FuzzPass::printCase(const DialectRegistry &registry,
                                const egg::FuzzOptions &options) {
  auto programs = egg::makeFuzzPrograms(registry, options, first);
  if (!programs)
    return programs.takeError();
  egg::FuzzFinding finding;
  finding.number = first;
  finding.outcome.step = "none";
  finding.outcome.reason = "printed as it is made";
  finding.programs = std::move(*programs);
  return write(egg::formatFinding(finding, options));
}

llvm::Error FuzzPass::fuzz() {
  auto symbol = egg::symbolizeFuzzMode(mode);
  if (!symbol)
    return llvm::createStringError("there is no mode '" + mode +
                                   "'; there are scripts and kernels");
  if (!(timeLimit > 0))
    return llvm::createStringError("time-limit must be a positive number");
  if (memoryLimit < 64)
    return llvm::createStringError(
        "memory-limit must be at least 64 MiB, which the compiler itself "
        "needs");
  if (!(reduceLimit >= 0))
    return llvm::createStringError("reduce-limit must not be negative");
  egg::FuzzOptions options;
  options.mode = *symbol;
  options.seed = seed;
  options.first = first;
  options.count = count;
  options.chip = chip;
  options.wallSeconds = timeLimit;
  options.memoryBytes = uint64_t(memoryLimit) << 20;
  options.reductionTrials = reduce;
  options.reductionSeconds = reduceLimit > 0 ? reduceLimit : 5 * timeLimit;
  DialectRegistry registry;
  getContext().getDialectRegistry().appendTo(registry);
  if (!repeat.empty())
    return repeatFile(registry, options);
  if (print)
    return printCase(registry, options);
  auto result =
      egg::runFuzz(registry, options, [&](const egg::FuzzResult &soFar) {
        return keep(egg::toJSON(soFar));
      });
  if (!result)
    return result.takeError();
  if (llvm::Error error = write(egg::toJSON(*result)))
    return error;
  if (result->findings.empty())
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("{0} of {1} cases found a fault; the output has them",
                    result->findings.size(), options.count));
}
