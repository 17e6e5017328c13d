//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace egg {

namespace {

cl::OptionCategory category("egg-chat");

template <typename T> using Option = cl::opt<T>;
using Text = cl::opt<std::string>;

#define EGG_OPTION(type, variable, name, description, ...)                     \
  type variable(name, cl::desc(description), cl::cat(category), __VA_ARGS__)

cl::opt<std::string> input(cl::Positional, cl::desc("[FILE | -]"),
                           cl::init("-"), cl::cat(category));
EGG_OPTION(Text, system, "system", "File with the system message",
           cl::value_desc("FILE"));
EGG_OPTION(Text, schema, "schema", "File with a JSON schema of the answer",
           cl::value_desc("FILE"));
EGG_OPTION(Text, schemaName, "schema-name", "Name of the schema",
           cl::init("answer"));
EGG_OPTION(Option<int64_t>, maxTokens, "max-tokens",
           "Most tokens of the answer (4096)", cl::init(4096));
EGG_OPTION(Option<double>, temperature, "temperature",
           "0 to 2 (the model's default)", cl::init(0));
EGG_OPTION(Option<int64_t>, seed, "seed", "Seed of the model (none)",
           cl::init(0));

EGG_OPTION(Text, provider, "provider",
           "openai, anthropic, vllm, llama.cpp, ollama or compatible",
           cl::value_desc("P"));
EGG_OPTION(Text, model, "model", "Name of the model", cl::value_desc("M"));
EGG_OPTION(Text, baseUrl, "base-url", "Where the server is, up to /v1",
           cl::value_desc("URL"));
EGG_OPTION(Text, keyFile, "key-file",
           "File with the key, mode 0600 (else the provider's variable)",
           cl::value_desc("FILE"));
EGG_OPTION(Option<bool>, stream, "stream", "Have the answer streamed",
           cl::init(false));
EGG_OPTION(Option<bool>, allowOtherModel, "allow-other-model",
           "Take an answer of another model, with a note", cl::init(false));
EGG_OPTION(Option<bool>, allowPlainHttpKey, "allow-plain-http-key",
           "Send the key over plain HTTP to another machine", cl::init(false));
EGG_OPTION(Option<double>, connectTimeout, "connect-timeout",
           "Seconds to connect (10)", cl::init(10));
EGG_OPTION(Option<double>, timeout, "timeout",
           "Seconds for a whole answer (600)", cl::init(600));
EGG_OPTION(Option<double>, stallTimeout, "stall-timeout",
           "Seconds without a byte of a stream (120)", cl::init(120));
EGG_OPTION(Option<int64_t>, attempts, "attempts",
           "Attempts where trying again may help (4)", cl::init(4));
EGG_OPTION(Option<double>, retryWait, "retry-wait",
           "Seconds before the second attempt, doubled each time (1)",
           cl::init(1));
EGG_OPTION(Option<double>, retryTotal, "retry-total",
           "Seconds that all waits may take (120)", cl::init(120));
EGG_OPTION(Option<uint64_t>, retrySeed, "retry-seed",
           "Seed of the waits' random part (0)", cl::init(0));

EGG_OPTION(Text, mailbox, "mailbox",
           "Ask by files in this directory, not a server",
           cl::value_desc("DIR"));
EGG_OPTION(Text, exec, "exec",
           "Ask this command: request on standard input, answer on output",
           cl::value_desc("CMD"));
cl::list<std::string>
    execVariables("exec-env", cl::desc("Variable that the command gets too"),
                  cl::value_desc("NAME"), cl::cat(category));

EGG_OPTION(Text, record, "record", "Record to a new cassette",
           cl::value_desc("FILE"));
EGG_OPTION(Text, replay, "replay", "Answer from a cassette alone",
           cl::value_desc("FILE"));
EGG_OPTION(Text, resume, "resume",
           "Answer from a cassette, ask and record what is not in it",
           cl::value_desc("FILE"));

EGG_OPTION(Option<int64_t>, budgetCalls, "budget-calls",
           "Most requests, repeated ones too", cl::init(0));
EGG_OPTION(Option<int64_t>, budgetInput, "budget-input-tokens",
           "Most input tokens", cl::init(0));
EGG_OPTION(Option<int64_t>, budgetOutput, "budget-output-tokens",
           "Most output tokens", cl::init(0));
EGG_OPTION(Option<double>, budgetDollars, "budget-dollars", "Most US dollars",
           cl::init(0));
EGG_OPTION(Option<double>, budgetSeconds, "budget-seconds", "Most seconds",
           cl::init(0));
EGG_OPTION(Text, prices, "prices",
           "Prices in the format of lib/LLM/prices.json, instead of those",
           cl::value_desc("FILE"));

EGG_OPTION(Option<bool>, probe, "probe", "Say what the endpoint supports",
           cl::init(false));
EGG_OPTION(Option<bool>, printJson, "json",
           "Print the answer with its finish, usage and notes as JSON",
           cl::init(false));
EGG_OPTION(Option<bool>, verbose, "verbose",
           "Say notes and usage on standard error", cl::init(false));

#undef EGG_OPTION

/// The option's value if it was given.
template <typename T> std::optional<T> given(const cl::opt<T> &option) {
  return option.getNumOccurrences() ? std::optional<T>(option) : std::nullopt;
}

} // namespace

ChatOptions parseOptions(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Asks a language model once and prints its answer.\n"
      "docs/Agents.md, \"Connecting a model\", has examples.\n");
  ChatOptions options;
  options.input = input;
  options.system = system;
  options.schema = schema;
  options.schemaName = schemaName;
  options.maxTokens = maxTokens;
  options.temperature = given(temperature);
  options.seed = given(seed);
  options.model.provider = provider;
  options.model.mailbox = mailbox;
  options.model.exec = exec;
  options.model.keyFile = keyFile;
  options.model.execVariables = execVariables;
  HttpClientOptions &http = options.model.http;
  http.model = model;
  http.baseUrl = baseUrl;
  http.stream = stream;
  http.connectSeconds = connectTimeout;
  http.totalSeconds = timeout;
  http.stallSeconds = stallTimeout;
  http.allowOtherModel = allowOtherModel;
  http.allowPlainHttpKey = allowPlainHttpKey;
  http.retry.maxAttempts = attempts;
  http.retry.initialSeconds = retryWait;
  http.retry.maxTotalSeconds = retryTotal;
  http.retry.seed = retrySeed;
  options.record = record;
  options.replay = replay;
  options.resume = resume;
  options.budget.calls = given(budgetCalls);
  options.budget.inputTokens = given(budgetInput);
  options.budget.outputTokens = given(budgetOutput);
  options.budget.dollars = given(budgetDollars);
  options.budget.seconds = given(budgetSeconds);
  options.prices = prices;
  options.probe = probe;
  options.json = printJson;
  options.verbose = verbose;
  return options;
}

} // namespace egg
