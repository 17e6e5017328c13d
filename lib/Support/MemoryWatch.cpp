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
#include <ucontext.h>
#include <unistd.h>

namespace egg {

/// Where a forked copy tells that it ran into its limit on memory.
static int memoryMark = -1;

[[noreturn]] static void end(char mark) {
  (void)!::write(memoryMark, &mark, 1);
  ::_exit(127);
}

[[noreturn]] static void endForMemory() { end(kMemoryMark); }

/// Whether the access that was refused lies where a frame would: just below
/// the stack pointer, or above it in the frame that did not fit.
static bool isOnStack([[maybe_unused]] const siginfo_t *info,
                      [[maybe_unused]] const void *context) {
#if defined(__x86_64__)
  constexpr intptr_t reach = 64 * 1024;
  auto pointer = intptr_t(
      static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RSP]);
  auto address = reinterpret_cast<intptr_t>(info->si_addr);
  return address >= pointer - reach && address < pointer + reach;
#else
  return false;
#endif
}

/// A stack that cannot grow and code that does not look at a null pointer crash
/// instead of asking for memory again. Async-signal-safe.
static void endForMemoryOrCrash(int signal, siginfo_t *info, void *context) {
  constexpr size_t bytes = size_t(1) << 20;
  void *probe =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED)
    endForMemory();
  if (signal == SIGSEGV && isOnStack(info, context))
    end(kStackMark);
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
  action.sa_sigaction = endForMemoryOrCrash;
  // With SA_NODEFER the raised signal arrives in the handler.
  action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO;
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS})
    ::sigaction(signal, &action, nullptr);
}

} // namespace egg
