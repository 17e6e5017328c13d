//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Children's process groups end with this process when a signal ends it. The
// kernel ends only the child itself then (PR_SET_PDEATHSIG), not what a
// program has started.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SUPPORT_RUNNINGGROUP_H
#define EGG_LIB_SUPPORT_RUNNINGGROUP_H

#include <atomic>
#include <csignal>
#include <sys/types.h>

namespace egg {

/// While it lives, SIGTERM, SIGINT and SIGHUP end the group before they do what
/// they did before, unless they are ignored.
class RunningGroup {
public:
  explicit RunningGroup(pid_t group);
  RunningGroup(const RunningGroup &) = delete;
  ~RunningGroup();

  /// In a forked copy, whose groups those of the parent are not; the signals
  /// end it without a word. Async-signal-safe.
  static void forgetAll();

private:
  std::atomic<pid_t> *slot;
};

/// While it lives, this thread gets none of these signals: from before a child
/// starts until its group is known.
class HeldSignals {
public:
  HeldSignals();
  HeldSignals(const HeldSignals &) = delete;
  ~HeldSignals() { release(); }

  void release();
  /// In the forked copy too, which inherits what is held.
  void releaseInChild() const;

private:
  sigset_t before;
  bool isHeld = true;
};

} // namespace egg

#endif // EGG_LIB_SUPPORT_RUNNINGGROUP_H
