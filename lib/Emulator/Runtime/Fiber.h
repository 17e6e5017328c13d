//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fiber: a function on its own stack that the scheduler of the SIMT execution
// switches into and that switches back at barriers and shuffles.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_EMULATOR_RUNTIME_FIBER_H
#define EGG_LIB_EMULATOR_RUNTIME_FIBER_H

#include <cstddef>
#include <memory>
#include <vector>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace egg::simt {

/// Stacks of one size, mapped lazily and reused; below each lies a page without
/// access, so that an overflow faults instead of corrupting a neighbour.
class StackPool {
public:
  explicit StackPool(size_t stackBytes) : stackBytes(stackBytes) {}
  ~StackPool();
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;

  /// Makes at least `count` stacks available; false when memory is refused.
  bool reserve(size_t count);
  size_t size() const { return stacks.size(); }
  /// Highest address of a stack, aligned to 64 bytes.
  char *top(size_t stack) const { return stacks[stack] + stackBytes; }
  /// Usable bytes of a stack.
  size_t bytes() const { return stackBytes; }

private:
  size_t stackBytes;
  std::vector<char *> stacks;
};

/// One suspended or running computation. Not movable while it is suspended.
class Fiber {
public:
  /// Prepares `entry(argument)` to run on a stack of the pool at the next
  /// resume(). What the fiber ran before is dropped without unwinding.
  void start(const StackPool &pool, size_t stack, void (*entry)(void *),
             void *argument);

  /// Runs the fiber until it suspends or its entry function returns. Called
  /// from outside the fiber. Returns false once the entry has returned.
  bool resume();

  /// Goes back to the caller of resume(). Called from inside the fiber.
  void suspend();

  /// Bytes of its stack below the address.
  ptrdiff_t roomBelow(const void *address) const {
    return static_cast<const char *>(address) -
           static_cast<const char *>(stackBottom);
  }

private:
  static void run(Fiber *fiber);
#if !defined(__x86_64__)
  static void runUContext(unsigned low, unsigned high);
  ucontext_t inside, outside;
#else
  void *inside = nullptr;
  void *outside = nullptr;
#endif
  void (*entry)(void *) = nullptr;
  void *argument = nullptr;
  bool finished = true;
  const void *stackBottom = nullptr;
  size_t stackSize = 0;
  // What AddressSanitizer wants to know at each switch.
  [[maybe_unused]] void *fakeStack = nullptr;
  [[maybe_unused]] const void *outsideBottom = nullptr;
  [[maybe_unused]] size_t outsideSize = 0;
};

} // namespace egg::simt

#endif // EGG_LIB_EMULATOR_RUNTIME_FIBER_H
