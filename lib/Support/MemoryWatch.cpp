//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MemoryWatch.h"
#include "llvm/Support/ErrorHandling.h"
#include <csignal>
#include <initializer_list>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace egg {

/// Where a forked copy tells that it ran into its limit on memory.
static int memoryMark = -1;

[[noreturn]] static void endForMemory() {
  (void)!::write(memoryMark, "m", 1);
  ::_exit(127);
}

/// A stack that cannot grow and code that does not look at a null pointer crash
/// instead of asking for memory again. Async-signal-safe.
static void endForMemoryOrCrash(int signal) {
  constexpr size_t bytes = size_t(1) << 20;
  void *probe =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED)
    endForMemory();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void watchMemory(int mark) {
  memoryMark = mark;
  std::set_new_handler(endForMemory);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endForMemory(); });
  alignas(16) static char stack[1 << 16];
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  ::sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_handler = endForMemoryOrCrash;
  // With SA_NODEFER the raised signal arrives in the handler.
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS})
    ::sigaction(signal, &action, nullptr);
}

} // namespace egg
