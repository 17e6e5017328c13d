//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ServerEvents.h"

using namespace llvm;

namespace egg {

using OnData = function_ref<void(StringRef)>;

void ServerEvents::takeLine(OnData onData) {
  StringRef text = line;
  if (first)
    text.consume_front("\xef\xbb\xbf");
  first = false;
  if (text.empty()) {
    if (hasData)
      onData(data);
    data.clear();
    hasData = false;
  } else if (text == "data" || text.consume_front("data:")) {
    if (text == "data")
      text = "";
    text.consume_front(" ");
    // Several lines of data are one text.
    if (hasData)
      data += '\n';
    data += text;
    hasData = true;
  }
  line.clear();
}

void ServerEvents::feed(StringRef piece, OnData onData) {
  for (char c : piece) {
    bool secondHalf = afterReturn && c == '\n';
    afterReturn = c == '\r';
    if (secondHalf)
      continue;
    if (c == '\n' || c == '\r')
      takeLine(onData);
    else
      line += c;
  }
}

void ServerEvents::finish(OnData onData) {
  if (!line.empty())
    takeLine(onData);
  takeLine(onData);
}

} // namespace egg
