//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Telling a forked copy's limit on memory from a crash.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SUPPORT_MEMORYWATCH_H
#define EGG_LIB_SUPPORT_MEMORYWATCH_H

namespace egg {

inline constexpr char kMemoryMark = 'm', kStackMark = 's';

/// In a forked copy with a limit on its address space: reaching it, however it
/// shows, or the end of a stack writes its mark to the descriptor and ends the
/// process.
void watchMemory(int mark);

/// Whether this is an AddressSanitizer build: its shadow memory alone exceeds
/// any sensible limit on address space.
#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
inline constexpr bool kIsAddressSanitized = true;
#else
inline constexpr bool kIsAddressSanitized = false;
#endif

} // namespace egg

#endif // EGG_LIB_SUPPORT_MEMORYWATCH_H
