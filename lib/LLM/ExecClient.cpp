//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/ExecClient.h"
#include "egg/LLM/ApiKey.h"
#include "egg/Support/Subprocess.h"

using namespace llvm;

namespace egg {

/// The end of what a command complained of, on one line.
static std::string lastWords(StringRef text) {
  std::string words = json::fixUTF8(text.trim().take_back(300));
  for (char &c : words)
    if (static_cast<unsigned char>(c) < 0x20)
      c = ' ';
  return words;
}

namespace {
class ExecClient : public ChatClient {
public:
  ExecClient(ExecOptions options, std::vector<std::string> environment)
      : options(std::move(options)), environment(std::move(environment)) {}

  StringRef provider() const override { return "exec"; }
  StringRef model() const override { return options.model; }

private:
  Expected<ChatAnswer> ask(const ChatRequest &request) override {
    json::Value document = toJSONValue(request);
    (*document.getAsObject())["prompt"] = renderRequest(request);
    ProcessRequest process;
    process.program = "/bin/sh";
    process.arguments = {"-c", options.command};
    process.input = canonicalJSON(document) + "\n";
    process.environment = environment;
    process.limits.wallSeconds = options.timeoutSeconds;
    process.limits.outputBytes = kMaxAnswerBytes;
    ChatUsage bound{inputTokenBound(request), request.maxOutputTokens,
                    /*known=*/false};
    Expected<ProcessResult> result = runProcess(process);
    if (!result)
      return makeChatError(ChatErrorKind::Unreachable,
                           "the command that answers cannot be started: " +
                               toString(result.takeError()),
                           "see that /bin/sh is there");
    if (!result->succeeded())
      return makeChatError(explain(*result, bound));
    ChatAnswer answer;
    answer.text = StringRef(result->standardOutput).rtrim("\n").str();
    answer.model = options.model;
    answer.usage = bound;
    return answer;
  }

  ChatError::Facts explain(const ProcessResult &result,
                           const ChatUsage &bound) const {
    ChatError::Facts facts;
    facts.attempts = 1;
    facts.usage = bound;
    facts.message = "the command that answers " + result.describeEnd();
    facts.remedy = "run '" + options.command +
                   "' by hand: it gets the request's JSON on standard input";
    switch (result.end) {
    case ProcessResult::End::TimedOut:
      facts.kind = ChatErrorKind::TimedOut;
      break;
    case ProcessResult::End::TooMuchOutput:
      facts.kind = ChatErrorKind::BadAnswer;
      facts.message += ": the limit is " + std::to_string(kMaxAnswerBytes) +
                       " bytes on each stream";
      break;
    default:
      facts.kind = ChatErrorKind::ServerFault;
      if (std::string words = lastWords(result.standardError); !words.empty())
        facts.message += ": " + words;
    }
    return facts;
  }

  ExecOptions options;
  std::vector<std::string> environment;
};
} // namespace

Expected<std::unique_ptr<ChatClient>> createExecClient(ExecOptions options) {
  auto environment = childEnvironment(options.variables);
  if (!environment)
    return environment.takeError();
  return std::make_unique<ExecClient>(std::move(options),
                                      std::move(*environment));
}

} // namespace egg
