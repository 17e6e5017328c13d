//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Trajectory.h"
#include "egg/Support/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace egg;
namespace json = llvm::json;

namespace {

class TrajectoryTest : public ::testing::Test {
protected:
  llvm::SmallString<128> path;

  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("egg", "jsonl", path));
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  std::unique_ptr<Trajectory> open(RecordMode mode) {
    auto trajectory = Trajectory::open(path, mode);
    if (!trajectory) {
      ADD_FAILURE() << llvm::toString(trajectory.takeError());
      return nullptr;
    }
    return std::move(*trajectory);
  }

  void add(Trajectory &trajectory, json::Object record) {
    if (llvm::Error error = trajectory.add(std::move(record)))
      ADD_FAILURE() << llvm::toString(std::move(error));
  }

  std::string text() { return llvm::cantFail(readFile(path)); }

  void append(llvm::StringRef more) {
    std::string whole = text() + more.str();
    llvm::cantFail(writeFileAtomically(path, whole));
  }
};

json::Object record(llvm::StringRef type, int64_t number) {
  return json::Object{{"type", type}, {"number", number}};
}

} // namespace

TEST_F(TrajectoryTest, ARecordIsALine) {
  add(*open(RecordMode::Record),
      json::Object{{"type", "session"}, {"text", "two\nlines"}});
  EXPECT_EQ(text(), "{\"text\":\"two\\nlines\",\"type\":\"session\"}\n");
  EXPECT_EQ(llvm::cantFail(readTrajectory(path)).size(), 1u);
}

TEST_F(TrajectoryTest, ATornEndIsCutOff) {
  add(*open(RecordMode::Record), record("session", 1));
  std::string whole = text();
  for (size_t cut = 1; cut < whole.size(); ++cut) {
    llvm::cantFail(writeFileAtomically(path, whole + whole.substr(0, cut)));
    EXPECT_EQ(llvm::cantFail(readTrajectory(path)).size(), 1u);
    auto trajectory = open(RecordMode::Resume);
    add(*trajectory, record("session", 1));
    add(*trajectory, record("session", 1));
    EXPECT_EQ(text(), whole + whole);
  }
}

TEST_F(TrajectoryTest, WhatIsThereMustComeAgain) {
  {
    auto trajectory = open(RecordMode::Record);
    add(*trajectory, record("session", 1));
    add(*trajectory, record("stage", 2));
  }
  auto trajectory = open(RecordMode::Resume);
  add(*trajectory, record("session", 1));
  std::string message = llvm::toString(trajectory->add(record("stage", 3)));
  EXPECT_NE(message.find(":2: the session takes another course"),
            std::string::npos)
      << message;
}

TEST_F(TrajectoryTest, WhatStoppedItNeedNotComeAgain) {
  {
    auto trajectory = open(RecordMode::Record);
    add(*trajectory, record("session", 1));
    add(*trajectory, record("stopped", 2));
    add(*trajectory, record("result", 3));
  }
  auto trajectory = open(RecordMode::Resume);
  add(*trajectory, record("session", 1));
  add(*trajectory, record("stage", 4));
  EXPECT_EQ(llvm::cantFail(readTrajectory(path)).size(), 4u);
}

/// Resumed, a session that comes to the end that is recorded adds nothing.
TEST_F(TrajectoryTest, TheSameEndIsWrittenOnce) {
  for (bool stops : {false, true}) {
    llvm::cantFail(writeFileAtomically(path, ""));
    std::string before;
    for (RecordMode mode :
         {RecordMode::Record, RecordMode::Resume, RecordMode::Resume}) {
      auto trajectory = open(mode);
      EXPECT_EQ(trajectory->isFinished(), mode == RecordMode::Resume && !stops);
      add(*trajectory, record("session", 1));
      if (stops)
        add(*trajectory, record("stopped", 2));
      add(*trajectory, record("result", 3));
      EXPECT_EQ(text(), before.empty() ? text() : before);
      before = text();
    }
  }
  // One that went on to the same result has two ends.
  auto trajectory = open(RecordMode::Resume);
  add(*trajectory, record("session", 1));
  add(*trajectory, record("stage", 4));
  add(*trajectory, record("result", 3));
  EXPECT_EQ(llvm::cantFail(readTrajectory(path)).size(), 5u);
}

/// Of several ends in a row the last one counts, and why it was is not
/// compared.
TEST_F(TrajectoryTest, StoppedTwiceItReplays) {
  auto stopped = [](llvm::StringRef reason) {
    return json::Object{{"type", "stopped"}, {"reason", reason}};
  };
  for (const char *reason : {"1.0 s", "2.0 s"}) {
    auto trajectory = open(RecordMode::Resume);
    add(*trajectory, record("session", 1));
    add(*trajectory, stopped(reason));
    add(*trajectory, record("result", 3));
  }
  EXPECT_EQ(llvm::cantFail(readTrajectory(path)).size(), 5u);
  auto trajectory = open(RecordMode::Replay);
  EXPECT_FALSE(trajectory->recordedStop());
  add(*trajectory, record("session", 1));
  EXPECT_EQ(trajectory->recordedStop(), "2.0 s");
  EXPECT_NE(
      llvm::toString(trajectory->finish()).find(":4: the session ended before"),
      std::string::npos);
  add(*trajectory, stopped("3.0 s"));
  add(*trajectory, record("result", 3));
  EXPECT_EQ(llvm::toString(trajectory->finish()), "");

  trajectory = open(RecordMode::Replay);
  add(*trajectory, record("session", 1));
  EXPECT_NE(llvm::toString(trajectory->add(record("result", 3)))
                .find(":4: the session takes another course"),
            std::string::npos);
}

TEST_F(TrajectoryTest, ASecondSessionIsNotMixedIn) {
  add(*open(RecordMode::Record), record("session", 1));
  auto second = Trajectory::open(path, RecordMode::Record);
  EXPECT_NE(llvm::toString(second.takeError()).find("holds a session already"),
            std::string::npos);
}

TEST_F(TrajectoryTest, TwoWritersAreRefused) {
  auto first = open(RecordMode::Record);
  auto second = Trajectory::open(path, RecordMode::Resume);
  EXPECT_NE(llvm::toString(second.takeError()).find("another process"),
            std::string::npos);
}

TEST_F(TrajectoryTest, DeepRecordsAreRefused) {
  append("{\"type\":\"session\"}\n{\"type\":" + std::string(200000, '[') +
         "\n");
  EXPECT_NE(llvm::toString(readTrajectory(path).takeError())
                .find(":2: the record is nested deeper than 64 brackets"),
            std::string::npos);
}

TEST_F(TrajectoryTest, BadLinesAreNamed) {
  append("{\"type\":\"session\"}\nnonsense\n");
  EXPECT_NE(llvm::toString(readTrajectory(path).takeError())
                .find(":2: the record is no JSON"),
            std::string::npos);
  llvm::cantFail(writeFileAtomically(path, "[1]\n"));
  EXPECT_NE(llvm::toString(readTrajectory(path).takeError())
                .find(":1: the record is no object with a \"type\""),
            std::string::npos);
}

json::Object attemptRecord(const Attempt &attempt) {
  json::Value value = toJSONValue(attempt);
  json::Object object = std::move(*value.getAsObject());
  object["type"] = "attempt";
  return object;
}

TEST_F(TrajectoryTest, OutcomesAreRecalled) {
  Attempt attempt, other;
  attempt.script = "module {}";
  attempt.stage.kernel = "k";
  Assessment assessment;
  assessment.measuredSeconds = 3;
  attempt.outcome = assessment;
  other.script = "other";
  other.id = 1;
  {
    auto trajectory = open(RecordMode::Record);
    add(*trajectory, attemptRecord(attempt));
    add(*trajectory, attemptRecord(other));
  }
  auto trajectory = open(RecordMode::Resume);
  const Attempt *known = trajectory->recall("module {}", attempt.stage);
  ASSERT_TRUE(known);
  EXPECT_EQ(*known, attempt);
  EXPECT_FALSE(trajectory->recall("module {}", Stage()));
  EXPECT_FALSE(trajectory->recall("module { }", attempt.stage));
  // Each in its turn.
  EXPECT_FALSE(trajectory->recall("other", Stage()));
  add(*trajectory, attemptRecord(attempt));
  EXPECT_TRUE(trajectory->recall("other", Stage()));
  EXPECT_EQ(trajectory->findLine(1), 2u);
  EXPECT_FALSE(trajectory->findLine(2));
}

/// What older headers do not say, the attempts do.
TEST_F(TrajectoryTest, WhetherItMeasuresIsKnown) {
  auto measures = [&](std::optional<bool> said,
                      llvm::ArrayRef<Attempt> attempts) {
    json::Object header{{"type", "session"}};
    if (said)
      header["measures"] = *said;
    std::string lines = llvm::formatv("{0}\n", json::Value(std::move(header)));
    for (const Attempt &attempt : attempts)
      lines += llvm::formatv("{0}\n", json::Value(attemptRecord(attempt)));
    llvm::cantFail(writeFileAtomically(path, lines));
    return open(RecordMode::Replay)->measures();
  };
  Attempt predicted, measured, refused, faulty;
  predicted.outcome = Assessment();
  Assessment timed;
  timed.measuredSeconds = 1;
  measured.outcome = timed;
  refused.outcome = faulty.outcome = Rejection();
  faulty.gpuSeconds = 4;
  EXPECT_EQ(measures(std::nullopt, {}), std::nullopt);
  EXPECT_EQ(measures(std::nullopt, {refused}), std::nullopt);
  EXPECT_EQ(measures(std::nullopt, {predicted, refused}), false);
  EXPECT_EQ(measures(std::nullopt, {measured}), true);
  EXPECT_EQ(measures(std::nullopt, {faulty}), true);
  EXPECT_EQ(measures(true, {}), true);
  EXPECT_EQ(measures(false, {}), false);
}

/// Root may write all, unless it gives that up.
class ReadOnlyTrajectoryTest : public TrajectoryTest {
protected:
  void SetUp() override {
    TrajectoryTest::SetUp();
    ASSERT_EQ(::syscall(SYS_capget, &header, capabilities), 0);
    overrides = capabilities[0].effective & (1U << CAP_DAC_OVERRIDE);
  }
  void TearDown() override {
    capabilities[0].effective |= overrides;
    ASSERT_EQ(::syscall(SYS_capset, &header, capabilities), 0);
    TrajectoryTest::TearDown();
  }
  void makeReadOnly() {
    ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
    capabilities[0].effective &= ~overrides;
    ASSERT_EQ(::syscall(SYS_capset, &header, capabilities), 0);
  }

private:
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct capabilities[2] = {};
  uint32_t overrides = 0;
};

TEST_F(ReadOnlyTrajectoryTest, AFinishedOneIsResumed) {
  {
    auto trajectory = open(RecordMode::Record);
    add(*trajectory, record("session", 1));
    add(*trajectory, record("result", 2));
  }
  makeReadOnly();
  auto trajectory = open(RecordMode::Resume);
  ASSERT_TRUE(trajectory);
  add(*trajectory, record("session", 1));
  add(*trajectory, record("result", 2));
  EXPECT_NE(llvm::toString(trajectory->add(record("result", 3)))
                .find("' cannot be written to: Permission denied; change"),
            std::string::npos);
}

TEST_F(ReadOnlyTrajectoryTest, AnotherIsNot) {
  add(*open(RecordMode::Record), record("session", 1));
  makeReadOnly();
  for (RecordMode mode : {RecordMode::Resume, RecordMode::Record})
    EXPECT_NE(llvm::toString(Trajectory::open(path, mode).takeError())
                  .find(": Permission denied"),
              std::string::npos);
}

TEST_F(TrajectoryTest, AReplayRepeatsAllAndNoMore) {
  {
    auto trajectory = open(RecordMode::Record);
    add(*trajectory, record("session", 1));
    add(*trajectory, record("stopped", 2));
    add(*trajectory, record("result", 3));
    add(*trajectory, record("stage", 4));
    add(*trajectory, record("result", 5));
  }
  std::string before = text();
  auto trajectory = open(RecordMode::Replay);
  add(*trajectory, record("session", 1));
  EXPECT_NE(llvm::toString(trajectory->finish())
                .find(":4: the session ended before the recorded one"),
            std::string::npos);
  // A session that went on did not end where it was stopped.
  add(*trajectory, record("stage", 4));
  add(*trajectory, record("result", 5));
  EXPECT_EQ(llvm::toString(trajectory->finish()), "");
  EXPECT_NE(llvm::toString(trajectory->add(record("stage", 6)))
                .find("goes on where the recorded one ends"),
            std::string::npos);
  EXPECT_EQ(text(), before);
}

TEST_F(TrajectoryTest, AReplayNeedsItsFile) {
  llvm::sys::fs::remove(path);
  auto trajectory = Trajectory::open(path, RecordMode::Replay);
  EXPECT_NE(llvm::toString(trajectory.takeError()).find("cannot read"),
            std::string::npos);
  EXPECT_FALSE(llvm::sys::fs::exists(path));
}
