//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Files and directories are whole or absent, also when writing fails.
//
//===----------------------------------------------------------------------===//
#include "egg/Support/Files.h"
#include "egg/Support/Subprocess.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace egg;
namespace fs = llvm::sys::fs;

namespace {

class FilesTest : public ::testing::Test {
protected:
  FilesTest() { fs::createUniqueDirectory("egg-files", root); }
  ~FilesTest() override { fs::remove_directories(root); }

  std::string at(llvm::StringRef name) {
    llvm::SmallString<128> result(root);
    llvm::sys::path::append(result, name);
    return result.str().str();
  }
  /// Number of entries in the scratch directory, temporaries included.
  int entries() {
    int count = 0;
    std::error_code code;
    for (fs::directory_iterator i(root, code), end; i != end && !code;
         i.increment(code))
      ++count;
    return count;
  }
  /// Of directories with a report.json that begins with "{".
  static DirectoryMark mark() {
    return {"report.json",
            [](llvm::StringRef content) { return content.starts_with("{"); },
            {"report.json", "old.txt", "new.txt"}};
  }
  /// That a directory at the path is kept, and why.
  static bool keeps(const std::string &path, llvm::StringRef why) {
    auto directory = AtomicDirectory::create(path, mark());
    return !directory && fails(directory.takeError(), why);
  }
  static bool fails(llvm::Error error, llvm::StringRef part) {
    if (!error)
      return false;
    return llvm::StringRef(llvm::toString(std::move(error))).contains(part);
  }

  llvm::SmallString<128> root;
};

TEST_F(FilesTest, WritesAndReplaces) {
  ASSERT_FALSE(bool(writeFileAtomically(at("a"), "one")));
  ASSERT_FALSE(bool(writeFileAtomically(at("a"), llvm::StringRef("t\0o", 3))));
  EXPECT_EQ(llvm::cantFail(readFile(at("a"))), std::string("t\0o", 3));
  EXPECT_EQ(entries(), 1);
}

TEST_F(FilesTest, MissingDirectoryIsAnError) {
  EXPECT_TRUE(fails(writeFileAtomically(at("none/a"), "x"), at("none/a")));
  EXPECT_EQ(entries(), 0);
}

TEST_F(FilesTest, FullDiskKeepsTheOldFile) {
  ASSERT_FALSE(bool(writeFileAtomically(at("a"), "old")));
  // A limit on the file size stands in for a full disk: write fails halfway.
  ProcessLimits limits;
  limits.fileBytes = 4096;
  std::string path = at("a");
  auto result = llvm::cantFail(runInChild(
      [&](llvm::raw_ostream &os) {
        ::signal(SIGXFSZ, SIG_IGN);
        llvm::Error error = writeFileAtomically(path, std::string(10000, 'x'));
        os << llvm::toString(std::move(error));
        return 7;
      },
      limits));
  EXPECT_EQ(result.exitCode, 7) << result.describeEnd();
  EXPECT_NE(result.standardOutput.find("File too large"), std::string::npos)
      << result.standardOutput;
  EXPECT_EQ(llvm::cantFail(readFile(at("a"))), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(FilesTest, DirectoryAppearsOnCommit) {
  {
    auto directory =
        llvm::cantFail(AtomicDirectory::create(at("out/"), mark()));
    ASSERT_FALSE(bool(directory.write("report.json", "{}")));
    ASSERT_FALSE(bool(directory.write("sub/k.ptx", "ptx")));
    EXPECT_FALSE(fs::exists(at("out")));
    ASSERT_FALSE(bool(directory.commit()));
  }
  EXPECT_EQ(llvm::cantFail(readFile(at("out/sub/k.ptx"))), "ptx");
  EXPECT_EQ(entries(), 1);
}

TEST_F(FilesTest, WithoutCommitNothingRemains) {
  {
    auto directory = llvm::cantFail(AtomicDirectory::create(at("out"), mark()));
    ASSERT_FALSE(bool(directory.write("report.json", "{}")));
  }
  EXPECT_EQ(entries(), 0);
}

TEST_F(FilesTest, FullDiskLeavesNoPartOfADirectory) {
  ProcessLimits limits;
  limits.fileBytes = 4096;
  std::string path = at("out");
  auto result = llvm::cantFail(runInChild(
      [&](llvm::raw_ostream &os) {
        ::signal(SIGXFSZ, SIG_IGN);
        auto directory = llvm::cantFail(AtomicDirectory::create(path, mark()));
        llvm::cantFail(directory.write("report.json", "{}"));
        os << llvm::toString(
            directory.write("sub/k.ptx", std::string(10000, 'x')));
        return 7;
      },
      limits));
  EXPECT_EQ(result.exitCode, 7) << result.describeEnd();
  // By the name it would have got, not that of the temporary directory.
  EXPECT_EQ(result.standardOutput,
            "cannot write '" + path + "/sub/k.ptx': File too large");
  EXPECT_EQ(entries(), 0);
}

TEST_F(FilesTest, FullDeviceIsAnError) {
  EXPECT_TRUE(fails(writeFileAtomically("/dev/full", "x"),
                    "cannot write '/dev/full': No space left on device"));
}

TEST_F(FilesTest, CommitReplacesOwnDirectoryWhole) {
  for (const char *name : {"old.txt", "new.txt"}) {
    auto directory = llvm::cantFail(AtomicDirectory::create(at("out"), mark()));
    ASSERT_FALSE(bool(directory.write("report.json", "{}")));
    ASSERT_FALSE(bool(directory.write(name, name)));
    ASSERT_FALSE(bool(directory.commit()));
  }
  EXPECT_TRUE(fs::exists(at("out/new.txt")));
  EXPECT_FALSE(fs::exists(at("out/old.txt")));
  EXPECT_EQ(entries(), 1);
}

TEST_F(FilesTest, ForeignDirectoryIsKept) {
  fs::create_directory(at("home"));
  ASSERT_FALSE(bool(writeFileAtomically(at("home/thesis"), "years")));
  auto directory = AtomicDirectory::create(at("home"), mark());
  ASSERT_FALSE(bool(directory));
  EXPECT_TRUE(fails(directory.takeError(), "choose another directory"));
  EXPECT_EQ(llvm::cantFail(readFile(at("home/thesis"))), "years");
}

TEST_F(FilesTest, DirectoryWithAReportOfSomethingElseIsKept) {
  fs::create_directory(at("home"));
  ASSERT_FALSE(bool(writeFileAtomically(at("home/report.json"), "[1]")));
  EXPECT_TRUE(keeps(at("home"), "has no report.json of EGG's"));
  EXPECT_EQ(llvm::cantFail(readFile(at("home/report.json"))), "[1]");
}

TEST_F(FilesTest, DirectoryWithOtherEntriesIsKept) {
  fs::create_directory(at("home"));
  ASSERT_FALSE(bool(writeFileAtomically(at("home/report.json"), "{}")));
  ASSERT_FALSE(bool(writeFileAtomically(at("home/thesis"), "years")));
  EXPECT_TRUE(keeps(at("home"), "it holds 'thesis'"));
  EXPECT_EQ(llvm::cantFail(readFile(at("home/thesis"))), "years");
  fs::remove(at("home/thesis"));
  // A folder may hold anything, whatever its name is; a link is another's file.
  fs::create_directory(at("home/old.txt"));
  EXPECT_TRUE(keeps(at("home"), "it holds 'old.txt'"));
  fs::remove(at("home/old.txt"));
  fs::create_link(at("home/report.json"), at("home/new.txt"));
  EXPECT_TRUE(keeps(at("home"), "it holds 'new.txt'"));
}

TEST_F(FilesTest, WhatComesBeforeCommitIsKept) {
  {
    auto directory = llvm::cantFail(AtomicDirectory::create(at("out"), mark()));
    ASSERT_FALSE(bool(directory.write("report.json", "{}")));
    fs::create_directory(at("out"));
    ASSERT_FALSE(bool(writeFileAtomically(at("out/thesis"), "years")));
    EXPECT_TRUE(fails(directory.commit(), "so EGG did not make it"));
  }
  EXPECT_EQ(llvm::cantFail(readFile(at("out/thesis"))), "years");
  EXPECT_EQ(entries(), 1);
}

TEST_F(FilesTest, NameMustStayInside) {
  auto directory = llvm::cantFail(AtomicDirectory::create(at("out"), mark()));
  EXPECT_TRUE(fails(directory.write("../escape", "x"), "leaves"));
  EXPECT_TRUE(fails(directory.write("/tmp/escape", "x"), "leaves"));
  EXPECT_FALSE(fs::exists(at("escape")));
}

TEST_F(FilesTest, WritesToAPipeInsteadOfReplacingIt) {
  std::string pipe = at("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  int reader = ::open(pipe.c_str(), O_RDWR);
  ASSERT_GE(reader, 0);
  EXPECT_FALSE(llvm::errorToBool(writeFileAtomically(pipe, "text")));
  char text[4] = {};
  EXPECT_EQ(::read(reader, text, 4), 4);
  EXPECT_EQ(llvm::StringRef(text, 4), "text");
  ::close(reader);
  EXPECT_FALSE(fs::is_regular_file(pipe));
  EXPECT_EQ(entries(), 1);
}

TEST_F(FilesTest, FollowsALink) {
  std::string target = at("target"), link = at("link");
  ASSERT_FALSE(llvm::errorToBool(writeFileAtomically(target, "old")));
  ASSERT_FALSE(fs::create_link(target, link));
  ASSERT_FALSE(llvm::errorToBool(writeFileAtomically(link, "new")));
  EXPECT_TRUE(fs::is_symlink_file(link));
  auto content = readFile(target);
  ASSERT_TRUE(static_cast<bool>(content));
  EXPECT_EQ(*content, "new");
}

} // namespace
