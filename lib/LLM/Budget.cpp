//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/Budget.h"
#include "egg/LLM/Provider.h"
#include "egg/Support/Text.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace egg {

Budget::Budget(BudgetLimits limits, const PriceTable &prices, Clock &clock)
    : ceilings(limits), prices(&prices), clock(&clock), start(clock.seconds()) {
}

double Budget::secondsSpent() const { return clock->seconds() - start; }

std::optional<double> Budget::secondsLeft() const {
  if (!ceilings.seconds)
    return std::nullopt;
  return *ceilings.seconds - secondsSpent();
}

std::optional<double> Budget::dollars() const {
  return allPriced ? std::optional(spentDollars) : std::nullopt;
}

static Error overBudget(const Twine &what, const Twine &remedy) {
  return makeChatError(ChatErrorKind::OverBudget, what, remedy);
}

static Error checkTokens(StringRef kind, std::optional<int64_t> ceiling,
                         int64_t spent, int64_t atMost) {
  int64_t sum;
  if (!ceiling || (!llvm::AddOverflow(spent, atMost, sum) && sum <= *ceiling))
    return Error::success();
  return overBudget("the budget of " + Twine(*ceiling) + " " + kind +
                        " tokens does not hold this call: " + Twine(spent) +
                        " are spent and it may take " + Twine(atMost),
                    "raise the ceiling on " + kind + " tokens");
}

Error Budget::checkPrice(StringRef provider, StringRef model) const {
  if (!ceilings.dollars || prices->find(provider, model))
    return Error::success();
  return overBudget(
      ("the ceiling on money cannot be held: the price of model '" + model +
       "' of provider '" + provider + "' is unknown")
          .str(),
      "give a price file that has it, or use ceilings on tokens instead");
}

Error Budget::check(const ChatRequest &request, StringRef provider,
                    StringRef model, const ChatUsage &pending,
                    int64_t pendingCalls) const {
  int64_t calls;
  if (ceilings.calls && (llvm::AddOverflow(spentCalls, pendingCalls, calls) ||
                         calls >= *ceilings.calls))
    return overBudget("the budget of " +
                          countOf(*ceilings.calls, "call", "calls") +
                          " is spent",
                      "raise the ceiling on calls");
  if (auto left = secondsLeft(); left && *left <= 0)
    return overBudget(
        formatv("the budget of {0:f1} seconds is spent", *ceilings.seconds)
            .str(),
        "raise the ceiling on seconds");
  ChatUsage most{inputTokenBound(request), request.maxOutputTokens};
  ChatUsage spent = spentTokens;
  spent += pending;
  if (Error error = checkTokens("input", ceilings.inputTokens,
                                spent.inputTokens, most.inputTokens))
    return error;
  if (Error error = checkTokens("output", ceilings.outputTokens,
                                spent.outputTokens, most.outputTokens))
    return error;
  if (!ceilings.dollars)
    return Error::success();
  if (!allPriced)
    return overBudget("the ceiling on money cannot be held: a call before this "
                      "one was of unknown price",
                      "use models whose price is known, or no such ceiling");
  if (Error error = checkPrice(provider, model))
    return error;
  const Price *price = prices->find(provider, model);
  if (price->upToInputTokens && most.inputTokens > *price->upToInputTokens)
    return overBudget(
        "the ceiling on money cannot be held: the known price of "
        "model '" +
            model + "' is for at most " + Twine(*price->upToInputTokens) +
            " input tokens, this call may have " + Twine(most.inputTokens),
        "shorten the request, or give a price file that has it");
  ChatUsage withPending = most;
  withPending += pending;
  double atMost = price->of(withPending);
  for (const Price *other : others)
    atMost = std::max(atMost, other->of(withPending));
  if (spentDollars + atMost > *ceilings.dollars)
    return overBudget(
        formatv(
            "the budget of {0:f6} dollars does not hold this call: {1:f6} are "
            "spent and it may cost {2:f6}",
            *ceilings.dollars, spentDollars, atMost)
            .str(),
        "raise the ceiling on money, or allow fewer output tokens");
  return Error::success();
}

/// Whether the price of the model asked is that of the name in the answer.
static bool isSameModel(StringRef provider, StringRef model,
                        StringRef answeredBy) {
  if (answeredBy.empty() || answeredBy == model)
    return true;
  for (const ProviderConfig &known : builtinProviders())
    if (known.name == provider)
      // Servers of one's own name a file, or an alias.
      return !known.modelMustMatch || known.isNameOf(model, answeredBy);
  return false;
}

void Budget::book(const ChatUsage &usage, StringRef provider, StringRef model,
                  StringRef answeredBy, int64_t requests) {
  if (llvm::AddOverflow(spentCalls, requests, spentCalls))
    spentCalls = std::numeric_limits<int64_t>::max();
  spentTokens += usage;
  const Price *asked = prices->find(provider, model), *price = asked;
  if (!answeredBy.empty())
    price = prices->find(provider, answeredBy);
  if (!price && isSameModel(provider, model, answeredBy))
    price = asked;
  if (price && price != asked && !is_contained(others, price))
    others.push_back(price);
  if (price)
    spentDollars += price->of(usage);
  else if (usage.inputTokens || usage.outputTokens)
    allPriced = false;
}

std::string Budget::describe() const {
  std::string text = countOf(spentCalls, "call", "calls") + ", " +
                     std::to_string(spentTokens.inputTokens) + " input and " +
                     std::to_string(spentTokens.outputTokens) +
                     " output tokens";
  if (!spentTokens.known)
    text += " (an upper bound: the provider did not say)";
  return text + (allPriced ? formatv(", {0:f6} dollars", spentDollars).str()
                           : std::string(", price unknown"));
}

namespace {
class BudgetedClient : public ChatClient {
public:
  BudgetedClient(std::unique_ptr<ChatClient> inner, Budget &budget)
      : inner(std::move(inner)), budget(budget) {}

  StringRef provider() const override { return inner->provider(); }
  StringRef model() const override { return inner->model(); }
  void passOver(const ChatRequest &request) override {
    inner->passOver(request);
  }

private:
  Expected<ChatAnswer> ask(const ChatRequest &request) override {
    if (Error error = budget.check(request, provider(), model()))
      return std::move(error);
    Expected<ChatAnswer> answer = inner->complete(request);
    if (answer) {
      budget.book(answer->usage, provider(), model(), answer->model,
                  answer->attempts);
      return answer;
    }
    ChatError::Facts facts = takeFacts(answer.takeError());
    // What was never sent costs nothing.
    if (facts.attempts)
      budget.book(facts.usage, provider(), model(), facts.model,
                  facts.attempts);
    return makeChatError(std::move(facts));
  }

  std::unique_ptr<ChatClient> inner;
  Budget &budget;
};
} // namespace

std::unique_ptr<ChatClient>
createBudgetedClient(std::unique_ptr<ChatClient> inner, Budget &budget) {
  return std::make_unique<BudgetedClient>(std::move(inner), budget);
}

} // namespace egg
