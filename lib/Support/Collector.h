//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The parent's side of a child that runs: its streams, its limits, its end.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SUPPORT_COLLECTOR_H
#define EGG_LIB_SUPPORT_COLLECTOR_H

#include "RunningGroup.h"
#include "egg/Support/Subprocess.h"
#include <chrono>
#include <sys/resource.h>

namespace egg {

/// A pipe whose ends close by themselves.
struct Pipe {
  int read = -1, write = -1;
  Pipe() = default;
  Pipe(const Pipe &) = delete;
  ~Pipe() {
    closeEnd(read);
    closeEnd(write);
  }
  bool open();
  static void closeEnd(int &fd);
};

/// Feeds the input, collects the output and waits for the end.
class Collector {
public:
  Collector(pid_t child, Pipe &in, Pipe &out, Pipe &err, llvm::StringRef input,
            const ProcessLimits &limits)
      : child(child), in(in), out(out), err(err), input(input), limits(limits) {
  }

  ProcessResult run();

private:
  double elapsed() const;
  void stop(ProcessResult::End end);
  bool reaped();
  void transfer();
  void feed();
  void drain(int &fd, std::string &text);
  void interpretStatus();

  pid_t child;
  RunningGroup group{child};
  Pipe &in, &out, &err;
  llvm::StringRef input;
  const ProcessLimits &limits;
  ProcessResult result;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  int status = 0;
  struct rusage usage = {};
};

} // namespace egg

#endif // EGG_LIB_SUPPORT_COLLECTOR_H
