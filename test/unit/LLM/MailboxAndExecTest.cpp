//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Fakes.h"
#include "egg/LLM/Cassette.h"
#include "egg/LLM/ExecClient.h"
#include "egg/LLM/MailboxClient.h"
#include "egg/Support/Files.h"
#include <cstdlib>
#include <sys/stat.h>

using namespace egg;
using namespace egg::test;
namespace fs = llvm::sys::fs;

namespace {

class MailboxTest : public ScratchTest {
protected:
  std::unique_ptr<ChatClient> client(double timeout = 60) {
    MailboxOptions options;
    options.directory = at("box");
    options.model = "a person";
    options.timeoutSeconds = timeout;
    return createMailboxClient(options, clock);
  }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    std::error_code code;
    for (fs::directory_iterator i(at("box"), code), end; i != end && !code;
         i.increment(code))
      found.push_back(llvm::sys::path::filename(i->path()).str());
    llvm::sort(found);
    return found;
  }
  std::string stem(const ChatRequest &request, int number) {
    return "000" + std::to_string(number) + "-" +
           hashPrompt(request, "mailbox", "a person").substr(0, 16);
  }
  void answer(llvm::StringRef name, llvm::StringRef text) {
    llvm::cantFail(writeFileAtomically(at("box/" + name.str()), text));
  }
  FakeClock clock;
};

TEST_F(MailboxTest, RequestsAreFilesAndAnswersToo) {
  ChatRequest request = makeRequest();
  std::string name = stem(request, 1);
  clock.onSleep = [&] {
    if (clock.sleeps.size() == 3)
      answer(name + ".answer.txt", "two\n");
  };
  ChatAnswer got = llvm::cantFail(client()->complete(request));
  EXPECT_EQ(got.text, "two\n");
  EXPECT_EQ(got.model, "a person");
  EXPECT_FALSE(got.usage.known);
  EXPECT_EQ(names(), (std::vector<std::string>{name + ".answer.txt",
                                               name + ".request.json",
                                               name + ".request.md"}));
  EXPECT_EQ(llvm::cantFail(readFile(at("box/" + name + ".request.md"))),
            renderRequest(request));
  ChatRequest read;
  llvm::json::Path::Root root("request");
  ASSERT_TRUE(fromJSON(llvm::cantFail(llvm::json::parse(llvm::cantFail(
                           readFile(at("box/" + name + ".request.json"))))),
                       read, root));
  EXPECT_EQ(read, request);
}

TEST_F(MailboxTest, HalfWrittenAnswersAreAwaited) {
  ChatRequest request = makeRequest();
  std::string text = "a long answer";
  size_t written = 0;
  clock.onSleep = [&] {
    // An editor that writes a byte between any two polls.
    written = std::min(written + 1, text.size());
    answer(stem(request, 1) + ".answer.txt",
           llvm::StringRef(text).take_front(written));
  };
  EXPECT_EQ(llvm::cantFail(client()->complete(request)).text, text);
}

/// A pause of its writer's does not make a beginning an answer.
TEST_F(MailboxTest, AnAnswerIsTakenWhole) {
  ChatRequest request = makeRequest();
  request.schemaName = "pair";
  request.schema = R"({"type":"object"})";
  std::string file = stem(request, 1) + ".answer.txt";
  double began = clock.now;
  clock.onSleep = [&] {
    if (clock.now < began + 8)
      answer(file, "```json\n{\"a\": ");
    else
      answer(file, "```json\n{\"a\": 1}\n```\n");
  };
  EXPECT_EQ(llvm::cantFail(client()->complete(request)).text, "{\"a\": 1}");
  // What is whole does not wait longer.
  EXPECT_LT(clock.now, began + 10);
}

/// What never becomes whole is judged in the end, also beyond the time for an
/// answer, which is there.
TEST_F(MailboxTest, ABrokenAnswerIsJudgedWhenItHasSettled) {
  ChatRequest request = makeRequest();
  request.schemaName = "pair";
  request.schema = R"({"type":"object"})";
  fs::create_directory(at("box"));
  answer(stem(request, 1) + ".answer.txt", "{\"a\": ");
  double began = clock.now;
  EXPECT_EQ(factsOf(client(1)->complete(request)).kind,
            ChatErrorKind::BadAnswer);
  EXPECT_GE(clock.now, began + 10);
}

TEST_F(MailboxTest, NumbersThatOverflowAreRefused) {
  fs::create_directory(at("box"));
  for (const char *number :
       {"9223372036854775807", "999999999", "99999999999999999999999999"}) {
    std::string name = std::string(number) + "-0.request.json";
    answer(name, "{}");
    EXPECT_TRUE(contains(factsOf(client(1)->complete(makeRequest())).message,
                         "whose number is too large"));
    fs::remove(at("box/" + name));
  }
}

TEST_F(MailboxTest, LinksAreNotFollowed) {
  ChatRequest request = makeRequest();
  fs::create_directory(at("box"));
  llvm::cantFail(writeFileAtomically(at("secret"), "a secret"));
  std::string name = stem(request, 1);
  ASSERT_FALSE(
      fs::create_link(at("secret"), at("box/" + name + ".answer.txt")));
  EXPECT_TRUE(contains(factsOf(client(1)->complete(request)).message,
                       "is a symbolic link"));
  ChatRequest other = makeRequest("other");
  ASSERT_FALSE(fs::create_link(at("secret"),
                               at("box/" + stem(other, 2) + ".request.md")));
  EXPECT_TRUE(contains(factsOf(client(1)->complete(other)).message,
                       "is a symbolic link"));
  EXPECT_EQ(llvm::cantFail(readFile(at("secret"))), "a secret");
}

TEST_F(MailboxTest, AnInterruptedSessionFindsItsRequests) {
  ChatRequest request = makeRequest(), other = makeRequest("other");
  EXPECT_EQ(factsOf(client(1)->complete(request)).kind,
            ChatErrorKind::TimedOut);
  answer(stem(request, 1) + ".answer.json", "1");
  auto again = client(1);
  EXPECT_EQ(llvm::cantFail(again->complete(request)).text, "1");
  // The second time that it is asked is another request.
  ChatError::Facts facts = factsOf(again->complete(request));
  EXPECT_EQ(facts.kind, ChatErrorKind::TimedOut);
  EXPECT_TRUE(contains(facts.remedy, stem(request, 2) + ".request.md"));
  facts = factsOf(again->complete(other));
  EXPECT_TRUE(contains(facts.remedy, stem(other, 3) + ".request.md"));
}

/// What a cassette answers lies in the mailbox too: asked once more, the same
/// words are another request.
TEST_F(MailboxTest, AnswersOnRecordAreNotTakenAgain) {
  ChatRequest request = makeRequest();
  auto recorded = [&](RecordMode mode) {
    return createRecordingClient(
        client(1), llvm::cantFail(Cassette::open(at("cassette"), mode)));
  };
  fs::create_directory(at("box"));
  answer(stem(request, 1) + ".request.json", "{}");
  answer(stem(request, 1) + ".answer.json", "1");
  EXPECT_EQ(
      llvm::cantFail(recorded(RecordMode::Record)->complete(request)).text,
      "1");
  auto resumed = recorded(RecordMode::Resume);
  EXPECT_EQ(llvm::cantFail(resumed->complete(request)).text, "1");
  ChatError::Facts facts = factsOf(resumed->complete(request));
  EXPECT_EQ(facts.kind, ChatErrorKind::TimedOut);
  EXPECT_TRUE(contains(facts.remedy, stem(request, 2) + ".request.md"));
}

/// It came in time, if only just.
TEST_F(MailboxTest, AnAnswerThatComesLastIsLookedAtTwice) {
  ChatRequest request = makeRequest();
  double began = clock.now;
  clock.onSleep = [&] {
    if (clock.now >= began + 1)
      answer(stem(request, 1) + ".answer.txt", "1");
  };
  EXPECT_EQ(llvm::cantFail(client(1)->complete(request)).text, "1");
}

TEST_F(MailboxTest, OddAnswersAreRefused) {
  ChatRequest request = makeRequest();
  std::string name = stem(request, 1);
  fs::create_directory(at("box"));
  answer(name + ".answer.txt", "1");
  answer(name + ".answer.json", "1");
  EXPECT_TRUE(contains(factsOf(client(1)->complete(request)).message,
                       "has two answers"));
  fs::remove(at("box/" + name + ".answer.json"));
  answer(name + ".answer.txt", std::string(size_t(kMaxAnswerBytes) + 1, 'x'));
  EXPECT_EQ(factsOf(client(1)->complete(request)).kind,
            ChatErrorKind::BadAnswer);
  fs::remove(at("box/" + name + ".answer.txt"));
  ASSERT_EQ(::mkfifo(at("box/" + name + ".answer.txt").c_str(), 0600), 0);
  EXPECT_TRUE(contains(factsOf(client(1)->complete(request)).message,
                       "is no regular file"));
}

TEST_F(MailboxTest, ADirectoryThatCannotBeIsAnError) {
  llvm::cantFail(writeFileAtomically(at("box"), "a file"));
  EXPECT_TRUE(contains(factsOf(client()->complete(makeRequest())).message,
                       "/box': Not a directory"));
}

class ExecTest : public ScratchTest {
protected:
  static std::unique_ptr<ChatClient> client(std::string command,
                                            double timeout = 20) {
    ExecOptions options;
    options.command = std::move(command);
    options.model = "a script";
    options.timeoutSeconds = timeout;
    return llvm::cantFail(createExecClient(options));
  }
};

TEST_F(ExecTest, RequestComesInAnswerGoesOut) {
  auto echo = client("cat > " + at("request.json") + "; printf 'two\\n'");
  EXPECT_EQ(echo->name(), "exec: a script");
  ChatAnswer answer = llvm::cantFail(echo->complete(makeRequest()));
  EXPECT_EQ(answer.text, "two");
  EXPECT_FALSE(answer.usage.known);
  auto document = llvm::cantFail(
      llvm::json::parse(llvm::cantFail(readFile(at("request.json")))));
  EXPECT_EQ(document.getAsObject()->getString("prompt"),
            renderRequest(makeRequest()));
  EXPECT_EQ(document.getAsObject()->getArray("messages")->size(), 2u);
}

TEST_F(ExecTest, AnswersAreHeldToTheSchema) {
  ChatRequest request = makeRequest();
  request.schemaName = "number";
  request.schema = R"({"type":"integer"})";
  EXPECT_EQ(llvm::cantFail(client("echo 2")->complete(request)).text, "2");
  EXPECT_EQ(factsOf(client("echo two")->complete(request)).kind,
            ChatErrorKind::BadAnswer);
}

TEST_F(ExecTest, FailuresAreKinds) {
  auto facts = [&](std::string command, double timeout = 20) {
    return factsOf(
        client(std::move(command), timeout)->complete(makeRequest()));
  };
  ChatError::Facts failed = facts("echo no model here >&2; exit 3");
  EXPECT_EQ(failed.kind, ChatErrorKind::ServerFault);
  EXPECT_TRUE(contains(failed.message, "exited with code 3: no model here"));
  EXPECT_FALSE(failed.usage.known);
  EXPECT_EQ(facts("sleep 30", 0.2).kind, ChatErrorKind::TimedOut);
  EXPECT_EQ(facts("yes").kind, ChatErrorKind::BadAnswer);
  EXPECT_EQ(facts("true").kind, ChatErrorKind::BadAnswer);
  EXPECT_EQ(facts("printf '\\377'").kind, ChatErrorKind::BadAnswer);
  EXPECT_EQ(facts("kill -SEGV $$").kind, ChatErrorKind::ServerFault);
}

TEST_F(ExecTest, TheCommandGetsNoKeys) {
  for (const char *name :
       {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "SOME_TOKEN", "EGG_PASSED"})
    ::setenv(name, "planted", 1);
  ExecOptions options;
  options.command = "env";
  options.variables = {"EGG_PASSED"};
  auto child = llvm::cantFail(createExecClient(options));
  std::string seen = llvm::cantFail(child->complete(makeRequest())).text;
  EXPECT_TRUE(contains(seen, "EGG_PASSED=planted"));
  EXPECT_TRUE(contains(seen, "PATH="));
  EXPECT_FALSE(llvm::StringRef(seen).contains("API_KEY"));
  EXPECT_FALSE(llvm::StringRef(seen).contains("SOME_TOKEN"));
  options.variables = {"OPENAI_API_KEY"};
  auto refused = createExecClient(options);
  ASSERT_FALSE(bool(refused));
  EXPECT_TRUE(contains(llvm::toString(refused.takeError()),
                       "OPENAI_API_KEY holds a key of provider 'openai'"));
}

} // namespace
