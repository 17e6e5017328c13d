//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// When to try again: back-off with jitter from a seed, and what a server asks.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_BACKOFF_H
#define EGG_LLM_BACKOFF_H

#include "egg/LLM/HttpClient.h"
#include "egg/Support/Random.h"

namespace egg {

/// Seconds that a Retry-After header asks for (a number, or an HTTP date
/// compared with now); nothing if it says neither.
std::optional<double> parseRetryAfter(llvm::StringRef text, int64_t unixNow);

/// The waits of one call.
class BackOff {
public:
  /// `random` goes on from call to call, so that calls differ.
  BackOff(const RetryPolicy &policy, Random &random)
      : policy(policy), random(random) {}

  /// Seconds to wait before the next attempt; nothing if it is not to be made,
  /// and then `whyNot` says why.
  std::optional<double> next(std::optional<double> asked, std::string &whyNot);

private:
  const RetryPolicy &policy;
  Random &random;
  int64_t attempts = 1;
  double waited = 0;
};

} // namespace egg

#endif // EGG_LLM_BACKOFF_H
