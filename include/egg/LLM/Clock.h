//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Clock: time as waits and time-outs see it, so that tests need not wait.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_CLOCK_H
#define EGG_LLM_CLOCK_H

#include <cstdint>

namespace egg {

class Clock {
public:
  virtual ~Clock();
  /// Seconds since some fixed moment; never goes back.
  virtual double seconds() = 0;
  /// Seconds since 1970-01-01 UTC, for dates that servers name.
  virtual int64_t unixSeconds() = 0;
  virtual void sleep(double seconds) = 0;

  /// The machine's.
  static Clock &system();
};

} // namespace egg

#endif // EGG_LLM_CLOCK_H
