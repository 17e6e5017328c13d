//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the options of AgentOptions.td say, as values.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SESSION_AGENTCONFIG_H
#define EGG_LIB_SESSION_AGENTCONFIG_H

#include "egg/Session/SearchAgent.h"
#include "egg/Session/Session.h"
#include "egg/Verify/VerifyProposal.h"

namespace egg {

struct AgentConfig {
  std::string agent, schedule;
  std::string strategy, sessionMode;
  std::vector<std::string> stages;
  /// Of the search, verified scripts and all.
  SearchAgentConfig search;
  VerifyOptions verify;
  /// Ceilings; 0 for none.
  int64_t maxCalls = 0, maxInputTokens = 0, maxOutputTokens = 0;
  double maxDollars = 0, maxSeconds = 0, maxGpuSeconds = 0;
  /// Command that measures; none if empty.
  std::string measure;
  double measureSeconds = 0;
  /// 0 for the default of who answers.
  double answerSeconds = 0;
};

/// Refuses options that make no sense and resolves the names among them.
llvm::Error checkAgentConfig(AgentConfig &config);

/// The agent that the options name. Scripts are checked with dialects of the
/// registry, which must outlive the agent. checkAgentConfig has passed.
llvm::Expected<std::unique_ptr<Agent>>
createConfiguredAgent(const AgentConfig &config,
                      const mlir::DialectRegistry &registry);

/// The check of scripts in a child process, as a session asks for it.
Verifier makeVerifier(const mlir::DialectRegistry &registry,
                      const VerifyOptions &options);

/// A pass with agentOptions.
template <typename Base> class AgentPass : public Base {
public:
  using Base::Base;

protected:
  AgentConfig readAgentConfig() {
    AgentConfig config;
    config.agent = this->agent;
    config.schedule = this->schedule;
    config.strategy = this->strategy;
    config.sessionMode = this->sessionMode;
    config.stages.assign(this->stages.begin(), this->stages.end());
    config.maxCalls = this->maxCalls;
    config.maxInputTokens = this->maxInputTokens;
    config.maxOutputTokens = this->maxOutputTokens;
    config.maxDollars = this->maxDollars;
    config.maxSeconds = this->maxSeconds;
    config.maxGpuSeconds = this->maxGpuSeconds;
    config.measure = this->measure;
    config.measureSeconds = this->measureSeconds;

    config.verify.seed = this->seed;
    config.verify.wallSeconds = this->verifySeconds;
    config.verify.timeOption = "verify-seconds";
    config.verify.memoryBytes = uint64_t(this->verifyMemory) << 20;
    config.verify.memoryOption = "verify-memory";

    SearchAgentConfig &search = config.search;
    search.session.chip = this->chip;
    search.session.seed = this->seed;
    search.session.toolchain = {this->ptxas, this->libdevice, this->cudaPath};
    search.model.provider = this->provider;
    search.model.http.model = this->model;
    search.model.http.baseUrl = this->baseUrl;
    search.model.keyFile = this->keyFile;
    search.model.http.stream = this->stream;
    search.model.mailbox = this->mailbox;
    config.answerSeconds = this->answerSeconds;
    search.model.exec = this->exec;
    search.model.execVariables.assign(this->execEnv.begin(),
                                      this->execEnv.end());
    search.model.http.allowOtherModel = this->allowOtherModel;
    search.model.http.allowPlainHttpKey = this->allowPlainHTTPKey;
    search.pricesFile = this->prices;
    search.directory = this->session;
    search.promptsDirectory = this->promptsDir;
    search.context.history = this->history;
    search.context.handOver = this->handOver;
    search.context.historyTokens = this->historyTokens;
    search.context.payloadTokens = this->payloadTokens;
    search.context.maxOutputTokens = this->answerTokens;
    search.options.width = this->width;
    search.options.proposals = this->proposals;
    search.options.repairs = this->repairs;
    search.options.kernels = this->hotKernels;
    search.options.fromScratch = this->fromScratch;
    search.options.closeEnough = this->closeEnough;
    search.options.history = this->history;
    search.options.handOver = this->handOver;
    search.options.historyTokens = this->historyTokens;
    search.options.payloadTokens = this->payloadTokens;
    search.options.seed = this->seed;
    return config;
  }
};

} // namespace egg

#endif // EGG_LIB_SESSION_AGENTCONFIG_H
