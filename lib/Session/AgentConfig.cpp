//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AgentConfig.h"
#include "llvm/Support/FileSystem.h"
#include <cmath>

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Twine;

namespace egg {

Verifier makeVerifier(const DialectRegistry &registry,
                      const VerifyOptions &options) {
  return [&registry,
          options](ModuleOp payload,
                   const Proposal &proposal) -> llvm::Expected<Verdict> {
    std::string text;
    llvm::raw_string_ostream os(text);
    // With locations, so that messages point into the file it came from.
    payload.print(os, OpPrintingFlags().enableDebugInfo());
    llvm::Expected<Verification> verification =
        verifyProposal(text, proposal.script, registry, options);
    if (!verification)
      return verification.takeError();
    if (verification->rejection)
      return llvm::make_error<RejectionError>(*verification->rejection);
    return verification->verdict;
  };
}

static Error checkVerification(const AgentConfig &config) {
  // Written so that NaN fails too.
  if (!(config.verify.wallSeconds > 0))
    return createStringError(
        "verify-seconds must be a positive number; verify=false skips the "
        "check");
  if (int64_t(config.verify.memoryBytes) < int64_t(1) << 20)
    return createStringError(
        "verify-memory is " +
        Twine(int64_t(config.verify.memoryBytes) / (1 << 20)) +
        "; use at least 1 MiB");
  const std::string &ptxas = config.search.session.toolchain.ptxas;
  if (!ptxas.empty() && ptxas != "none" && !llvm::sys::fs::exists(ptxas))
    return createStringError("there is no ptxas at '" + ptxas +
                             "'; leave the option out to search for it");
  return Error::success();
}

template <typename T>
static Error setCeiling(T value, llvm::StringRef option,
                        std::optional<T> &ceiling) {
  // Written so that NaN fails too.
  if (!(value >= 0))
    return createStringError(option +
                             " must not be negative; 0 is for no ceiling");
  if (value > 0)
    ceiling = value;
  return Error::success();
}

static Error setBudget(AgentConfig &config) {
  BudgetLimits &budget = config.search.budget;
  if (Error error = setCeiling(config.maxCalls, "max-calls", budget.calls))
    return error;
  if (Error error = setCeiling(config.maxInputTokens, "max-input-tokens",
                               budget.inputTokens))
    return error;
  if (Error error = setCeiling(config.maxOutputTokens, "max-output-tokens",
                               budget.outputTokens))
    return error;
  if (Error error =
          setCeiling(config.maxDollars, "max-dollars", budget.dollars))
    return error;
  if (Error error =
          setCeiling(config.maxSeconds, "max-seconds", budget.seconds))
    return error;
  return setCeiling(config.maxGpuSeconds, "max-gpu-seconds",
                    config.search.options.gpuSeconds);
}

static Error setMeasurer(AgentConfig &config) {
  // Written so that NaN fails too.
  if (!(config.measureSeconds > 0))
    return createStringError("measure-seconds must be a positive number");
  if (!config.measure.empty())
    config.search.measurer =
        makeMeasurer(config.measure, config.measureSeconds);
  return Error::success();
}

/// A person who answers by mailbox may do so tomorrow.
static constexpr double kMailboxSeconds = 86400;

static Error setPatience(AgentConfig &config) {
  // Written so that NaN fails too.
  if (!(config.answerSeconds >= 0))
    return createStringError("answer-seconds must not be negative");
  ModelConfig &model = config.search.model;
  if (config.answerSeconds > 0)
    model.http.totalSeconds = config.answerSeconds;
  else if (!model.mailbox.empty())
    model.http.totalSeconds = kMailboxSeconds;
  return Error::success();
}

static Error setSearch(AgentConfig &config) {
  SearchOptions &options = config.search.options;
  auto strategy = symbolizeSearchStrategy(config.strategy);
  if (!strategy)
    return createStringError("unknown strategy '" + config.strategy +
                             "': use greedy, beam or best-of-n");
  options.strategy = *strategy;
  for (auto [value, option] :
       {std::pair(options.width, "width"), {options.proposals, "proposals"}})
    if (value < 1)
      return createStringError(Twine(option) + " is " + Twine(value) +
                               "; use at least 1");
  for (auto [value, option] : {std::pair(options.repairs, "repairs"),
                               {options.kernels, "hot-kernels"}})
    if (value < 0)
      return createStringError(Twine(option) + " is " + Twine(value) +
                               "; use 0 or more");
  if (!(options.closeEnough >= 0) || !std::isfinite(options.closeEnough))
    return createStringError("close-enough must be a number of at least 0");
  const ContextOptions &context = config.search.context;
  for (auto [value, option] :
       {std::pair(context.historyTokens, "history-tokens"),
        {context.payloadTokens, "payload-tokens"},
        {context.maxOutputTokens, "answer-tokens"}})
    if (value < 1)
      return createStringError(Twine(option) + " is " + Twine(value) +
                               "; use at least 1");
  if (config.stages.empty())
    return Error::success();
  options.stages.clear();
  for (const std::string &name : config.stages) {
    auto stage = symbolizeStageKind(name);
    if (!stage)
      return createStringError(
          "unknown stage '" + name +
          "': the stages are algorithm, parallel_mapping, tensor_tiling, "
          "memory_optimization");
    options.stages.push_back(*stage);
  }
  return Error::success();
}

Error checkAgentConfig(AgentConfig &config) {
  if (Error error = checkVerification(config))
    return error;
  if (config.agent != "llm")
    return Error::success();
  auto mode = symbolizeRecordMode(config.sessionMode);
  if (!mode)
    return createStringError("unknown session-mode '" + config.sessionMode +
                             "': use record, resume or replay");
  config.search.mode = *mode;
  // The record names them.
  for (auto [value, option] :
       {std::pair(&config.search.model.http.model, "model"),
        {&config.search.model.provider, "provider"}})
    if (!llvm::json::isUTF8(*value))
      return createStringError(Twine(option) + " is no UTF-8: '" +
                               llvm::json::fixUTF8(*value) + "'");
  if (config.search.directory.empty())
    return createStringError("the llm agent records its session; write "
                             "session=DIR");
  if (Error error = setBudget(config))
    return error;
  if (Error error = setMeasurer(config))
    return error;
  if (Error error = setPatience(config))
    return error;
  return setSearch(config);
}

llvm::Expected<std::unique_ptr<Agent>>
createConfiguredAgent(const AgentConfig &config,
                      const DialectRegistry &registry) {
  if (config.agent != "llm")
    return createAgent(config.agent, config.schedule);
  SearchAgentConfig search = config.search;
  search.session.verifier = makeVerifier(registry, config.verify);
  search.completeSeconds =
      std::min(search.completeSeconds, config.verify.wallSeconds);
  return createSearchAgent(std::move(search));
}

} // namespace egg
