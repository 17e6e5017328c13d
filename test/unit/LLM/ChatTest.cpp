//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Fakes.h"

using namespace egg;
using namespace egg::test;
namespace json = llvm::json;

template <typename T> static T roundTrip(const T &value) {
  json::Value parsed =
      llvm::cantFail(json::parse(canonicalJSON(toJSONValue(value))));
  json::Path::Root root("value");
  T result;
  EXPECT_TRUE(fromJSON(parsed, result, root))
      << llvm::toString(root.getError());
  return result;
}

static ChatRequest makeFullRequest() {
  ChatRequest request = makeRequest();
  request.schemaName = "verdict";
  request.schema = R"({"type":"object"})";
  request.temperature = 0.25;
  request.seed = 7;
  return request;
}

TEST(ChatTest, ValuesRoundTrip) {
  EXPECT_EQ(roundTrip(makeRequest()), makeRequest());
  EXPECT_EQ(roundTrip(makeFullRequest()), makeFullRequest());
  ChatAnswer answer = makeAnswer("two");
  answer.finish = ChatFinish::Truncated;
  answer.notes = {"retried"};
  EXPECT_EQ(roundTrip(answer), answer);
  ChatError::Facts facts = makeFacts(ChatErrorKind::BadAnswer);
  facts.answerText = "{";
  EXPECT_EQ(roundTrip(facts), facts);
}

TEST(ChatTest, EveryErrorKindHasAName) {
  for (int kind = 0; kind <= int(ChatErrorKind::Protocol); ++kind)
    EXPECT_EQ(symbolizeErrorKind(stringifyErrorKind(ChatErrorKind(kind))),
              ChatErrorKind(kind));
  EXPECT_FALSE(symbolizeErrorKind("odd"));
}

TEST(ChatTest, WrongDocumentsAreRefused) {
  auto refusal = [](llvm::StringRef text, auto value) {
    json::Value parsed = llvm::cantFail(json::parse(text));
    json::Path::Root root("value");
    EXPECT_FALSE(fromJSON(parsed, value, root));
    return llvm::toString(root.getError());
  };
  EXPECT_TRUE(contains(refusal(R"({"role":"robot","text":""})", ChatMessage()),
                       "expected system, user or assistant"));
  EXPECT_TRUE(contains(refusal(R"({"messages":[]})", ChatRequest()),
                       "max_output_tokens"));
  EXPECT_TRUE(contains(
      refusal(
          R"({"text":"","finish":"odd","model":"m","usage":{"input_tokens":1,
              "output_tokens":1,"known":true}})",
          ChatAnswer()),
      "expected complete, truncated or refused"));
}

TEST(ChatTest, HashFollowsFromEveryPart) {
  ChatRequest request = makeFullRequest();
  std::string hash = hashPrompt(request, "openai", "gpt-4o");
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ(hashPrompt(makeFullRequest(), "openai", "gpt-4o"), hash);
  EXPECT_NE(hashPrompt(request, "openai", "gpt-5"), hash);
  EXPECT_NE(hashPrompt(request, "vllm", "gpt-4o"), hash);
  std::vector<std::function<void(ChatRequest &)>> changes = {
      [](ChatRequest &r) { r.messages[0].text += "."; },
      [](ChatRequest &r) { r.messages[1].role = ChatRole::Assistant; },
      [](ChatRequest &r) { r.schema = R"({"type":"array"})"; },
      [](ChatRequest &r) { r.schemaName = "other"; },
      [](ChatRequest &r) { r.maxOutputTokens++; },
      [](ChatRequest &r) { r.temperature = 0; },
      [](ChatRequest &r) { r.temperature.reset(); },
      [](ChatRequest &r) { r.seed = 8; }};
  for (auto &change : changes) {
    ChatRequest changed = request;
    change(changed);
    EXPECT_NE(hashPrompt(changed, "openai", "gpt-4o"), hash);
  }
}

TEST(ChatTest, HashIsTheSameInEveryRelease) {
  // Cassettes are found by it: a change makes all of them useless.
  EXPECT_EQ(hashPrompt(makeRequest(), "openai", "gpt-4o"),
            "71d51b997aae447081370be064cfaaa9a7909980e9d556aa26be4a3bd272e040");
}

TEST(ChatTest, BoundCountsBytes) {
  ChatRequest request = makeRequest(std::string(5000, 'x'));
  EXPECT_GE(inputTokenBound(request), 5000);
  int64_t without = inputTokenBound(request);
  request.schema = R"({"type":"object"})";
  EXPECT_GE(inputTokenBound(request), without + 2 * 17);
}

TEST(ChatTest, UnfitRequestsAreNotSent) {
  auto reason = [](auto change) {
    ChatRequest request = makeFullRequest();
    change(request);
    return factsOf(checkRequest(request)).message;
  };
  EXPECT_FALSE(bool(checkRequest(makeFullRequest())));
  EXPECT_TRUE(contains(reason([](ChatRequest &r) { r.messages.clear(); }),
                       "does not end with a message of the user"));
  EXPECT_TRUE(
      contains(reason([](ChatRequest &r) { r.messages[1].text = "a\xff"; }),
               "not UTF-8 in message 1 at offset 1"));
  EXPECT_TRUE(contains(reason([](ChatRequest &r) { r.messages[0].text = ""; }),
                       "empty message 0"));
  EXPECT_TRUE(contains(
      reason([](ChatRequest &r) { std::swap(r.messages[0], r.messages[1]); }),
      "message 1 of the system out of turn"));
  EXPECT_TRUE(contains(reason([](ChatRequest &r) {
                         r.messages.push_back({ChatRole::Assistant, "a"});
                       }),
                       "does not end with a message of the user"));
  EXPECT_TRUE(contains(reason([](ChatRequest &r) {
                         r.messages.push_back({ChatRole::User, "a"});
                       }),
                       "message 2 of the user out of turn"));
  EXPECT_TRUE(contains(reason([](ChatRequest &r) { r.maxOutputTokens = 0; }),
                       "leaves the answer 0 tokens"));
  EXPECT_TRUE(contains(reason([](ChatRequest &r) { r.temperature = -1; }),
                       "has temperature -1"));
  EXPECT_TRUE(contains(reason([](ChatRequest &r) { r.schemaName = "a b"; }),
                       "names its schema 'a b'"));
  EXPECT_TRUE(contains(reason([](ChatRequest &r) { r.schema = "{"; }),
                       "has a schema that is none"));
}

TEST(ChatTest, RenderedRequestHasAllOfIt) {
  EXPECT_EQ(renderRequest(makeRequest()),
            "# System\n\nBe short.\n\n# User\n\nWhat is 1 + 1?\n\n");
  std::string text = renderRequest(makeFullRequest());
  EXPECT_TRUE(contains(text, "# Form of the answer\n\n"));
  EXPECT_TRUE(contains(text, R"({"type":"object"})"));
}

TEST(ChatErrorTest, TruncationAndRefusalAreTyped) {
  ChatAnswer answer = makeAnswer("half an an");
  EXPECT_EQ(llvm::cantFail(requireComplete(answer)), "half an an");
  answer.finish = ChatFinish::Truncated;
  ChatError::Facts facts = factsOf(requireComplete(answer));
  EXPECT_EQ(facts.kind, ChatErrorKind::Truncated);
  EXPECT_EQ(facts.answerText, "half an an");
  answer.finish = ChatFinish::Refused;
  answer.text = "I will not.";
  facts = factsOf(requireComplete(answer));
  EXPECT_EQ(facts.kind, ChatErrorKind::Refused);
  EXPECT_TRUE(contains(facts.message, "declined to answer: I will not."));
}

TEST(ChatErrorTest, MessageHasAttemptsAndRemedy) {
  EXPECT_EQ(llvm::toString(makeChatError(ChatErrorKind::TimedOut, "no answer",
                                         "wait longer", 3)),
            "no answer (3 attempts); wait longer");
  EXPECT_EQ(llvm::toString(makeChatError(ChatErrorKind::TimedOut, "no answer")),
            "no answer");
}

TEST(ChatErrorTest, KeptAnswersAreCappedAndUTF8) {
  ChatError::Facts facts;
  // 64 KiB end inside a character of two bytes.
  facts.answerText = "x" + [] {
    std::string text;
    for (int i = 0; i < 100000; ++i)
      text += "\xc3\xa9";
    return text;
  }();
  facts = takeFacts(makeChatError(facts));
  EXPECT_LE(facts.answerText.size(), (64u << 10) + 2);
  EXPECT_TRUE(json::isUTF8(facts.answerText));
}

TEST(CheckAnswerTest, JSONIsValidatedAndUnfenced) {
  ChatRequest request = makeFullRequest();
  request.schema =
      R"({"type":"object","properties":{"worth":{"type":"boolean"}},
          "required":["worth"],"additionalProperties":false})";
  auto text = [&](std::string given) {
    return llvm::cantFail(checkAnswer(request, makeAnswer(std::move(given))))
        .text;
  };
  auto reason = [&](std::string given) {
    ChatError::Facts facts = factsOf(checkAnswer(request, makeAnswer(given)));
    EXPECT_EQ(facts.kind, ChatErrorKind::BadAnswer);
    EXPECT_EQ(facts.usage, (ChatUsage{10, 5, true}));
    return facts.message;
  };
  EXPECT_EQ(text(R"({"worth":true})"), R"({"worth":true})");
  EXPECT_EQ(text("\n```json\n{\"worth\":true}\n```\n"), R"({"worth":true})");
  EXPECT_EQ(text("```\n{\"worth\":false}\n```"), R"({"worth":false})");
  EXPECT_TRUE(contains(reason("Sure! ```json\n{\"worth\":true}\n```"),
                       "is not the JSON that was asked for"));
  EXPECT_TRUE(contains(reason("{\"worth\":true} I hope this helps"),
                       "is not the JSON that was asked for"));
  EXPECT_TRUE(contains(reason(R"({"worth":1})"),
                       "/worth: expected boolean, found integer"));
  EXPECT_TRUE(contains(reason("  "), "is empty"));
  EXPECT_TRUE(contains(reason(std::string(100000, '[')),
                       "more than 64 brackets are open"));
  EXPECT_TRUE(contains(reason("{\"worth\":\"\xff\"}"), "is not UTF-8"));
  EXPECT_TRUE(contains(reason(std::string(size_t(kMaxAnswerBytes) + 1, 'x')),
                       "the limit is 4194304"));
}

TEST(CheckAnswerTest, CutOffAnswersAreNotParsed) {
  ChatAnswer answer = makeAnswer("{\"wor");
  answer.finish = ChatFinish::Truncated;
  EXPECT_EQ(llvm::cantFail(checkAnswer(makeFullRequest(), answer)), answer);
}
