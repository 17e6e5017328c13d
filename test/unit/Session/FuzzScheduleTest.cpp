//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Damaged schedules: whatever a script says, the check ends with a verdict or
// one refusal that has a place, and never with a crash. EGG_FUZZ_SCHEDULES is
// the number of scripts of each payload, for longer runs.
//
//===----------------------------------------------------------------------===//
#include "../ProductPayload.h"
#include "egg/Agent/Agent.h"
#include "egg/InitAll.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Verify/VerifyProposal.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace mlir;
using namespace egg;

namespace {

constexpr const char *kRows = R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%a: tensor<2x65536xf32>) -> tensor<2x65536xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %g = tensor.empty() : tensor<2x65536xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %0 = linalg.generic {egg.name = "reduce_add_0", indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<2x65536xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %1 = linalg.generic {egg.name = "div_1", indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<2x65536xf32>, tensor<2xf32>)
      outs(%g : tensor<2x65536xf32>) {
  ^bb0(%x: f32, %sum: f32, %out: f32):
    %q = arith.divf %x, %sum : f32
    linalg.yield %q : f32
  } -> tensor<2x65536xf32>
  return %1 : tensor<2x65536xf32>
})";

constexpr const char *kScan = R"(
func.func @main(%a: tensor<8x256xf32>) -> tensor<8x256xf32> {
  %0 = egg.scan <add> %a dim = 1 {egg.name = "scan_0"} : tensor<8x256xf32>
  return %0 : tensor<8x256xf32>
})";

/// Words, numbers, strings, and other characters one by one; with the spaces
/// that follow, so that joined they are the text.
std::vector<std::string> split(StringRef text) {
  std::vector<std::string> tokens;
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  while (!text.empty()) {
    size_t end = 1;
    if (text[0] == '"')
      end = std::min(text.size(), text.find('"', 1) + 1);
    else if (isWord(text[0]))
      end = text.size() - text.drop_while(isWord).size();
    end = std::max<size_t>(end, 1);
    end = std::min(text.find_first_not_of(" \n", end), text.size());
    tokens.push_back(text.take_front(end).str());
    text = text.drop_front(end);
  }
  return tokens;
}

class Mutator {
public:
  Mutator(StringRef text, uint64_t seed) : tokens(split(text)), random(seed) {}

  std::string run() {
    for (uint64_t left = 1 + random() % 3; left > 0; --left)
      change();
    return llvm::join(tokens, "");
  }

private:
  /// Distributions differ between standard libraries; this does not.
  size_t pick(size_t count) { return random() % count; }

  /// The first token from there on that begins so, else that one.
  size_t find(llvm::function_ref<bool(char)> begins, size_t from) {
    for (size_t i = 0; i < tokens.size(); ++i)
      if (begins(tokens[(from + i) % tokens.size()][0]))
        return (from + i) % tokens.size();
    return from;
  }

  using Iterator = std::vector<std::string>::iterator;
  /// The tokens of the line around this one.
  std::pair<Iterator, Iterator> line(size_t at) {
    auto ends = [](const std::string &token) {
      return StringRef(token).contains('\n');
    };
    Iterator last = std::find_if(tokens.begin() + at, tokens.end(), ends);
    Iterator first = tokens.begin() + at;
    while (first != tokens.begin() && !ends(*std::prev(first)))
      --first;
    return {first, last == tokens.end() ? last : std::next(last)};
  }

  void change() {
    static const char *const numbers[] = {"0 ",
                                          "1 ",
                                          "2 ",
                                          "3 ",
                                          "33 ",
                                          "4096 ",
                                          "-1 ",
                                          "9223372036854775807 ",
                                          "9223372036854775808 ",
                                          "0x7fffffff ",
                                          "1.5 "};
    size_t at = pick(tokens.size());
    switch (pick(12)) {
    case 0:
      tokens.erase(tokens.begin() + at);
      break;
    case 1:
      tokens.insert(tokens.begin() + at, tokens[at]);
      break;
    case 2:
      tokens[at] = tokens[pick(tokens.size())];
      break;
    case 3:
      std::swap(tokens[at], tokens[pick(tokens.size())]);
      break;
    case 4:
      tokens[find(llvm::isDigit, at)] = numbers[pick(std::size(numbers))];
      break;
    case 5:
    case 6:
    case 7: {
      // Everywhere: a knob's value stays one of its options.
      std::string number = tokens[find(llvm::isDigit, at)];
      std::string other = numbers[pick(std::size(numbers))];
      for (std::string &token : tokens)
        if (StringRef(token).rtrim() == StringRef(number).rtrim())
          token = other;
      break;
    }
    case 8:
    case 9: {
      // Names, of operations, kernels and knobs.
      auto isQuote = [](char c) { return c == '"'; };
      std::swap(tokens[find(isQuote, at)],
                tokens[find(isQuote, pick(tokens.size()))]);
      break;
    }
    default: {
      auto [first, last] = line(at);
      std::vector<std::string> copy(first, last);
      if (pick(2))
        tokens.erase(first, last);
      else
        tokens.insert(last, copy.begin(), copy.end());
    }
    }
    if (tokens.empty())
      tokens.emplace_back(" ");
  }

  std::vector<std::string> tokens;
  std::mt19937_64 random;
};

class FuzzScheduleTest : public ::testing::TestWithParam<const char *> {
protected:
  FuzzScheduleTest() { egg::registerAllDialects(registry); }

  std::string propose(const char *payloadText) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    auto payload = parseSourceString<ModuleOp>(payloadText, &context);
    EXPECT_TRUE(payload);
    auto agent = llvm::cantFail(createAgent("expert", ""));
    ProposalRequest request;
    request.payload = *payload;
    request.chip = "sm_90a";
    request.payloadHash = hashPayload(*payload);
    Proposal proposal = llvm::cantFail(agent->propose(request));
    // Damage to comments is none.
    std::string script;
    for (StringRef line : llvm::split(proposal.script, '\n'))
      if (!line.ltrim().starts_with("//"))
        script += (line + "\n").str();
    return script;
  }

  DialectRegistry registry;
};

/// "file:line:column".
bool isPlace(StringRef location) {
  auto [rest, column] = location.rsplit(':');
  unsigned number;
  return !column.getAsInteger(10, number) &&
         !rest.rsplit(':').second.getAsInteger(10, number);
}

TEST_P(FuzzScheduleTest, EndsWithAVerdictOrOneRefusal) {
  std::string script = propose(GetParam());
  uint64_t count = 20;
  if (const char *asked = std::getenv("EGG_FUZZ_SCHEDULES"))
    count = std::strtoull(asked, nullptr, 10);
  VerifyOptions options;
  // Accept, apply and the kernels' rules: what numbers do is another matter.
  options.variants.clear();
  options.wallSeconds = 60;
  Verification whole =
      llvm::cantFail(verifyProposal(GetParam(), script, registry, options));
  ASSERT_TRUE(whole.accepted()) << whole.rejection->str();
  uint64_t refused = 0;
  std::set<std::string> steps;
  for (uint64_t seed = 0; seed < count; ++seed) {
    std::string damaged = Mutator(script, seed).run();
    Verification verification =
        llvm::cantFail(verifyProposal(GetParam(), damaged, registry, options));
    if (verification.accepted())
      continue;
    ++refused;
    const Rejection &rejection = *verification.rejection;
    steps.insert(rejection.step);
    EXPECT_TRUE(isPlace(rejection.location) && !rejection.reason.empty() &&
                StringRef(rejection.reason).find("the check ") != 0)
        << "seed " << seed << ": " << rejection.str() << "\n"
        << damaged;
  }
  // The damage reaches beyond the parser, and is not all harmless.
  EXPECT_GT(refused, count / 4);
  EXPECT_TRUE(steps.count("accept"));
  EXPECT_TRUE(steps.count("apply"));
}

INSTANTIATE_TEST_SUITE_P(Payloads, FuzzScheduleTest,
                         ::testing::Values(kProductPayload, kRows, kScan));

} // namespace
