//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/HttpClient.h"
#include "BackOff.h"
#include "WireFormat.h"
#include "egg/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <variant>

using namespace llvm;

namespace egg {

namespace {

/// Statuses of servers that do not know a field of the request.
constexpr int kRefusals[] = {400, 415, 422, 501};

/// Why an attempt failed, and what to do about it.
struct Failure {
  ChatError::Facts facts;
  /// The same again may succeed, after so many seconds if the server says so.
  bool retry = false;
  std::optional<double> retryAfter;
  /// A weaker way to hold the answer to the schema may succeed.
  bool weaken = false;
};

class HttpClient : public ChatClient {
public:
  HttpClient(ProviderConfig provider, HttpClientOptions options, Secret key,
             HttpTransport &transport, Clock &clock)
      : config(std::move(provider)), options(std::move(options)),
        key(std::move(key)), transport(transport), clock(clock),
        random(this->options.retry.seed) {
    url = this->options.baseUrl + config.path;
  }

  StringRef provider() const override { return config.name; }
  StringRef model() const override { return options.model; }

private:
  using Outcome = std::variant<ChatAnswer, Failure>;

  Expected<ChatAnswer> ask(const ChatRequest &request) override;
  HttpRequest prepare(const ChatRequest &request) const;
  Outcome attempt(const ChatRequest &request);
  Failure explainFailure(Error error, const ChatUsage &most) const;
  Failure explainStatus(const HttpResponse &response) const;
  Outcome read(const HttpResponse &response, AnswerReader &reader,
               const ChatUsage &most) const;
  ChatAnswer redacted(ChatAnswer answer) const;
  ChatError::Facts redacted(ChatError::Facts facts) const;

  const StructuredMode *mode() const {
    return weakness < config.structured.size() ? &config.structured[weakness]
                                               : nullptr;
  }

  ProviderConfig config;
  HttpClientOptions options;
  Secret key;
  HttpTransport &transport;
  Clock &clock;
  Random random;
  std::string url;
  /// Which structured mode is used; as many as there are: none.
  size_t weakness = 0;
};

HttpRequest HttpClient::prepare(const ChatRequest &request) const {
  HttpRequest http;
  http.url = url;
  http.headers = config.headers;
  http.headers["Content-Type"] = "application/json";
  http.headers["Accept"] =
      options.stream ? "text/event-stream" : "application/json";
  const StructuredMode *structured = request.schema.empty() ? nullptr : mode();
  http.body = canonicalJSON(
      writeRequest(config, options.model, request, structured, options.stream));
  http.secretHeader = config.keyHeader;
  http.secretPrefix = config.keyPrefix;
  http.secret = &key;
  http.connectSeconds = options.connectSeconds;
  http.totalSeconds = options.totalSeconds;
  if (options.budget)
    if (auto left = options.budget->secondsLeft())
      http.totalSeconds = std::clamp(*left, 0.001, http.totalSeconds);
  // Without a stream nothing comes before all is there.
  if (options.stream)
    http.stallSeconds = options.stallSeconds;
  return http;
}

Failure HttpClient::explainFailure(Error error, const ChatUsage &most) const {
  Failure failure;
  ChatError::Facts &facts = failure.facts;
  // What was sent may have been answered, and billed, unseen.
  facts.usage = most;
  HttpFailure::Kind kind = HttpFailure::Kind::Lost;
  std::string reason;
  handleAllErrors(
      std::move(error),
      [&](const HttpFailure &http) {
        kind = http.kind();
        reason = http.message();
      },
      [&](const ErrorInfoBase &other) { reason = other.message(); });
  switch (kind) {
  case HttpFailure::Kind::NoConnection:
    facts.kind = ChatErrorKind::Unreachable;
    facts.message = "cannot connect to '" + url + "': " + reason;
    facts.remedy = "see that the server runs, and the proxy variables";
    facts.usage = {};
    failure.retry = true;
    break;
  case HttpFailure::Kind::Unusable:
    facts.kind = ChatErrorKind::Unreachable;
    facts.message = "cannot use '" + url + "': " + reason;
    facts.remedy = "see its certificate, and SSL_CERT_FILE";
    facts.usage = {};
    break;
  case HttpFailure::Kind::Lost:
    facts.kind = ChatErrorKind::Unreachable;
    facts.message = "the connection to '" + url + "' was lost: " + reason;
    facts.remedy = "ask again later";
    failure.retry = true;
    break;
  case HttpFailure::Kind::TimedOut:
    facts.kind = ChatErrorKind::TimedOut;
    facts.message = "no answer from '" + url + "': " + reason;
    facts.remedy = "allow more time, or ask for less";
    failure.retry = true;
    break;
  case HttpFailure::Kind::TooLarge:
    facts.kind = ChatErrorKind::BadAnswer;
    facts.message = "the answer of '" + url + "' is refused: " + reason;
    facts.remedy = "ask for less";
    break;
  case HttpFailure::Kind::NotHttp:
    facts.kind = ChatErrorKind::Protocol;
    facts.message = "'" + url + "' is not spoken to by HTTP: " + reason;
    facts.remedy = "see the base URL";
    facts.usage = {};
    break;
  }
  return failure;
}

Failure HttpClient::explainStatus(const HttpResponse &response) const {
  Failure failure;
  ChatError::Facts &facts = failure.facts;
  int status = response.status;
  auto header = [&](StringRef name) {
    auto found = response.headers.find(name.str());
    return found == response.headers.end() ? std::string() : found->second;
  };
  facts.message = formatv("'{0}' answered {1}: {2}", url, status,
                          describeErrorBody(config, response.body))
                      .str();
  if (status >= 300 && status < 400) {
    facts.message = formatv("'{0}' answered {1}, a redirect to '{2}'", url,
                            status, showText(header("location")))
                        .str();
    facts.remedy = "redirects are not followed: give the base URL itself";
  } else if (status == 401 || status == 403) {
    facts.kind = ChatErrorKind::Unauthorized;
    facts.remedy = "see that the key in " + config.keyVariable +
                   " or the key file is valid and may use model '" +
                   options.model + "'";
  } else if (status == 404) {
    facts.remedy = "see that the base URL ends before '" + config.path +
                   "' and that there is a model '" + options.model + "'";
  } else if (status == 429) {
    facts.kind = ChatErrorKind::RateLimited;
    failure.retry = !isFatalError(config, response.body);
    facts.remedy = failure.retry ? "ask less often" : "add credit";
  } else if (status == 408) {
    facts.kind = ChatErrorKind::TimedOut;
    facts.remedy = "ask again later";
    failure.retry = true;
  } else if (status >= 500 && status != 501) {
    facts.kind = ChatErrorKind::ServerFault;
    facts.remedy = "ask again later, or see the server's log";
    failure.retry = true;
  } else {
    facts.remedy = "change the request: the model, its number of tokens, or "
                   "options that it does not take";
    failure.weaken = is_contained(kRefusals, status);
  }
  failure.retryAfter =
      parseRetryAfter(header("retry-after"), clock.unixSeconds());
  return failure;
}

HttpClient::Outcome HttpClient::read(const HttpResponse &response,
                                     AnswerReader &reader,
                                     const ChatUsage &most) const {
  auto found = response.headers.find("content-type");
  StringRef type = found == response.headers.end() ? "no content type"
                                                   : StringRef(found->second);
  auto fail = [&](Error error) {
    Failure failure;
    failure.facts = takeFacts(std::move(error));
    failure.facts.message = "'" + url + "': " + failure.facts.message;
    failure.facts.usage = most;
    failure.retry = isTransient(failure.facts.kind);
    return failure;
  };
  if (Error error = options.stream ? reader.finishStream(type)
                                   : reader.takeBody(response.body, type))
    return fail(std::move(error));
  Expected<ChatAnswer> answer = reader.answer(options.allowOtherModel);
  if (!answer)
    return fail(answer.takeError());
  return std::move(*answer);
}

HttpClient::Outcome HttpClient::attempt(const ChatRequest &request) {
  AnswerReader reader(config, request, options.model);
  auto onPiece = [&](StringRef piece) { return reader.takePiece(piece); };
  HttpTransport::OnPiece pieces =
      options.stream ? HttpTransport::OnPiece(onPiece) : nullptr;
  Expected<HttpResponse> response = transport.post(prepare(request), pieces);
  ChatUsage most{inputTokenBound(request), request.maxOutputTokens,
                 /*known=*/false};
  if (!response)
    return explainFailure(response.takeError(), most);
  if (response->status != 200)
    return explainStatus(*response);
  return read(*response, reader, most);
}

ChatAnswer HttpClient::redacted(ChatAnswer answer) const {
  answer.text = key.redact(answer.text);
  answer.model = key.redact(answer.model);
  for (std::string &note : answer.notes)
    note = escapeUnseen(key.redact(note));
  return answer;
}

ChatError::Facts HttpClient::redacted(ChatError::Facts facts) const {
  facts.message = key.redact(facts.message);
  facts.remedy = key.redact(facts.remedy);
  facts.answerText = key.redact(facts.answerText);
  facts.model = key.redact(facts.model);
  return facts;
}

Expected<ChatAnswer> HttpClient::ask(const ChatRequest &request) {
  BackOff backOff(options.retry, random);
  ChatUsage lost;
  std::vector<std::string> notes;
  size_t before = weakness;
  for (int64_t attempts = 1;; ++attempts) {
    Outcome outcome = attempt(request);
    if (auto *answer = std::get_if<ChatAnswer>(&outcome)) {
      if (lost != ChatUsage())
        notes.push_back("an upper bound of what failed attempts used is "
                        "counted");
      answer->usage += lost;
      answer->attempts = attempts;
      answer->notes.insert(answer->notes.begin(), notes.begin(), notes.end());
      return redacted(std::move(*answer));
    }
    Failure &failure = std::get<Failure>(outcome);
    lost += failure.facts.usage;
    auto giveUp = [&](ChatError::Facts facts) {
      facts.attempts = attempts;
      facts.usage = lost;
      // The request was at fault, not the way it was asked.
      weakness = before;
      return makeChatError(redacted(std::move(facts)));
    };
    bool weaken = failure.weaken && !request.schema.empty() && mode();
    std::string whyNot;
    std::optional<double> pause;
    if (failure.retry)
      pause = backOff.next(failure.retryAfter, whyNot);
    if (!weaken && !pause) {
      if (!whyNot.empty())
        failure.facts.message += ", and " + whyNot;
      return giveUp(std::move(failure.facts));
    }
    if (options.budget)
      if (Error error = options.budget->check(request, provider(), model(),
                                              lost, attempts)) {
        ChatError::Facts facts = takeFacts(std::move(error));
        facts.message += " (after " + failure.facts.message + ")";
        return giveUp(std::move(facts));
      }
    if (weaken) {
      notes.push_back("the server refused " + mode()->name + " (" +
                      failure.facts.message + ")");
      ++weakness;
      continue;
    }
    notes.push_back("attempt " + std::to_string(attempts) +
                    " failed: " + failure.facts.message);
    clock.sleep(*pause);
  }
}

/// Why a text is no base URL; empty if it is one.
StringRef whyNoBaseUrl(StringRef url) {
  StringRef rest = url;
  if (!rest.consume_front("https://") && !rest.consume_front("http://"))
    return "it does not begin with http:// or https://";
  StringRef host = rest.take_until([](char c) { return c == '/'; });
  if (host.empty() || host.starts_with(":"))
    return "it names no host";
  if (host.contains('@'))
    return "a name or a key in it would end up in records";
  if (any_of(rest, [](char c) {
        return c <= ' ' || c >= 0x7f || StringRef("?#\\\"'<>").contains(c);
      }))
    return "it has characters beyond a host and a path";
  return "";
}

bool isThisMachine(StringRef url) {
  StringRef host =
      url.split("://").second.take_until([](char c) { return c == '/'; });
  return host == "[::1]" || host.starts_with("[::1]:") ||
         host.split(':').first == "localhost" ||
         (host.starts_with("127.") && all_of(host.split(':').first, [](char c) {
            return isDigit(c) || c == '.';
          }));
}

} // namespace

Expected<std::unique_ptr<ChatClient>>
createHttpClient(ProviderConfig provider, HttpClientOptions options, Secret key,
                 HttpTransport &transport, Clock &clock) {
  auto fail = [&](const Twine &what) {
    return createStringError(inconvertibleErrorCode(),
                             "provider '" + provider.name + "': " + what);
  };
  if (options.model.empty())
    return fail("no model is named; name one");
  if (options.baseUrl.empty())
    options.baseUrl = provider.baseUrl;
  while (StringRef(options.baseUrl).ends_with("/"))
    options.baseUrl.pop_back();
  if (options.baseUrl.empty())
    return fail("no base URL is given; give one such as "
                "http://127.0.0.1:8000/v1");
  if (StringRef why = whyNoBaseUrl(options.baseUrl); !why.empty())
    return fail("the base URL is none: " + why +
                "; give one such as http://127.0.0.1:8000/v1");
  if (key.empty() && provider.keyRequired)
    return fail("there is no key; put it into the environment variable " +
                provider.keyVariable + " or into a key file");
  if (!key.empty() && StringRef(options.baseUrl).starts_with("http://") &&
      !isThisMachine(options.baseUrl) && !options.allowPlainHttpKey)
    return fail("the key would go to '" + options.baseUrl +
                "' in plain text; use https, or allow it");
  return std::make_unique<HttpClient>(std::move(provider), std::move(options),
                                      std::move(key), transport, clock);
}

} // namespace egg
