//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/Cassette.h"
#include "Fakes.h"
#include "egg/Support/Files.h"
#include "egg/Support/Subprocess.h"
#include <csignal>
#include <fstream>

using namespace egg;
using namespace egg::test;
using Step = ScriptedClient::Step;

namespace {

class CassetteTest : public ScratchTest {
protected:
  CassetteTest() { ScriptedClient::asked = 0; }

  std::shared_ptr<Cassette> open(RecordMode mode) {
    return llvm::cantFail(Cassette::open(at("c.jsonl"), mode));
  }
  std::unique_ptr<ChatClient> recorder(std::deque<Step> steps,
                                       RecordMode mode) {
    return createRecordingClient(
        std::make_unique<ScriptedClient>(std::move(steps)), open(mode));
  }
  std::string openError(RecordMode mode) {
    auto cassette = Cassette::open(at("c.jsonl"), mode);
    return cassette ? "" : llvm::toString(cassette.takeError());
  }
  std::string text() { return llvm::cantFail(readFile(at("c.jsonl"))); }
  void write(llvm::StringRef content) {
    std::ofstream(at("c.jsonl")) << content.str();
  }
  /// What a client makes of a request, as one text.
  static std::string outcome(ChatClient &client, const ChatRequest &request) {
    auto answer = client.complete(request);
    if (answer)
      return canonicalJSON(toJSONValue(*answer));
    return canonicalJSON(toJSONValue(takeFacts(answer.takeError())));
  }
};

TEST_F(CassetteTest, ReplayIsTheSessionWithoutAskingAnybody) {
  std::vector<ChatRequest> session = {makeRequest("a"), makeRequest("b"),
                                      makeRequest("a"), makeRequest("a")};
  std::vector<std::string> recorded, replayed;
  {
    ChatAnswer cut = makeAnswer("tw");
    cut.finish = ChatFinish::Truncated;
    auto client = recorder({makeAnswer("one"), cut, makeAnswer("three"),
                            makeFacts(ChatErrorKind::BadAnswer)},
                           RecordMode::Record);
    for (const ChatRequest &request : session)
      recorded.push_back(outcome(*client, request));
  }
  EXPECT_EQ(ScriptedClient::asked, 4);
  auto client = createReplayClient(open(RecordMode::Replay));
  EXPECT_EQ(client->provider(), "openai");
  EXPECT_EQ(client->model(), "gpt-4o");
  for (const ChatRequest &request : session)
    replayed.push_back(outcome(*client, request));
  EXPECT_EQ(recorded, replayed);
  EXPECT_EQ(ScriptedClient::asked, 4);
}

TEST_F(CassetteTest, MissingEntriesAreErrors) {
  llvm::cantFail(recorder({makeAnswer("one")}, RecordMode::Record)
                     ->complete(makeRequest()));
  auto client = createReplayClient(open(RecordMode::Replay));
  llvm::cantFail(client->complete(makeRequest()));
  ChatError::Facts again = factsOf(client->complete(makeRequest()));
  EXPECT_EQ(again.kind, ChatErrorKind::MissingRecording);
  EXPECT_TRUE(contains(again.message,
                       "occurrence 1 of prompt " +
                           hashPrompt(makeRequest(), "openai", "gpt-4o")));
  ChatError::Facts other =
      factsOf(client->complete(makeRequest("first line\nsecond")));
  EXPECT_TRUE(contains(other.message, "(user: 'first line')"));
  auto elsewhere =
      createReplayClient(open(RecordMode::Replay), "vllm", "gpt-4o");
  EXPECT_EQ(factsOf(elsewhere->complete(makeRequest())).kind,
            ChatErrorKind::MissingRecording);
}

TEST_F(CassetteTest, ARecorderInModeReplayNeverAsks) {
  write("");
  auto client = recorder({makeAnswer("one")}, RecordMode::Replay);
  EXPECT_EQ(factsOf(client->complete(makeRequest())).kind,
            ChatErrorKind::MissingRecording);
  EXPECT_EQ(ScriptedClient::asked, 0);
}

TEST_F(CassetteTest, ResumeReplaysThenAsks) {
  llvm::cantFail(recorder({makeAnswer("one")}, RecordMode::Record)
                     ->complete(makeRequest()));
  auto client = recorder({makeAnswer("two")}, RecordMode::Resume);
  EXPECT_EQ(llvm::cantFail(client->complete(makeRequest())).text, "one");
  EXPECT_EQ(ScriptedClient::asked, 1);
  EXPECT_EQ(llvm::cantFail(client->complete(makeRequest())).text, "two");
  EXPECT_EQ(llvm::cantFail(readCassette(at("c.jsonl"))).size(), 2u);
}

TEST_F(CassetteTest, ResumeAsksAgainWhatFailedAtTheEnd) {
  {
    auto client =
        recorder({makeAnswer("one"), makeFacts(ChatErrorKind::BadAnswer),
                  makeFacts(ChatErrorKind::Unreachable)},
                 RecordMode::Record);
    for (int i = 0; i < 3; ++i)
      (void)outcome(*client, makeRequest());
  }
  std::vector<std::string> resumed, replayed;
  {
    auto client = recorder({makeAnswer("three")}, RecordMode::Resume);
    for (int i = 0; i < 3; ++i)
      resumed.push_back(outcome(*client, makeRequest()));
    EXPECT_TRUE(contains(resumed[1], "bad_answer"));
    EXPECT_TRUE(contains(resumed[2], "three"));
  }
  auto client = createReplayClient(open(RecordMode::Replay));
  for (int i = 0; i < 3; ++i)
    replayed.push_back(outcome(*client, makeRequest()));
  EXPECT_EQ(resumed, replayed);
}

/// What was booked stays so, whatever became of the call.
TEST_F(CassetteTest, AllThatItHoldsIsBooked) {
  auto booked = [&](RecordMode mode) {
    Budget budget({});
    open(mode)->book(budget);
    return std::pair(budget.calls(), budget.usage());
  };
  (void)outcome(
      *recorder({makeFacts(ChatErrorKind::Unreachable)}, RecordMode::Record),
      makeRequest());
  EXPECT_EQ(booked(RecordMode::Resume),
            std::pair(int64_t(2), ChatUsage{7, 3, false}));
  (void)outcome(
      *recorder({makeFacts(ChatErrorKind::TimedOut)}, RecordMode::Resume),
      makeRequest());
  ChatAnswer answer = makeAnswer("one", 10, 5);
  answer.attempts = 3;
  (void)outcome(*recorder({answer}, RecordMode::Resume), makeRequest());
  for (RecordMode mode : {RecordMode::Resume, RecordMode::Replay})
    EXPECT_EQ(booked(mode), std::pair(int64_t(7), ChatUsage{24, 11, false}));
  auto replayed = createReplayClient(open(RecordMode::Replay));
  EXPECT_EQ(llvm::cantFail(replayed->complete(makeRequest())), answer);
}

TEST_F(CassetteTest, WhatWasNotSentIsNotRecorded) {
  ChatError::Facts unsent = makeFacts(ChatErrorKind::OverBudget);
  unsent.attempts = 0;
  auto client = recorder({unsent}, RecordMode::Record);
  EXPECT_EQ(factsOf(client->complete(makeRequest())), unsent);
  EXPECT_EQ(text(), "");
}

TEST_F(CassetteTest, AReplayEndsWhereTheSessionWasStopped) {
  (void)outcome(
      *recorder({makeFacts(ChatErrorKind::Unreachable)}, RecordMode::Record),
      makeRequest());
  auto ended = [&](std::optional<std::string> reason) {
    return createReplayClient(open(RecordMode::Replay), "", "",
                              [=] { return reason; });
  };
  EXPECT_EQ(factsOf(ended(std::nullopt)->complete(makeRequest())).kind,
            ChatErrorKind::Unreachable);
  for (const char *question : {"What is 1 + 1?", "never asked"}) {
    ChatError::Facts facts =
        factsOf(ended("the clock")->complete(makeRequest(question)));
    EXPECT_EQ(facts.kind, ChatErrorKind::OverBudget);
    EXPECT_EQ(facts.message, "the clock");
  }
}

TEST_F(CassetteTest, NumbersThatCannotBeAreErrors) {
  llvm::cantFail(recorder({makeAnswer("one")}, RecordMode::Record)
                     ->complete(makeRequest()));
  std::string line = text();
  for (auto [was, is] :
       {std::pair("\"input_tokens\":10", "\"input_tokens\":-10"),
        {"\"input_tokens\":10", "\"input_tokens\":1.5"},
        {"\"output_tokens\":5", "\"output_tokens\":\"5\""},
        {"\"output_tokens\":5", "\"output_tokens\":-1"},
        {"\"occurrence\":0", "\"occurrence\":-1"},
        {"\"finish\"", "\"attempts\":0,\"finish\""}}) {
    std::string odd = line;
    ASSERT_NE(odd.find(was), std::string::npos) << was;
    odd.replace(odd.find(was), llvm::StringRef(was).size(), is);
    write(odd);
    for (RecordMode mode : {RecordMode::Resume, RecordMode::Replay})
      EXPECT_TRUE(contains(openError(mode), "line 1: ")) << is;
  }
}

TEST_F(CassetteTest, LinksAreNotWrittenThrough) {
  for (const char *target : {"there", "nowhere"}) {
    if (target == llvm::StringRef("there"))
      std::ofstream(at(target)) << "";
    ASSERT_FALSE(llvm::sys::fs::create_link(at(target), at("c.jsonl")));
    for (RecordMode mode : {RecordMode::Record, RecordMode::Resume})
      EXPECT_TRUE(contains(openError(mode), "is a symbolic link"));
    EXPECT_FALSE(llvm::sys::fs::exists(at("nowhere")));
    llvm::sys::fs::remove(at("c.jsonl"));
  }
}

TEST_F(CassetteTest, AFileCutAnywhereResumes) {
  {
    auto client =
        recorder({makeAnswer("one"), makeAnswer("two")}, RecordMode::Record);
    llvm::cantFail(client->complete(makeRequest()));
    llvm::cantFail(client->complete(makeRequest()));
  }
  std::string whole = text();
  size_t first = whole.find('\n') + 1;
  for (size_t cut = 0; cut < whole.size(); cut += 7) {
    write(llvm::StringRef(whole).take_front(cut));
    auto records = llvm::cantFail(readCassette(at("c.jsonl")));
    ASSERT_EQ(records.size(), cut < first ? 0u : 1u) << cut;
    if (cut % 98)
      continue;
    std::deque<Step> rest;
    if (cut < first)
      rest.push_back(makeAnswer("one"));
    rest.push_back(makeAnswer("two"));
    {
      auto client = recorder(rest, RecordMode::Resume);
      llvm::cantFail(client->complete(makeRequest()));
      llvm::cantFail(client->complete(makeRequest()));
    }
    ASSERT_EQ(text(), whole) << cut;
  }
}

TEST_F(CassetteTest, DamageIsAnErrorWithItsLine) {
  llvm::cantFail(recorder({makeAnswer("one")}, RecordMode::Record)
                     ->complete(makeRequest()));
  std::string line = text();
  write(line + "garbage\n" + line);
  EXPECT_TRUE(contains(openError(RecordMode::Replay), "line 2: "));
  write(line + line);
  EXPECT_TRUE(contains(openError(RecordMode::Replay),
                       "holds two answers to occurrence 0"));
  std::string forged = line;
  forged.replace(forged.find("1 + 1"), 5, "2 + 2");
  write(forged);
  EXPECT_TRUE(contains(openError(RecordMode::Replay),
                       "this is not the hash of the request"));
  std::string bomb = line;
  bomb.insert(bomb.find("{\"answer"), std::string(100000, '['));
  write(bomb);
  EXPECT_TRUE(contains(openError(RecordMode::Replay), "brackets are open"));
}

TEST_F(CassetteTest, OneWriterAndNoOverwriting) {
  llvm::cantFail(recorder({makeAnswer("one")}, RecordMode::Record)
                     ->complete(makeRequest()));
  EXPECT_TRUE(contains(openError(RecordMode::Record),
                       "holds a session already; resume it"));
  auto writer = open(RecordMode::Resume);
  EXPECT_TRUE(contains(openError(RecordMode::Resume),
                       "is being written by another process"));
  EXPECT_EQ(openError(RecordMode::Replay), "");
  writer.reset();
  EXPECT_EQ(openError(RecordMode::Resume), "");
  llvm::sys::fs::remove(at("c.jsonl"));
  EXPECT_TRUE(contains(openError(RecordMode::Replay), "cannot read"));
}

TEST_F(CassetteTest, OnlyRegularFilesAreRead) {
  for (RecordMode mode : {RecordMode::Record, RecordMode::Replay}) {
    auto cassette = Cassette::open("/dev/zero", mode);
    ASSERT_FALSE(bool(cassette));
    EXPECT_TRUE(
        contains(llvm::toString(cassette.takeError()), "is no regular file"));
  }
}

TEST_F(CassetteTest, AnAnswerThatCannotBeRecordedIsNotHandedOn) {
  // A limit on the file size stands in for a full disk.
  ProcessLimits limits;
  limits.fileBytes = 1000;
  auto result = llvm::cantFail(runInChild(
      [&](llvm::raw_ostream &os) {
        ::signal(SIGXFSZ, SIG_IGN);
        auto client =
            recorder({makeAnswer(std::string(2000, 'x'))}, RecordMode::Record);
        os << outcome(*client, makeRequest());
        return 0;
      },
      limits));
  EXPECT_TRUE(contains(result.standardOutput, "cannot append to cassette"));
  EXPECT_TRUE(contains(result.standardOutput, "File too large"));
  // What was torn off is no record, and the session goes on.
  EXPECT_TRUE(llvm::cantFail(readCassette(at("c.jsonl"))).empty());
  auto client = recorder({makeAnswer("one")}, RecordMode::Resume);
  EXPECT_EQ(llvm::cantFail(client->complete(makeRequest())).text, "one");
  EXPECT_EQ(llvm::cantFail(readCassette(at("c.jsonl"))).size(), 1u);
}

} // namespace
