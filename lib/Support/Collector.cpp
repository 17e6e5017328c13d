//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Collector.h"
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace egg;

bool Pipe::open() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return false;
  read = ends[0];
  write = ends[1];
  return true;
}

void Pipe::closeEnd(int &fd) {
  if (fd >= 0)
    ::close(fd);
  fd = -1;
}

ProcessResult Collector::run() {
  for (int fd : {in.write, out.read, err.read})
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  if (input.empty())
    Pipe::closeEnd(in.write);
  bool killed = false;
  while (!reaped()) {
    if (!killed && limits.wallSeconds && elapsed() >= *limits.wallSeconds) {
      stop(ProcessResult::End::TimedOut);
      killed = true;
    }
    transfer();
    if (!killed && result.end == ProcessResult::End::TooMuchOutput) {
      stop(ProcessResult::End::TooMuchOutput);
      killed = true;
    }
  }
  result.wallSeconds = elapsed();
  // Whatever the child left running keeps the pipes open: end it.
  ::kill(-child, SIGKILL);
  drain(out.read, result.standardOutput);
  drain(err.read, result.standardError);
  if (!killed)
    interpretStatus();
  result.peakMemoryBytes = uint64_t(usage.ru_maxrss) * 1024;
  return std::move(result);
}

double Collector::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

void Collector::stop(ProcessResult::End end) {
  result.end = end;
  ::kill(-child, SIGKILL);
  // The group may not exist yet if the child has not run at all.
  ::kill(child, SIGKILL);
}

bool Collector::reaped() {
  // With every pipe closed there is nothing to poll for: the child is about
  // to end or has detached its streams.
  pid_t pid;
  do
    pid = ::wait4(child, &status, WNOHANG, &usage);
  while (pid < 0 && errno == EINTR);
  return pid == child || (pid < 0 && errno == ECHILD);
}

void Collector::transfer() {
  std::array<pollfd, 3> fds = {
      {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}, {in.write, POLLOUT, 0}}};
  double left = limits.wallSeconds ? *limits.wallSeconds - elapsed() : 1;
  bool open = out.read >= 0 || err.read >= 0;
  // Once both streams are closed the end is near: look more often.
  int wait = std::clamp(int(std::ceil(left * 1000)), 1, open ? 20 : 1);
  if (::poll(fds.data(), fds.size(), wait) <= 0)
    return;
  if (fds[0].revents)
    drain(out.read, result.standardOutput);
  if (fds[1].revents)
    drain(err.read, result.standardError);
  if (fds[2].revents)
    feed();
}

void Collector::feed() {
  ssize_t written = ::write(in.write, input.data(), input.size());
  if (written > 0)
    input = input.drop_front(written);
  else if (errno != EAGAIN && errno != EINTR)
    input = "";
  if (input.empty())
    Pipe::closeEnd(in.write);
}

void Collector::drain(int &fd, std::string &text) {
  char buffer[65536];
  while (fd >= 0) {
    ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && errno == EAGAIN)
      return;
    if (got <= 0)
      return Pipe::closeEnd(fd);
    uint64_t room = limits.outputBytes - text.size();
    text.append(buffer, std::min<uint64_t>(got, room));
    if (uint64_t(got) > room) {
      if (result.end == ProcessResult::End::Exited)
        result.end = ProcessResult::End::TooMuchOutput;
      return;
    }
  }
}

void Collector::interpretStatus() {
  // An overrun noticed only after the child's end still counts.
  if (result.end == ProcessResult::End::TooMuchOutput)
    return;
  if (WIFSIGNALED(status)) {
    result.end = ProcessResult::End::Signalled;
    result.signal = WTERMSIG(status);
  } else {
    result.exitCode = WEXITSTATUS(status);
  }
}
