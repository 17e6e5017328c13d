//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/Subprocess.h"
#include "Collector.h"
#include "MemoryWatch.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using llvm::Error;

namespace egg {

namespace {

Error systemError(const llvm::Twine &what, int code = errno) {
  return llvm::createStringError(std::error_code(code, std::generic_category()),
                                 what + ": " + strerror(code));
}

/// The limits as the kernel wants them, made before the fork, because only
/// async-signal-safe calls are allowed between fork and exec.
using ResourceLimits = llvm::SmallVector<std::pair<int, rlim_t>, 6>;

ResourceLimits resourceLimits(const ProcessLimits &limits) {
  ResourceLimits result;
  auto add = [&](int resource, std::optional<uint64_t> value) {
    if (value)
      result.push_back({resource, rlim_t(*value)});
  };
  add(RLIMIT_CPU, limits.cpuSeconds);
  add(RLIMIT_AS, limits.addressSpaceBytes);
  add(RLIMIT_FSIZE, limits.fileBytes);
  add(RLIMIT_NOFILE, limits.openFiles);
  add(RLIMIT_NPROC, limits.processes);
  // Crashes are expected here; they must not fill the disk.
  result.push_back({RLIMIT_CORE, 0});
  return result;
}

bool applyLimits(const ResourceLimits &limits) {
  for (auto [resource, value] : limits) {
    struct rlimit limit;
    if (::getrlimit(__rlimit_resource_t(resource), &limit) != 0)
      return false;
    rlim_t bound = std::min(value, limit.rlim_max);
    limit.rlim_cur = limit.rlim_max = bound;
    if (::setrlimit(__rlimit_resource_t(resource), &limit) != 0)
      return false;
  }
  return true;
}

/// Common first steps of a child. Async-signal-safe.
bool enterChild(const Pipe &in, const Pipe &out, const Pipe &err, pid_t parent,
                const HeldSignals &held) {
  ::setpgid(0, 0);
  RunningGroup::forgetAll();
  held.releaseInChild();
  // The child ends with the thread that waits for it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    return false;
  if (::dup2(in.read, 0) < 0 || ::dup2(out.write, 1) < 0 ||
      ::dup2(err.write, 2) < 0)
    return false;
  // What a tool ignores for itself must still end a child.
  for (int signal : {SIGPIPE, SIGXFSZ})
    ::signal(signal, SIG_DFL);
  return true;
}

/// Writing to a child that has ended must not end the parent.
class IgnorePipeSignal {
public:
  IgnorePipeSignal() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &old);
  }
  ~IgnorePipeSignal() { ::sigaction(SIGPIPE, &old, nullptr); }

private:
  struct sigaction old = {};
};

/// argv or envp made of pointers into strings that outlive the exec.
llvm::SmallVector<char *> pointers(const std::vector<std::string> &strings) {
  llvm::SmallVector<char *> result;
  for (const std::string &string : strings)
    result.push_back(const_cast<char *>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

} // namespace

bool ProcessResult::ranOutOfTime() const {
  return end == End::TimedOut || (end == End::Signalled && signal == SIGXCPU);
}

std::string ProcessResult::describeEnd() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (end) {
  case End::Exited:
    os << "exited with code " << exitCode;
    break;
  case End::Signalled:
    if (signal == SIGXCPU || signal == SIGXFSZ || signal == SIGKILL)
      os << "was stopped: " << strsignal(signal);
    else
      os << "crashed: " << strsignal(signal);
    break;
  case End::TimedOut:
    os << "was stopped after " << llvm::format("%.3g", wallSeconds) << " s";
    break;
  case End::TooMuchOutput:
    os << "was stopped for writing too much output";
    break;
  case End::OutOfMemory:
    os << "ran out of memory";
    break;
  case End::StackOverflow:
    os << "crashed: the stack overflowed, by recursion without end or large "
          "local variables";
    break;
  }
  return text;
}

llvm::Expected<ProcessResult> runProcess(const ProcessRequest &request) {
  std::string program = request.program;
  if (program.find('/') == std::string::npos) {
    auto found = llvm::sys::findProgramByName(program);
    if (!found)
      return llvm::createStringError(
          found.getError(), "cannot find program '" + program +
                                "' on PATH; install it or give its path");
    program = *found;
  }
  std::vector<std::string> argumentStrings = {program};
  llvm::append_range(argumentStrings, request.arguments);
  auto argv = pointers(argumentStrings);
  llvm::SmallVector<char *> envp;
  if (request.environment)
    envp = pointers(*request.environment);
  ResourceLimits limits = resourceLimits(request.limits);

  Pipe in, out, err, failed;
  if (!in.open() || !out.open() || !err.open() || !failed.open())
    return systemError("cannot open pipes for '" + program + "'");
  IgnorePipeSignal ignorePipeSignal;
  pid_t parent = ::getpid();
  HeldSignals held;
  pid_t child = ::fork();
  if (child < 0)
    return systemError("cannot start '" + program + "'");
  if (child == 0) {
    bool ready = enterChild(in, out, err, parent, held) &&
                 (request.workingDirectory.empty() ||
                  ::chdir(request.workingDirectory.c_str()) == 0);
    // Files that libraries opened without close-on-exec stay with the parent.
    if (ready)
      ::syscall(SYS_close_range, 3u, ~0u, 4u /*CLOSE_RANGE_CLOEXEC*/);
    if (ready && applyLimits(limits))
      ::execve(program.c_str(), argv.data(),
               request.environment ? envp.data() : environ);
    int code = errno;
    (void)!::write(failed.write, &code, sizeof code);
    ::_exit(127);
  }
  Pipe::closeEnd(in.read);
  Pipe::closeEnd(out.write);
  Pipe::closeEnd(err.write);
  Pipe::closeEnd(failed.write);
  int code = 0;
  ssize_t got;
  do
    got = ::read(failed.read, &code, sizeof code);
  while (got < 0 && errno == EINTR);
  if (got == sizeof code) {
    ::waitpid(child, nullptr, 0);
    return systemError("cannot run '" + program + "'", code);
  }
  Collector collector(child, in, out, err, request.input, request.limits);
  held.release();
  return collector.run();
}

llvm::Expected<ProcessResult>
runInChild(llvm::function_ref<int(llvm::raw_ostream &)> body,
           const ProcessLimits &asked) {
  ProcessLimits limits = asked;
  if (kIsAddressSanitized)
    limits.addressSpaceBytes.reset();
  ResourceLimits resources = resourceLimits(limits);
  Pipe in, out, err, memory;
  if (!in.open() || !out.open() || !err.open() || !memory.open())
    return systemError("cannot open pipes for a child process");
  // Else both processes would print what is buffered.
  llvm::outs().flush();
  llvm::errs().flush();
  ::fflush(nullptr);
  pid_t parent = ::getpid();
  HeldSignals held;
  pid_t child = ::fork();
  if (child < 0)
    return systemError("cannot start a child process");
  if (child == 0) {
    if (!enterChild(in, out, err, parent, held) || !applyLimits(resources))
      ::_exit(127);
    for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE})
      ::signal(signal, SIG_DFL);
    if (limits.addressSpaceBytes)
      watchMemory(memory.write);
    int code;
    {
      llvm::raw_fd_ostream stream(1, /*shouldClose=*/false);
      code = body(stream);
      stream.flush();
    }
    llvm::errs().flush();
    ::fflush(nullptr);
    // No destructors, no atexit: they belong to the parent.
    ::_exit(code);
  }
  Pipe::closeEnd(in.read);
  Pipe::closeEnd(out.write);
  Pipe::closeEnd(err.write);
  Pipe::closeEnd(memory.write);
  Collector collector(child, in, out, err, "", limits);
  held.release();
  ProcessResult result = collector.run();
  ::fcntl(memory.read, F_SETFL, O_NONBLOCK);
  char mark;
  if (result.end == ProcessResult::End::Exited &&
      ::read(memory.read, &mark, 1) == 1)
    result.end = mark == kStackMark ? ProcessResult::End::StackOverflow
                                    : ProcessResult::End::OutOfMemory;
  return result;
}

} // namespace egg
