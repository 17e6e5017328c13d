//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Figures.h"
#include <cmath>
#include <cstdio>

namespace egg {

std::string numberText(double number) {
  char buffer[64];
  if (number == std::floor(number) && std::fabs(number) < 1e6)
    std::snprintf(buffer, sizeof(buffer), "%.0f", number);
  else
    std::snprintf(buffer, sizeof(buffer), "%.3g", number);
  return buffer;
}

static std::string scaled(double number, double unit, const char *name) {
  return numberText(number / unit) + " " + name;
}

std::string secondsText(double seconds) {
  if (!(seconds < 1))
    return scaled(seconds, 1, "s");
  return seconds < 1e-3 ? scaled(seconds, 1e-6, "us")
                        : scaled(seconds, 1e-3, "ms");
}

std::string bytesText(double bytes) {
  return bytes < 1e3   ? scaled(bytes, 1, "B")
         : bytes < 1e6 ? scaled(bytes, 1e3, "KB")
         : bytes < 1e9 ? scaled(bytes, 1e6, "MB")
                       : scaled(bytes, 1e9, "GB");
}

std::string countText(double count) {
  return count < 1e6    ? numberText(count)
         : count < 1e9  ? scaled(count, 1e6, "M")
         : count < 1e12 ? scaled(count, 1e9, "G")
                        : scaled(count, 1e12, "T");
}

} // namespace egg
