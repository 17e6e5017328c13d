//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Child processes: every way to end is a result, every limit holds, and the
// parent lives on.
//
//===----------------------------------------------------------------------===//
#include "egg/Support/Subprocess.h"
#include "llvm/Support/Allocator.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EGG_ASAN 1
#endif
#endif

using namespace egg;
using End = ProcessResult::End;

namespace {

ProcessResult shell(const char *script, ProcessLimits limits = {},
                    std::string input = "") {
  ProcessRequest request;
  request.program = "sh";
  request.arguments = {"-c", script};
  request.input = std::move(input);
  request.limits = limits;
  return llvm::cantFail(runProcess(request));
}

TEST(SubprocessTest, ExitCodeAndStreams) {
  ProcessResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.end, End::Exited);
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.standardOutput, "out\n");
  EXPECT_EQ(result.standardError, "err\n");
  EXPECT_EQ(result.describeEnd(), "exited with code 3");
  EXPECT_GT(result.peakMemoryBytes, 0u);
}

TEST(SubprocessTest, LargeInputReturns) {
  std::string input(3 << 20, 'x');
  EXPECT_EQ(shell("cat", {}, input).standardOutput, input);
}

TEST(SubprocessTest, UnreadInputIsNoError) {
  EXPECT_TRUE(shell("exit 0", {}, std::string(3 << 20, 'x')).succeeded());
}

TEST(SubprocessTest, MissingProgramIsAnError) {
  ProcessRequest request;
  request.program = "egg-no-such-program";
  auto result = runProcess(request);
  ASSERT_FALSE(bool(result));
  std::string message = llvm::toString(result.takeError());
  EXPECT_NE(message.find("'egg-no-such-program'"), std::string::npos);
  request.program = "/etc/passwd";
  result = runProcess(request);
  ASSERT_FALSE(bool(result));
  message = llvm::toString(result.takeError());
  EXPECT_NE(message.find("Permission denied"), std::string::npos) << message;
}

TEST(SubprocessTest, EnvironmentAndDirectory) {
  ProcessRequest request;
  request.program = "/bin/sh";
  request.arguments = {"-c", "echo $EGG_X; pwd"};
  request.environment = {"EGG_X=7"};
  request.workingDirectory = "/";
  EXPECT_EQ(llvm::cantFail(runProcess(request)).standardOutput, "7\n/\n");
}

TEST(SubprocessTest, EndlessLoopIsStopped) {
  ProcessLimits limits;
  limits.wallSeconds = 0.3;
  ProcessResult result = shell("while :; do :; done", limits);
  EXPECT_EQ(result.end, End::TimedOut);
  EXPECT_GE(result.wallSeconds, 0.3);
  EXPECT_LT(result.wallSeconds, 10);
}

/// Gone within two seconds, or a zombie that init has not collected yet.
bool ends(pid_t process) {
  for (int i = 0; i < 200; ++i) {
    std::string stat =
        shell(("cat /proc/" + std::to_string(process) + "/stat 2>/dev/null")
                  .c_str())
            .standardOutput;
    if (stat.empty() || stat.find(") Z") != std::string::npos)
      return true;
    ::usleep(10000);
  }
  return false;
}

TEST(SubprocessTest, GrandchildrenEndToo) {
  ProcessLimits limits;
  limits.wallSeconds = 30;
  // The background process holds the pipe open; without ending it the call
  // would wait for a minute.
  ProcessResult result = shell("sleep 60 & echo $!", limits);
  ASSERT_TRUE(result.succeeded());
  EXPECT_LT(result.wallSeconds, 20);
  pid_t grandchild = std::atoi(result.standardOutput.c_str());
  ASSERT_GT(grandchild, 0);
  EXPECT_TRUE(ends(grandchild));
}

/// The pid that a process writes to the pipe.
pid_t readPid(int pipe) {
  std::string text;
  for (char c; ::read(pipe, &c, 1) == 1 && c != '\n';)
    text += c;
  return std::atoi(text.c_str());
}

TEST(SubprocessTest, GrandchildrenEndWhenASignalEndsTheParent) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  std::string script = "sleep 60 & echo $! > /proc/" +
                       std::to_string(::getpid()) + "/fd/" +
                       std::to_string(pipe[1]) + "; wait";
  pid_t parent = ::fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    shell(script.c_str());
    ::_exit(0);
  }
  pid_t grandchild = readPid(pipe[0]);
  ASSERT_GT(grandchild, 0);
  ::kill(parent, SIGTERM);
  int status = 0;
  ::waitpid(parent, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  EXPECT_TRUE(ends(grandchild));
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(SubprocessTest, IgnoredSignalsStayIgnored) {
  auto old = ::signal(SIGHUP, SIG_IGN);
  auto result = llvm::cantFail(runInChild(
      [](llvm::raw_ostream &) {
        ProcessResult inner = shell("kill -HUP $PPID");
        return inner.succeeded() ? 7 : 1;
      },
      {}));
  ::signal(SIGHUP, old);
  EXPECT_EQ(result.exitCode, 7);
}

TEST(SubprocessTest, ProcessorTimeLimit) {
  ProcessLimits limits;
  limits.cpuSeconds = 1;
  limits.wallSeconds = 60;
  ProcessResult result = shell("while :; do :; done", limits);
  EXPECT_EQ(result.end, End::Signalled);
  EXPECT_TRUE(result.signal == SIGXCPU || result.signal == SIGKILL);
}

TEST(SubprocessTest, TooMuchOutputIsStopped) {
  ProcessLimits limits;
  limits.outputBytes = 1000;
  limits.wallSeconds = 60;
  ProcessResult result = shell("while :; do echo aaaaaaaa; done", limits);
  EXPECT_EQ(result.end, End::TooMuchOutput);
  EXPECT_EQ(result.standardOutput.size(), 1000u);
}

TEST(SubprocessTest, FileSizeAndOpenFiles) {
  ProcessLimits limits;
  limits.fileBytes = 0;
  EXPECT_FALSE(shell("f=$(mktemp) && trap 'rm -f $f' EXIT && "
                     "head -c 9999 /dev/zero > $f",
                     limits)
                   .succeeded());
  limits = {};
  limits.openFiles = 3;
  EXPECT_FALSE(shell("exec 5< /dev/null", limits).succeeded());
}

TEST(SubprocessTest, ParentsFilesAreNotInherited) {
  int fds[2];
  ASSERT_EQ(::pipe(fds), 0);
  std::string script = "echo x >&" + std::to_string(fds[1]);
  if (fds[1] <= 9) // the shell takes one digit
    EXPECT_FALSE(shell(script.c_str()).succeeded());
  ::close(fds[0]);
  ::close(fds[1]);
}

TEST(SubprocessTest, CrashOfAFunctionIsAResult) {
  auto result = llvm::cantFail(runInChild(
      [](llvm::raw_ostream &os) -> int {
        os << "before";
        os.flush();
        ::raise(SIGSEGV);
        return 0;
      },
      {}));
  EXPECT_EQ(result.end, End::Signalled);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.standardOutput, "before");
  EXPECT_EQ(result.describeEnd(), "crashed: Segmentation fault");
}

TEST(SubprocessTest, AbortOfAFunctionIsAResult) {
  auto result = llvm::cantFail(
      runInChild([](llvm::raw_ostream &) -> int { std::abort(); }, {}));
  EXPECT_EQ(result.end, End::Signalled);
  EXPECT_EQ(result.signal, SIGABRT);
}

TEST(SubprocessTest, FunctionReturnsTextAndCode) {
  auto result = llvm::cantFail(runInChild(
      [](llvm::raw_ostream &os) {
        os << std::string(200000, 'y');
        return 5;
      },
      {}));
  EXPECT_EQ(result.exitCode, 5);
  EXPECT_EQ(result.standardOutput.size(), 200000u);
}

TEST(SubprocessTest, HangingFunctionIsStopped) {
  ProcessLimits limits;
  limits.wallSeconds = 0.2;
  auto result = llvm::cantFail(runInChild(
      [](llvm::raw_ostream &) -> int {
        while (true)
          ::pause();
      },
      limits));
  EXPECT_EQ(result.end, End::TimedOut);
}

TEST(SubprocessTest, AddressSpaceLimit) {
#ifdef EGG_ASAN
  GTEST_SKIP() << "AddressSanitizer reserves its shadow in address space";
#endif
  ProcessLimits limits;
  limits.addressSpaceBytes = uint64_t(4) << 30;
  auto result = llvm::cantFail(runInChild(
      [](llvm::raw_ostream &) {
        void *block =
            ::mmap(nullptr, size_t(8) << 30, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return block == MAP_FAILED ? 11 : 0;
      },
      limits));
  EXPECT_EQ(result.exitCode, 11) << result.describeEnd();
}

/// However a function runs out of memory, the result says that it did.
TEST(SubprocessTest, OutOfMemoryIsAResult) {
#ifdef EGG_ASAN
  GTEST_SKIP() << "AddressSanitizer reserves its shadow in address space";
#endif
  using Body = int (*)(llvm::raw_ostream &);
  const Body bodies[] = {
      // operator new
      [](llvm::raw_ostream &) -> int {
        for (std::vector<std::unique_ptr<char[]>> blocks;;)
          blocks.emplace_back(new char[1 << 20]);
      },
      // LLVM's containers
      [](llvm::raw_ostream &) -> int {
        for (llvm::BumpPtrAllocator allocator;;)
          *static_cast<volatile char *>(allocator.Allocate(1 << 20, 8)) = 1;
      },
      // a null pointer that nobody looked at
      [](llvm::raw_ostream &) -> int {
        for (;;)
          *static_cast<volatile char *>(std::malloc(1 << 18)) = 1;
      }};
  ProcessLimits limits;
  limits.addressSpaceBytes = uint64_t(1) << 30;
  for (Body body : bodies) {
    ProcessResult result = llvm::cantFail(runInChild(body, limits));
    EXPECT_EQ(result.end, End::OutOfMemory) << result.describeEnd();
    EXPECT_FALSE(result.succeeded());
    EXPECT_EQ(result.describeEnd(), "ran out of memory");
  }
  // A crash with memory left is one.
  ProcessResult crash = llvm::cantFail(
      runInChild([](llvm::raw_ostream &) -> int { std::abort(); }, limits));
  EXPECT_EQ(crash.end, End::Signalled);
  EXPECT_EQ(crash.signal, SIGABRT);
}

/// A tool that ignores these signals for its own writes starts children that
/// they end.
TEST(SubprocessTest, IgnoredSignalsAreNotInherited) {
  for (int signal : {SIGPIPE, SIGXFSZ}) {
    auto old = ::signal(signal, SIG_IGN);
    std::string script = "kill -" + std::to_string(signal) + " $$; exit 5";
    ProcessResult result = shell(script.c_str());
    ::signal(signal, old);
    EXPECT_EQ(result.end, End::Signalled);
    EXPECT_EQ(result.signal, signal);
  }
}

TEST(SubprocessTest, ProcessLimit) {
  ProcessLimits limits;
  limits.processes = 0;
  auto result = llvm::cantFail(runInChild(
      [](llvm::raw_ostream &) {
        // The superuser is not held to the limit, so become someone else.
        if (::geteuid() == 0 && ::setuid(65534) != 0)
          return 1;
        return ::fork() < 0 ? 11 : 0;
      },
      limits));
  EXPECT_EQ(result.exitCode, 11);
}

} // namespace
