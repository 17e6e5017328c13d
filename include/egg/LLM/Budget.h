//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Budget: hard ceilings on what a session may ask of language models, checked
// before each call against the most that the call could use.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_BUDGET_H
#define EGG_LLM_BUDGET_H

#include "egg/LLM/ChatClient.h"
#include "egg/LLM/Clock.h"

namespace egg {

/// US dollars per million tokens, as a provider's page said on a date.
struct Price {
  std::string provider;
  /// The model's name, or its beginning with '*' at the end.
  std::string model;
  double inputPerMillion = 0, outputPerMillion = 0;
  /// The price holds for requests of at most so many input tokens.
  std::optional<int64_t> upToInputTokens;
  /// When (YYYY-MM-DD) and where it was read.
  std::string date, source;

  double of(const ChatUsage &usage) const {
    return (usage.inputTokens * inputPerMillion +
            usage.outputTokens * outputPerMillion) /
           1e6;
  }
};

class PriceTable {
public:
  /// lib/LLM/prices.json, compiled in.
  static const PriceTable &builtin();
  /// The file's, or those compiled in if no file is named.
  static llvm::Expected<PriceTable> read(llvm::StringRef path);
  /// The same format.
  static llvm::Expected<PriceTable> parse(llvm::StringRef text,
                                          llvm::StringRef name);
  /// The most specific entry for the model, or null: unknown is never guessed.
  const Price *find(llvm::StringRef provider, llvm::StringRef model) const;

private:
  std::vector<Price> prices;
};

/// Unset: no ceiling.
struct BudgetLimits {
  /// Requests that are sent, answered or not, repeated ones too.
  std::optional<int64_t> calls = {};
  std::optional<int64_t> inputTokens = {}, outputTokens = {};
  /// US dollars. Needs a price for each model asked.
  std::optional<double> dollars = {};
  /// From the budget's creation.
  std::optional<double> seconds = {};
};

class Budget {
public:
  explicit Budget(BudgetLimits limits,
                  const PriceTable &prices = PriceTable::builtin(),
                  Clock &clock = Clock::system());

  /// Whether a call fits under every ceiling, at its most: inputTokenBound and
  /// maxOutputTokens. `pending` and `pendingCalls` are what the same call has
  /// used up already, unbooked. The error (OverBudget) names the ceiling, what
  /// is spent, what the call could need, and what to raise; an unknown price
  /// under a ceiling of money is one.
  llvm::Error check(const ChatRequest &request, llvm::StringRef provider,
                    llvm::StringRef model, const ChatUsage &pending = {},
                    int64_t pendingCalls = 0) const;

  /// Whether a ceiling on money could be held at all: an OverBudget error if
  /// there is one and the model's price is unknown.
  llvm::Error checkPrice(llvm::StringRef provider, llvm::StringRef model) const;

  /// Books a call of so many requests that was made. `answeredBy` is the model
  /// that answered, `model` the one asked, whose price holds if they are the
  /// same but for a date; empty: nobody or nobody else.
  void book(const ChatUsage &usage, llvm::StringRef provider,
            llvm::StringRef model, llvm::StringRef answeredBy = {},
            int64_t requests = 1);

  const BudgetLimits &limits() const { return ceilings; }
  int64_t calls() const { return spentCalls; }
  /// `known` is false as soon as one booking was an upper bound.
  const ChatUsage &usage() const { return spentTokens; }
  /// Dollars for the calls whose price is known; nothing if that is not all.
  std::optional<double> dollars() const;
  double secondsSpent() const;
  /// Until the ceiling on seconds; nothing without one.
  std::optional<double> secondsLeft() const;

  /// "3 calls, 5120 input and 812 output tokens (upper bound), 0.012 dollars".
  std::string describe() const;

private:
  BudgetLimits ceilings;
  const PriceTable *prices;
  Clock *clock;
  double start;
  int64_t spentCalls = 0;
  ChatUsage spentTokens;
  double spentDollars = 0;
  bool allPriced = true;
  /// Of models that answered in another's place: they may do so again.
  std::vector<const Price *> others;
};

/// A client that checks before and books after each call of `inner`. Inside a
/// recording it is for what is really asked: what the recording holds is booked
/// by Cassette::book, and was checked when it was asked.
std::unique_ptr<ChatClient>
createBudgetedClient(std::unique_ptr<ChatClient> inner, Budget &budget);

} // namespace egg

#endif // EGG_LLM_BUDGET_H
