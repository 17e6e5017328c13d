//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The client of servers, with a transport and a clock that are scripts; the
// real ones are in test/python/llm.
//
//===----------------------------------------------------------------------===//
#include "egg/LLM/HttpClient.h"
#include "Fakes.h"

using namespace egg;
using namespace egg::test;
using Kind = HttpFailure::Kind;

namespace {

struct FakeTransport : HttpTransport {
  using Step = std::variant<HttpResponse, Kind>;

  llvm::Expected<HttpResponse> post(const HttpRequest &request,
                                    OnPiece onPiece) override {
    requests.push_back(request);
    if (request.secret)
      keys.push_back(request.secret->reveal().str());
    Step step = steps.size() > 1 ? steps.front() : steps.at(0);
    if (steps.size() > 1)
      steps.pop_front();
    if (onPost)
      onPost();
    if (auto *kind = std::get_if<Kind>(&step))
      return llvm::make_error<HttpFailure>(*kind, "by script");
    HttpResponse response = std::get<HttpResponse>(step);
    if (onPiece && response.status == 200) {
      // A byte at a time.
      for (size_t i = 0; i < response.body.size(); ++i)
        if (!onPiece(llvm::StringRef(response.body).substr(i, 1)))
          break;
      response.body.clear();
    }
    return response;
  }

  std::deque<Step> steps;
  std::vector<HttpRequest> requests;
  std::vector<std::string> keys;
  std::function<void()> onPost;
};

HttpResponse ok(llvm::StringRef text = "yes") {
  return {200,
          {{"content-type", "application/json"}},
          R"({"model":"m","choices":[{"finish_reason":"stop","message":{)"
          R"("content":")" +
              text.str() +
              R"("}}],"usage":{"prompt_tokens":11,"completion_tokens":3}})"};
}

HttpResponse status(int code, std::string retryAfter = "") {
  HttpResponse response{code, {}, R"({"error":{"message":"no"}})"};
  if (!retryAfter.empty())
    response.headers["retry-after"] = retryAfter;
  return response;
}

class HttpClientTest : public ::testing::Test {
protected:
  HttpClientTest() {
    options.model = "m";
    options.baseUrl = "http://127.0.0.1:1/v1/";
  }
  std::unique_ptr<ChatClient> client(std::deque<FakeTransport::Step> steps,
                                     llvm::StringRef provider = "vllm") {
    transport.steps = std::move(steps);
    return llvm::cantFail(
        createHttpClient(llvm::cantFail(findProvider(provider)), options,
                         Secret("sk-planted"), transport, clock));
  }
  FakeTransport transport;
  FakeClock clock;
  HttpClientOptions options;
};

TEST_F(HttpClientTest, WaitsGrowWithJitterFromTheSeed) {
  auto waits = [&](uint64_t seed) {
    clock.sleeps.clear();
    options.retry.seed = seed;
    options.retry.maxAttempts = 6;
    auto asked = client({status(500)});
    ChatError::Facts facts = factsOf(asked->complete(makeRequest()));
    EXPECT_EQ(facts.kind, ChatErrorKind::ServerFault);
    EXPECT_EQ(facts.attempts, 6);
    return clock.sleeps;
  };
  std::vector<double> first = waits(1);
  ASSERT_EQ(first.size(), 5u);
  for (int i = 0; i < 5; ++i) {
    EXPECT_GE(first[i], 0.5 * (1 << i));
    EXPECT_LE(first[i], 1.0 * (1 << i));
  }
  EXPECT_EQ(waits(1), first);
  EXPECT_NE(waits(2), first);
}

TEST_F(HttpClientTest, RetryAfterIsObeyedWithinTheTotal) {
  auto asked = client({status(429, "7"),
                       // FakeClock's date, and 20 seconds on.
                       status(503, "Tue, 14 Nov 2023 22:15:27 GMT"), ok()});
  EXPECT_EQ(llvm::cantFail(asked->complete(makeRequest())).text, "yes");
  ASSERT_EQ(clock.sleeps.size(), 2u);
  EXPECT_EQ(clock.sleeps[0], 7);
  // The clock was at 22:13:20 + 100 s, and 7 s have passed.
  EXPECT_EQ(clock.sleeps[1], 20);

  clock.sleeps.clear();
  ChatError::Facts facts =
      factsOf(client({status(429, "100")})->complete(makeRequest()));
  EXPECT_EQ(facts.kind, ChatErrorKind::RateLimited);
  EXPECT_EQ(facts.attempts, 2);
  EXPECT_EQ(clock.sleeps, std::vector<double>{100});
  EXPECT_TRUE(contains(facts.message, "all waits may take 120 s"));
}

TEST_F(HttpClientTest, KindsAndCostsOfFailures) {
  struct Case {
    FakeTransport::Step step;
    ChatErrorKind kind;
    int attempts;
    bool mayCost;
  } cases[] = {
      {Kind::NoConnection, ChatErrorKind::Unreachable, 4, false},
      {Kind::Lost, ChatErrorKind::Unreachable, 4, true},
      {Kind::TimedOut, ChatErrorKind::TimedOut, 4, true},
      {Kind::Unusable, ChatErrorKind::Unreachable, 1, false},
      {Kind::TooLarge, ChatErrorKind::BadAnswer, 1, true},
      {Kind::NotHttp, ChatErrorKind::Protocol, 1, false},
      {status(301), ChatErrorKind::Protocol, 1, false},
      {status(400), ChatErrorKind::Protocol, 1, false},
      {status(401), ChatErrorKind::Unauthorized, 1, false},
      {status(403), ChatErrorKind::Unauthorized, 1, false},
      {status(404), ChatErrorKind::Protocol, 1, false},
      {status(408), ChatErrorKind::TimedOut, 4, false},
      {status(429), ChatErrorKind::RateLimited, 4, false},
      {status(500), ChatErrorKind::ServerFault, 4, false},
      {status(501), ChatErrorKind::Protocol, 1, false},
      {status(529), ChatErrorKind::ServerFault, 4, false},
      {HttpResponse{200, {}, "{"}, ChatErrorKind::Protocol, 1, true},
      {HttpResponse{200, {}, ""}, ChatErrorKind::Protocol, 1, true},
  };
  for (const Case &each : cases) {
    transport.requests.clear();
    ChatRequest request = makeRequest();
    ChatError::Facts facts = factsOf(client({each.step})->complete(request));
    EXPECT_EQ(facts.kind, each.kind) << facts.message;
    EXPECT_EQ(facts.attempts, each.attempts) << facts.message;
    EXPECT_EQ(transport.requests.size(), size_t(each.attempts));
    EXPECT_FALSE(facts.remedy.empty()) << facts.message;
    EXPECT_EQ(facts.usage.outputTokens,
              each.mayCost ? each.attempts * request.maxOutputTokens : 0)
        << facts.message;
    EXPECT_EQ(facts.usage.known, !each.mayCost) << facts.message;
  }
}

TEST_F(HttpClientTest, TheModeThatWorkedIsKept) {
  ChatRequest request = makeRequest();
  request.schemaName = "number";
  request.schema = R"({"type":"integer"})";
  auto asked = client({status(400), ok("1"), ok("2")});
  EXPECT_EQ(llvm::cantFail(asked->complete(request)).text, "1");
  EXPECT_EQ(llvm::cantFail(asked->complete(request)).text, "2");
  ASSERT_EQ(transport.requests.size(), 3u);
  EXPECT_TRUE(contains(transport.requests[0].body, "json_schema"));
  for (int i : {1, 2}) {
    EXPECT_TRUE(contains(transport.requests[i].body, "json_object"));
    EXPECT_FALSE(
        llvm::StringRef(transport.requests[i].body).contains("json_schema"));
  }
  EXPECT_TRUE(clock.sleeps.empty());
}

TEST_F(HttpClientTest, ARequestThatIsWrongInEveryWayChangesNothing) {
  ChatRequest request = makeRequest();
  request.schemaName = "number";
  request.schema = R"({"type":"integer"})";
  auto asked = client({status(400), status(400), status(400), ok("1")});
  EXPECT_EQ(factsOf(asked->complete(request)).attempts, 3);
  EXPECT_EQ(llvm::cantFail(asked->complete(request)).text, "1");
  EXPECT_TRUE(contains(transport.requests[3].body, "json_schema"));
}

TEST_F(HttpClientTest, BudgetHoldsForFurtherAttempts) {
  Budget budget({.outputTokens = 250}, PriceTable::builtin(), clock);
  options.budget = &budget;
  auto asked = createBudgetedClient(client({Kind::Lost}), budget);
  // Each attempt may have cost 100.
  ChatError::Facts facts = factsOf(asked->complete(makeRequest()));
  EXPECT_EQ(facts.kind, ChatErrorKind::OverBudget);
  EXPECT_EQ(facts.attempts, 2);
  EXPECT_EQ(budget.usage().outputTokens, 200);
  EXPECT_EQ(budget.calls(), 2);
  EXPECT_TRUE(contains(facts.message, "was lost"));
}

/// Whether it is tried again or asked for in a weaker format.
TEST_F(HttpClientTest, EveryRequestIsACall) {
  ChatRequest request = makeRequest();
  request.schemaName = "number";
  request.schema = R"({"type":"integer"})";
  for (const FakeTransport::Step &step :
       {FakeTransport::Step(status(503)), FakeTransport::Step(status(400))}) {
    Budget one({.calls = 1}, PriceTable::builtin(), clock);
    options.budget = &one;
    transport.requests.clear();
    auto asked = createBudgetedClient(client({step, ok("1")}), one);
    ChatError::Facts facts = factsOf(asked->complete(request));
    EXPECT_EQ(facts.kind, ChatErrorKind::OverBudget);
    EXPECT_TRUE(contains(facts.message, "the budget of 1 call is spent"));
    EXPECT_EQ(transport.requests.size(), 1u);

    Budget two({.calls = 2}, PriceTable::builtin(), clock);
    options.budget = &two;
    asked = createBudgetedClient(client({step, ok("1")}), two);
    EXPECT_EQ(llvm::cantFail(asked->complete(request)).attempts, 2);
    EXPECT_EQ(two.calls(), 2);
  }
}

TEST_F(HttpClientTest, TimeLeftLimitsEachAttempt) {
  Budget budget({.seconds = 30}, PriceTable::builtin(), clock);
  options.budget = &budget;
  transport.onPost = [&] { clock.now += 12; };
  auto asked = client({Kind::TimedOut});
  EXPECT_EQ(factsOf(asked->complete(makeRequest())).kind,
            ChatErrorKind::OverBudget);
  ASSERT_GE(transport.requests.size(), 2u);
  EXPECT_EQ(transport.requests[0].totalSeconds, 30);
  EXPECT_LT(transport.requests[1].totalSeconds, 18);
}

TEST_F(HttpClientTest, StreamsArePutTogether) {
  options.stream = true;
  std::string text = "\xef\xbb\xbf: hello\r\n\r\n"
                     "event: x\rdata: {\"model\":\"m\",\"choices\":[{\"delta\":"
                     "{\"content\":\"ye\"}}]}\r\r"
                     "data:{\"choices\":[{\"delta\":\ndata: {\"content\":"
                     "\"s\"},\"finish_reason\":\"stop\"}]}\n\n"
                     "data: [DONE]\n\ndata: {never read";
  ChatAnswer answer = llvm::cantFail(
      client({HttpResponse{200, {}, text}})->complete(makeRequest()));
  EXPECT_EQ(answer.text, "yes");
  EXPECT_FALSE(answer.usage.known);
  EXPECT_EQ(*transport.requests[0].stallSeconds, options.stallSeconds);
  EXPECT_TRUE(contains(transport.requests[0].body, "\"stream\":true"));
}

TEST_F(HttpClientTest, TheKeyIsWhereItBelongsAndNowhereElse) {
  auto asked = client({ok("sk-planted")});
  ChatAnswer answer = llvm::cantFail(asked->complete(makeRequest()));
  EXPECT_EQ(answer.text, "(secret)");
  EXPECT_EQ(transport.keys, std::vector<std::string>{"sk-planted"});
  const HttpRequest &request = transport.requests[0];
  EXPECT_EQ(request.secretHeader, "Authorization");
  EXPECT_EQ(request.secretPrefix, "Bearer ");
  EXPECT_EQ(request.url, "http://127.0.0.1:1/v1/chat/completions");
  EXPECT_FALSE(llvm::StringRef(request.body).contains("sk-planted"));
  for (const auto &[name, value] : request.headers)
    EXPECT_FALSE(llvm::StringRef(value).contains("sk-planted")) << name;
}

TEST_F(HttpClientTest, KeysDoNotGoInPlainTextElsewhere) {
  auto refusal = [&](std::string url) {
    options.baseUrl = std::move(url);
    auto created = createHttpClient(llvm::cantFail(findProvider("vllm")),
                                    options, Secret("k"), transport, clock);
    return created ? "" : llvm::toString(created.takeError());
  };
  for (const char *fine :
       {"https://model.example", "http://localhost:1", "http://127.0.0.1/v1",
        "http://[::1]:8000/v1", "http://127.1.2.3"})
    EXPECT_EQ(refusal(fine), "") << fine;
  for (const char *bad : {"http://model.example", "http://127.evil.example",
                          "http://localhost.example", "http://10.0.0.1:8000"})
    EXPECT_TRUE(contains(refusal(bad), "in plain text")) << bad;
  options.allowPlainHttpKey = true;
  EXPECT_EQ(refusal("http://model.example"), "");
}

} // namespace
