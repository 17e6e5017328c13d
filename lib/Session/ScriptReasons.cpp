//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScriptReasons.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace egg {

/// The text between `before` and `after` in the line, or an empty string.
static StringRef between(StringRef line, StringRef before, StringRef after) {
  auto [head, tail] = line.split(before);
  (void)head;
  return tail.contains(after) ? tail.split(after).first : StringRef();
}

llvm::StringMap<std::vector<std::string>> readReasons(StringRef script) {
  llvm::StringMap<std::vector<std::string>> reasons;
  std::vector<std::string> pending;
  std::string kernel, text;
  auto endText = [&] {
    if (text.empty())
      return;
    (kernel.empty() ? pending : reasons[kernel]).push_back(text);
    text.clear();
  };
  for (StringRef line : llvm::split(script, '\n')) {
    line = line.trim();
    if (line.consume_front("//")) {
      line = line.trim();
      // A new sentence is a reason of its own; the rest continues a line.
      if (!text.empty() && text.back() == '.')
        endText();
      text += (text.empty() ? "" : " ") + line.str();
      continue;
    }
    endText();
    if (line.starts_with("transform.named_sequence @algorithm"))
      pending.clear();
    StringRef formed = between(line, "{name = \"", "\"");
    if (!formed.empty()) {
      auto &list = reasons[formed];
      list.insert(list.end(), pending.begin(), pending.end());
      pending.clear();
    }
    if (line.starts_with("module @"))
      kernel =
          line.drop_front(8)
              .take_until([](char c) { return !llvm::isAlnum(c) && c != '_'; })
              .str();
  }
  return reasons;
}

} // namespace egg
