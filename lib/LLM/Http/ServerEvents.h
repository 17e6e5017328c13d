//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Server-sent events (the WHATWG's HTML standard, 9.2.6), as they arrive in
// pieces cut anywhere.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_SERVEREVENTS_H
#define EGG_LLM_SERVEREVENTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace egg {

class ServerEvents {
public:
  /// Takes a piece; calls onData with the data of each event it completes.
  void feed(llvm::StringRef piece,
            llvm::function_ref<void(llvm::StringRef data)> onData);
  /// The stream is over: an event without its blank line counts too, since
  /// servers forget it.
  void finish(llvm::function_ref<void(llvm::StringRef data)> onData);

private:
  void takeLine(llvm::function_ref<void(llvm::StringRef data)> onData);

  std::string line, data;
  bool hasData = false, afterReturn = false, first = true;
};

} // namespace egg

#endif // EGG_LLM_SERVEREVENTS_H
