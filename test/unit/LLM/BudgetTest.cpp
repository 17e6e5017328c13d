//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/Budget.h"
#include "Fakes.h"

using namespace egg;
using namespace egg::test;

static PriceTable makePrices() {
  return llvm::cantFail(PriceTable::parse(
      R"({"prices":[
        {"provider":"openai","model":"gpt-4o*","input_per_million":1000,
         "output_per_million":2000,"date":"2026-01-01","source":"a test"},
        {"provider":"openai","model":"gpt-4o-mini*","input_per_million":1,
         "output_per_million":2,"date":"2026-01-01","source":"a test"},
        {"provider":"openai","model":"short","input_per_million":1,
         "output_per_million":1,"up_to_input_tokens":2000,
         "date":"2026-01-01","source":"a test"}]})",
      "prices.json"));
}

/// The message of the refusal; "" if the call fits.
static std::string refusal(const Budget &budget, const ChatRequest &request,
                           llvm::StringRef model = "gpt-4o") {
  llvm::Error error = budget.check(request, "openai", model);
  if (!error)
    return "";
  ChatError::Facts facts = takeFacts(std::move(error));
  EXPECT_EQ(facts.kind, ChatErrorKind::OverBudget);
  EXPECT_EQ(facts.attempts, 0);
  EXPECT_FALSE(facts.remedy.empty());
  return facts.message;
}

TEST(BudgetTest, WithoutCeilingsAnythingFits) {
  Budget budget({});
  EXPECT_EQ(refusal(budget, makeRequest()), "");
}

TEST(BudgetTest, CallsTokensAndSecondsAreHeld) {
  FakeClock clock;
  PriceTable prices = makePrices();
  ChatRequest request = makeRequest();
  int64_t bound = inputTokenBound(request);

  Budget calls({.calls = 1}, prices, clock);
  EXPECT_EQ(refusal(calls, request), "");
  calls.book({1, 1}, "openai", "gpt-4o");
  EXPECT_EQ(refusal(calls, request), "the budget of 1 call is spent");

  Budget input({.inputTokens = bound}, prices, clock);
  EXPECT_EQ(refusal(input, request), "");
  input.book({1, 0}, "openai", "gpt-4o");
  EXPECT_TRUE(contains(refusal(input, request),
                       "input tokens does not hold this call: 1 are spent"));

  Budget output({.outputTokens = 100}, prices, clock);
  EXPECT_EQ(refusal(output, request), "");
  output.book({0, 1}, "openai", "gpt-4o");
  EXPECT_TRUE(
      contains(refusal(output, request), "1 are spent and it may take 100"));

  Budget seconds({.seconds = 5}, prices, clock);
  EXPECT_EQ(refusal(seconds, request), "");
  clock.now += 5;
  EXPECT_EQ(refusal(seconds, request), "the budget of 5.0 seconds is spent");
}

TEST(BudgetTest, WhatTheCallUsedAlreadyCounts) {
  Budget budget({.outputTokens = 150});
  ChatUsage lost{10, 100, false};
  EXPECT_FALSE(bool(budget.check(makeRequest(), "openai", "gpt-4o")));
  EXPECT_EQ(factsOf(budget.check(makeRequest(), "openai", "gpt-4o", lost)).kind,
            ChatErrorKind::OverBudget);
}

TEST(BudgetTest, MoneyIsHeldAtTheCallsWorst) {
  PriceTable prices = makePrices();
  ChatRequest request = makeRequest();
  double most = (inputTokenBound(request) * 1000 + 100 * 2000) / 1e6;
  Budget budget({.dollars = most}, prices);
  EXPECT_EQ(refusal(budget, request), "");
  budget.book({100, 50}, "openai", "gpt-4o");
  EXPECT_DOUBLE_EQ(*budget.dollars(), 0.2);
  EXPECT_TRUE(
      contains(refusal(budget, request), "0.200000 are spent and it may cost"));
  // The longer pattern is the more specific one.
  EXPECT_EQ(refusal(budget, request, "gpt-4o-mini"), "");
}

/// What a server claims to have used may be any number.
TEST(BudgetTest, SumsOfTokensDoNotOverflow) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  Budget budget({.inputTokens = 100000, .outputTokens = 100000});
  EXPECT_EQ(refusal(budget, makeRequest()), "");
  budget.book({kMost, kMost}, "openai", "gpt-4o");
  EXPECT_TRUE(contains(refusal(budget, makeRequest()), "does not hold"));
  budget.book({kMost, 1}, "openai", "gpt-4o");
  EXPECT_EQ(budget.usage().inputTokens, kMost);
  EXPECT_TRUE(contains(refusal(budget, makeRequest()), "does not hold"));
}

TEST(BudgetTest, UnknownPricesAreSaidNotGuessed) {
  PriceTable prices = makePrices();
  Budget budget({.dollars = 100}, prices);
  EXPECT_TRUE(contains(refusal(budget, makeRequest(), "new-model"),
                       "the price of model 'new-model' of provider 'openai' is "
                       "unknown"));
  EXPECT_TRUE(
      contains(refusal(budget, makeRequest(std::string(2000, 'x')), "short"),
               "is for at most 2000 input tokens"));
  Budget open({}, prices);
  EXPECT_EQ(refusal(open, makeRequest(), "new-model"), "");
  open.book({10, 10}, "openai", "new-model");
  EXPECT_FALSE(open.dollars());
  EXPECT_TRUE(contains(open.describe(), "price unknown"));
}

TEST(BudgetTest, RequestsAreCountedNotQuestions) {
  Budget budget({.calls = 3});
  budget.book({1, 1}, "openai", "gpt-4o", "gpt-4o", 2);
  EXPECT_EQ(budget.calls(), 2);
  EXPECT_EQ(refusal(budget, makeRequest()), "");
  // The first request of the call that is under way is the third.
  EXPECT_EQ(
      factsOf(budget.check(makeRequest(), "openai", "gpt-4o", {}, 1)).kind,
      ChatErrorKind::OverBudget);
  budget.book({}, "openai", "gpt-4o", "", std::numeric_limits<int64_t>::max());
  EXPECT_EQ(refusal(budget, makeRequest()), "the budget of 3 calls is spent");
}

TEST(BudgetTest, ThePriceIsThatOfTheModelThatAnswered) {
  PriceTable prices = makePrices();
  Budget dear({.dollars = 1}, prices);
  EXPECT_EQ(refusal(dear, makeRequest(), "gpt-4o-mini"), "");
  dear.book({100, 50}, "openai", "gpt-4o-mini", "gpt-4o");
  EXPECT_DOUBLE_EQ(*dear.dollars(), 0.2);
  // It may answer again: at its price the next call does not fit.
  EXPECT_TRUE(contains(refusal(dear, makeRequest(), "gpt-4o-mini"),
                       "does not hold this call"));

  Budget dated({.dollars = 100}, prices);
  dated.book({1000, 0}, "openai", "short", "short-2026-01-01");
  EXPECT_DOUBLE_EQ(*dated.dollars(), 0.001);

  Budget unknown({.dollars = 100}, prices);
  unknown.book({1, 1}, "openai", "gpt-4o-mini", "new-model");
  EXPECT_FALSE(unknown.dollars());
  EXPECT_TRUE(contains(refusal(unknown, makeRequest(), "gpt-4o-mini"),
                       "a call before this one was of unknown price"));
}

TEST(BudgetTest, BuiltinPricesAreReadable) {
  const Price *price = PriceTable::builtin().find("openai", "gpt-4o-mini");
  ASSERT_TRUE(price);
  EXPECT_EQ(price->date.size(), 10u);
  EXPECT_FALSE(PriceTable::builtin().find("openai", "no-such-model"));
  EXPECT_FALSE(PriceTable::builtin().find("vllm", "gpt-4o"));
}

TEST(BudgetTest, PriceFilesAreChecked) {
  auto why = [](llvm::StringRef text) {
    auto table = PriceTable::parse(text, "mine.json");
    return table ? "" : llvm::toString(table.takeError());
  };
  EXPECT_TRUE(contains(why("{"), "cannot read prices from 'mine.json'"));
  EXPECT_TRUE(contains(why(R"({"prices":[{"provider":"p"}]})"), "model"));
  EXPECT_TRUE(contains(
      why(R"({"prices":[{"provider":"p","model":"m","input_per_million":-1,
             "output_per_million":0,"date":"d","source":"s"}]})"),
      "a price is a number of at least 0"));
}

TEST(BudgetedClientTest, ChecksBeforeAndBooksAfter) {
  // The time-out is two requests.
  Budget budget({.calls = 4});
  ChatError::Facts missing = makeFacts(ChatErrorKind::MissingRecording);
  missing.attempts = 0;
  ScriptedClient::asked = 0;
  auto client = createBudgetedClient(
      std::make_unique<ScriptedClient>(std::deque<ScriptedClient::Step>{
          makeAnswer("two", 20, 4), makeFacts(ChatErrorKind::TimedOut), missing,
          makeAnswer("two", 20, 4)}),
      budget);
  EXPECT_EQ(llvm::cantFail(client->complete(makeRequest())).text, "two");
  EXPECT_EQ(budget.usage(), (ChatUsage{20, 4, true}));
  // What a failed call may have used is booked.
  EXPECT_EQ(factsOf(client->complete(makeRequest())).kind,
            ChatErrorKind::TimedOut);
  EXPECT_EQ(budget.usage(), (ChatUsage{27, 7, false}));
  EXPECT_TRUE(
      contains(budget.describe(),
               "3 calls, 27 input and 7 output tokens (an upper bound"));
  // Nothing was sent.
  EXPECT_EQ(factsOf(client->complete(makeRequest())).kind,
            ChatErrorKind::MissingRecording);
  EXPECT_EQ(budget.calls(), 3);
  EXPECT_EQ(llvm::cantFail(client->complete(makeRequest())).text, "two");
  EXPECT_EQ(factsOf(client->complete(makeRequest())).kind,
            ChatErrorKind::OverBudget);
  EXPECT_EQ(ScriptedClient::asked, 4);
}
