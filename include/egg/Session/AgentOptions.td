//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Options of every pass that asks an agent: lib/Session/AgentConfig.cpp reads
// them.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SESSION_AGENTOPTIONS_TD
#define EGG_SESSION_AGENTOPTIONS_TD

include "mlir/Pass/PassBase.td"

defvar agentOptions = [
  Option<"agent", "agent", "std::string", /*default=*/"\"expert\"",
         "Who proposes: expert, replay, llm">,
  Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
         "Chip to compile for">,
  Option<"schedule", "schedule", "std::string", /*default=*/"",
         "Recorded script of the replay agent">,
  Option<"seed", "seed", "uint64_t", /*default=*/"0",
         "Seed of every random choice and of the inputs that verify">,
  Option<"verifySeconds", "verify-seconds", "double", /*default=*/"120",
         "Limit on the time that the check of a script takes">,
  Option<"verifyMemory", "verify-memory", "int64_t", /*default=*/"6144",
         "MiB of address space that the check of a script may take">,
  Option<"ptxas", "ptxas", "std::string", /*default=*/"",
         "Path of ptxas, or none to do without; searched for if empty">,
  Option<"libdevice", "libdevice", "std::string", /*default=*/"",
         "Path of libdevice's bitcode; searched for if empty">,
  Option<"cudaPath", "cuda-path", "std::string", /*default=*/"",
         "Root of the CUDA toolkit to use for both">,

  // Who answers for the llm agent.
  Option<"provider", "provider", "std::string", /*default=*/"",
         "llm: whose API: openai, anthropic, vllm, llama.cpp, ollama, "
         "compatible">,
  Option<"model", "model", "std::string", /*default=*/"",
         "llm: the model's name">,
  Option<"baseUrl", "base-url", "std::string", /*default=*/"",
         "llm: where the API is; the provider's own if empty">,
  Option<"keyFile", "key-file", "std::string", /*default=*/"",
         "llm: file with the key, for its owner alone; else the provider's "
         "environment variable">,
  Option<"stream", "stream", "bool", /*default=*/"false",
         "llm: receive answers as streams">,
  Option<"mailbox", "mailbox", "std::string", /*default=*/"",
         "llm: directory where requests are files and answers are awaited">,
  Option<"exec", "exec", "std::string", /*default=*/"",
         "llm: command that reads a request and prints the answer">,
  ListOption<"execEnv", "exec-env", "std::string",
             "llm: variables that the command gets too">,
  Option<"allowOtherModel", "allow-other-model", "bool", /*default=*/"false",
         "llm: take an answer of another model than asked, with a note">,
  Option<"allowPlainHTTPKey", "allow-plain-http-key", "bool",
         /*default=*/"false",
         "llm: send the key over plain HTTP to another machine">,
  Option<"answerSeconds", "answer-seconds", "double", /*default=*/"0",
         "llm: how long to wait for one answer; 0 for 600, by mailbox 86400">,

  // What it records and may spend.
  Option<"session", "session", "std::string", /*default=*/"",
         "llm: directory of the session's records (trajectory.jsonl, "
         "cassette.jsonl)">,
  Option<"sessionMode", "session-mode", "std::string", /*default=*/"\"record\"",
         "llm: record a new session, resume one, or replay one without asking "
         "anybody">,
  Option<"maxCalls", "max-calls", "int64_t", /*default=*/"100",
         "llm: the most requests to the model, repeated ones too">,
  Option<"maxInputTokens", "max-input-tokens", "int64_t", /*default=*/"0",
         "llm: the most input tokens in all; 0 for no ceiling">,
  Option<"maxOutputTokens", "max-output-tokens", "int64_t", /*default=*/"0",
         "llm: the most output tokens in all; 0 for no ceiling">,
  Option<"maxDollars", "max-dollars", "double", /*default=*/"0",
         "llm: the most US dollars; 0 for no ceiling">,
  Option<"prices", "prices", "std::string", /*default=*/"",
         "llm: file of prices in the format of lib/LLM/prices.json; those "
         "built in if empty">,
  Option<"maxSeconds", "max-seconds", "double", /*default=*/"0",
         "llm: no call begins after so many seconds; 0 for no ceiling">,
  Option<"maxGpuSeconds", "max-gpu-seconds", "double", /*default=*/"0",
         "llm: nothing is asked after so many seconds of measuring; 0 for no "
         "ceiling">,

  // How it measures.
  Option<"measure", "measure", "std::string", /*default=*/"",
         "llm: command that gets an artifact's directory and prints its times "
         "on a GPU (egg/Core/Measurement.h); by prediction alone if empty">,
  Option<"measureSeconds", "measure-seconds", "double", /*default=*/"900",
         "llm: limit on the time that one measurement takes">,

  // How it searches.
  Option<"strategy", "strategy", "std::string", /*default=*/"\"greedy\"",
         "llm: which script is changed next: greedy, beam, best-of-n">,
  Option<"width", "width", "int64_t", /*default=*/"3",
         "llm: scripts that a beam keeps">,
  Option<"proposals", "proposals", "int64_t", /*default=*/"3",
         "llm: proposals a stage">,
  Option<"repairs", "repairs", "int64_t", /*default=*/"2",
         "llm: repairs of a refused proposal">,
  Option<"hotKernels", "hot-kernels", "int64_t", /*default=*/"1",
         "llm: kernels whose hardware stages are worked at">,
  ListOption<"stages", "stages", "std::string",
             "llm: stages to work at; all if none is named">,
  Option<"fromScratch", "from-scratch", "bool", /*default=*/"false",
         "llm: do not show the expert's script">,
  Option<"closeEnough", "close-enough", "double", /*default=*/"1.1",
         "llm: a stage ends at so many times its roofline">,

  // What the model is shown.
  Option<"promptsDir", "prompts-dir", "std::string", /*default=*/"",
         "llm: directory of prompts; those built in if empty">,
  Option<"history", "history", "bool", /*default=*/"true",
         "llm: show the attempts of the stage">,
  Option<"handOver", "hand-over", "bool", /*default=*/"true",
         "llm: show what former stages left">,
  Option<"historyTokens", "history-tokens", "int64_t", /*default=*/"1500",
         "llm: tokens that the history may take">,
  Option<"payloadTokens", "payload-tokens", "int64_t", /*default=*/"6000",
         "llm: tokens that the payload's text may take">,
  Option<"answerTokens", "answer-tokens", "int64_t", /*default=*/"8192",
         "llm: the most tokens of one answer">
];

#endif // EGG_SESSION_AGENTOPTIONS_TD
