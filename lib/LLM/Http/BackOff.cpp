//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BackOff.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <ctime>

using namespace llvm;

namespace egg {

std::optional<double> parseRetryAfter(StringRef text, int64_t unixNow) {
  text = text.trim();
  double seconds = 0;
  if (!text.empty() && isDigit(text.front())) {
    if (!to_float(text, seconds) || !std::isfinite(seconds))
      return std::nullopt;
    return seconds;
  }
  // "Sun, 06 Nov 1994 08:49:37 GMT": the form that servers must send.
  static constexpr StringLiteral months[] = {"Jan", "Feb", "Mar", "Apr",
                                             "May", "Jun", "Jul", "Aug",
                                             "Sep", "Oct", "Nov", "Dec"};
  SmallVector<StringRef, 6> parts;
  text.split(parts, ' ', -1, /*KeepEmpty=*/false);
  SmallVector<StringRef, 3> time;
  if (parts.size() != 6 || parts[5] != "GMT")
    return std::nullopt;
  parts[4].split(time, ':');
  const auto *month = find(months, parts[2]);
  std::tm date = {};
  if (month == std::end(months) || time.size() != 3 ||
      !to_integer(parts[1], date.tm_mday, 10) ||
      !to_integer(parts[3], date.tm_year, 10) ||
      !to_integer(time[0], date.tm_hour, 10) ||
      !to_integer(time[1], date.tm_min, 10) ||
      !to_integer(time[2], date.tm_sec, 10))
    return std::nullopt;
  date.tm_mon = int(month - std::begin(months));
  date.tm_year -= 1900;
  return std::max<double>(0, double(::timegm(&date) - unixNow));
}

std::optional<double> BackOff::next(std::optional<double> asked,
                                    std::string &whyNot) {
  if (attempts >= policy.maxAttempts)
    return std::nullopt;
  double pause = std::min(policy.maxSeconds,
                          std::ldexp(policy.initialSeconds, int(attempts - 1)));
  pause *= 0.5 + 0.5 * random.uniform();
  pause = std::max(pause, asked.value_or(0));
  if (waited + pause > policy.maxTotalSeconds) {
    whyNot = formatv("the next attempt would have to wait {0:f0} s, and all "
                     "waits may take {1:f0} s",
                     pause, policy.maxTotalSeconds)
                 .str();
    return std::nullopt;
  }
  ++attempts;
  waited += pause;
  return pause;
}

} // namespace egg
