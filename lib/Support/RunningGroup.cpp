//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RunningGroup.h"
#include <array>

using namespace egg;

static constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP};

// Plain memory, because a signal handler reads it. More children at a time than
// places are left to PR_SET_PDEATHSIG.
static std::array<std::atomic<pid_t>, 256> groups;
static struct sigaction before[std::size(kSignals)];
static std::atomic<bool> installed;

static void endGroups(int signal) {
  for (std::atomic<pid_t> &group : groups)
    if (pid_t id = group.load())
      ::kill(-id, SIGKILL);
  for (size_t i = 0; i < std::size(kSignals); ++i)
    if (kSignals[i] == signal)
      ::sigaction(signal, &before[i], nullptr);
  // Comes when this handler returns.
  ::raise(signal);
}

static void install() {
  if (installed.exchange(true))
    return;
  struct sigaction end = {};
  end.sa_handler = endGroups;
  end.sa_flags = SA_RESTART;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    ::sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      ::sigaction(kSignals[i], &end, nullptr);
  }
}

HeldSignals::HeldSignals() {
  sigset_t held;
  ::sigemptyset(&held);
  for (int signal : kSignals)
    ::sigaddset(&held, signal);
  ::pthread_sigmask(SIG_BLOCK, &held, &before);
}

void HeldSignals::releaseInChild() const {
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void HeldSignals::release() {
  if (isHeld)
    releaseInChild();
  isHeld = false;
}

RunningGroup::RunningGroup(pid_t group) : slot(nullptr) {
  install();
  for (std::atomic<pid_t> &place : groups) {
    pid_t none = 0;
    if (place.compare_exchange_strong(none, group)) {
      slot = &place;
      return;
    }
  }
}

RunningGroup::~RunningGroup() {
  if (slot)
    slot->store(0);
}

void RunningGroup::forgetAll() {
  for (std::atomic<pid_t> &group : groups)
    group.store(0);
  for (int signal : kSignals) {
    struct sigaction action;
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN)
      ::signal(signal, SIG_DFL);
  }
  installed = false;
}
