//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Context switches for fibers: a few instructions on x86-64, ucontext
// elsewhere.
//
//===----------------------------------------------------------------------===//
#include "Fiber.h"
#include <cassert>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EGG_ASAN 1
#include <sanitizer/common_interface_defs.h>
#endif
#endif

using namespace egg::simt;

StackPool::~StackPool() {
  size_t page = sysconf(_SC_PAGESIZE);
  for (char *stack : stacks)
    munmap(stack - page, stackBytes + page);
}

bool StackPool::reserve(size_t count) {
  size_t page = sysconf(_SC_PAGESIZE);
  while (stacks.size() < count) {
    void *memory =
        mmap(nullptr, stackBytes + page, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    mprotect(memory, page, PROT_NONE);
    stacks.push_back(static_cast<char *>(memory) + page);
  }
  return true;
}

#if defined(__x86_64__)
// Saves the callee-saved registers on the stack, stores the stack pointer in
// *rdi and continues from the stack pointer in rsi. The floating-point control
// words are the same in every fiber and are left alone.
extern "C" void eggFiberSwitch(void **save, void *load);
extern "C" void eggFiberTrampoline();
asm(R"(
  .text
  .globl eggFiberSwitch
  .type eggFiberSwitch, @function
eggFiberSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size eggFiberSwitch, .-eggFiberSwitch
  .globl eggFiberTrampoline
  .type eggFiberTrampoline, @function
eggFiberTrampoline:
  movq %r13, %rdi
  callq *%r12
  ud2
  .size eggFiberTrampoline, .-eggFiberTrampoline
)");
#endif

void Fiber::start(const StackPool &pool, size_t stack, void (*newEntry)(void *),
                  void *newArgument) {
  entry = newEntry;
  argument = newArgument;
  finished = false;
  stackBottom = pool.top(stack) - pool.bytes();
  stackSize = pool.bytes();
  fakeStack = nullptr;
#if defined(__x86_64__)
  auto **frame = reinterpret_cast<void **>(pool.top(stack));
  *--frame = nullptr; // keeps the stack aligned at the trampoline's call
  *--frame = nullptr;
  *--frame = reinterpret_cast<void *>(&eggFiberTrampoline);
  *--frame = nullptr;                               // rbp
  *--frame = nullptr;                               // rbx
  *--frame = reinterpret_cast<void *>(&Fiber::run); // r12
  *--frame = this;                                  // r13
  *--frame = nullptr;                               // r14
  *--frame = nullptr;                               // r15
  inside = frame;
#else
  getcontext(&inside);
  inside.uc_stack.ss_sp = const_cast<void *>(stackBottom);
  inside.uc_stack.ss_size = stackSize;
  inside.uc_link = nullptr;
  auto bits = reinterpret_cast<uintptr_t>(this);
  makecontext(&inside, reinterpret_cast<void (*)()>(&Fiber::runUContext), 2,
              unsigned(bits), unsigned(uint64_t(bits) >> 32));
#endif
}

#if !defined(__x86_64__)
void Fiber::runUContext(unsigned low, unsigned high) {
  run(reinterpret_cast<Fiber *>(uintptr_t(uint64_t(high) << 32 | low)));
}
#endif

void Fiber::run(Fiber *fiber) {
#ifdef EGG_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &fiber->outsideBottom,
                                  &fiber->outsideSize);
#endif
  fiber->entry(fiber->argument);
  fiber->finished = true;
  fiber->suspend();
  assert(false && "a finished fiber was resumed");
}

bool Fiber::resume() {
  assert(!finished && "the fiber has nothing to run");
#ifdef EGG_ASAN
  void *outsideFake = nullptr;
  __sanitizer_start_switch_fiber(&outsideFake, stackBottom, stackSize);
#endif
#if defined(__x86_64__)
  eggFiberSwitch(&outside, inside);
#else
  swapcontext(&outside, &inside);
#endif
#ifdef EGG_ASAN
  __sanitizer_finish_switch_fiber(outsideFake, nullptr, nullptr);
#endif
  return !finished;
}

void Fiber::suspend() {
#ifdef EGG_ASAN
  __sanitizer_start_switch_fiber(finished ? nullptr : &fakeStack, outsideBottom,
                                 outsideSize);
#endif
#if defined(__x86_64__)
  eggFiberSwitch(&inside, outside);
#else
  swapcontext(&inside, &outside);
#endif
#ifdef EGG_ASAN
  __sanitizer_finish_switch_fiber(fakeStack, &outsideBottom, &outsideSize);
#endif
}
