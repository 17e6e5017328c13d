//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Figures as a reader likes them.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_PROMPT_FIGURES_H
#define EGG_LIB_AGENT_PROMPT_FIGURES_H

#include <string>

namespace egg {

/// "12.3 us", "4.56 ms".
std::string secondsText(double seconds);
/// "805 MB", "12 B"; decimal units.
std::string bytesText(double bytes);
/// "1.61e+09" as "1.61 G"; small counts as they are.
std::string countText(double count);
/// Three significant digits.
std::string numberText(double number);

} // namespace egg

#endif // EGG_LIB_AGENT_PROMPT_FIGURES_H
