//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/JsonText.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace egg {

static Error errorAt(StringRef text, size_t offset, const Twine &what) {
  StringRef before = text.take_front(offset);
  size_t line = before.count('\n') + 1;
  size_t column = offset - (before.rfind('\n') + 1) + 1;
  return createStringError(inconvertibleErrorCode(),
                           what + " (line " + Twine(line) + " column " +
                               Twine(column) + ")");
}

Expected<json::Value> parseUntrustedJson(StringRef text, JsonLimits limits) {
  if (text.size() > limits.maxBytes)
    return createStringError(inconvertibleErrorCode(),
                             "the text has " + Twine(text.size()) +
                                 " bytes, the limit is " +
                                 Twine(limits.maxBytes));
  size_t offset = 0;
  if (!json::isUTF8(text, &offset))
    return errorAt(text, offset, "the text is not UTF-8");
  size_t depth = 0, values = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\')
          ++i;
      continue;
    }
    if (c == '[' || c == '{')
      ++depth;
    else if ((c == ']' || c == '}') && depth)
      --depth;
    if (c == '[' || c == '{' || c == ',' || c == ':')
      ++values;
    if (depth > limits.maxDepth)
      return errorAt(text, i,
                     "more than " + Twine(limits.maxDepth) +
                         " brackets are open");
    if (values > limits.maxValues)
      return errorAt(text, i,
                     "there are more than " + Twine(limits.maxValues) +
                         " values");
  }
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return createStringError(inconvertibleErrorCode(),
                             "it does not parse: " +
                                 toString(value.takeError()));
  return value;
}

StringRef stripMarkdownFence(StringRef text) {
  StringRef trimmed = text.trim();
  StringRef inside = trimmed;
  if (!inside.consume_front("```") || !inside.consume_back("```"))
    return trimmed;
  auto [tag, rest] = inside.split('\n');
  if (tag.size() == inside.size() ||
      !all_of(tag.trim(), [](char c) { return isAlnum(c); }) ||
      rest.contains("\n```"))
    return trimmed;
  return rest.trim();
}

/// One part of a JSON pointer as a key.
static std::string unescape(StringRef part) {
  std::string key;
  for (size_t i = 0; i < part.size(); ++i) {
    if (part[i] == '~' && i + 1 < part.size()) {
      key += part[++i] == '1' ? '/' : '~';
      continue;
    }
    key += part[i];
  }
  return key;
}

std::vector<const json::Value *> valuesAt(const json::Value &document,
                                          StringRef pointer) {
  std::vector<const json::Value *> values = {&document};
  SmallVector<StringRef> parts;
  pointer.split(parts, '/');
  // The text before the first '/' is empty.
  for (StringRef part : ArrayRef(parts).drop_front()) {
    std::vector<const json::Value *> next;
    for (const json::Value *value : values) {
      if (const json::Object *object = value->getAsObject()) {
        if (const json::Value *field = object->get(unescape(part)))
          next.push_back(field);
        continue;
      }
      const json::Array *array = value->getAsArray();
      if (!array)
        continue;
      size_t index = 0;
      if (part == "*")
        for (const json::Value &element : *array)
          next.push_back(&element);
      else if (to_integer(part, index, 10) && index < array->size())
        next.push_back(&(*array)[index]);
    }
    values = std::move(next);
  }
  return values;
}

const json::Value *valueAt(const json::Value &document, StringRef pointer) {
  std::vector<const json::Value *> values = valuesAt(document, pointer);
  return values.empty() ? nullptr : values.front();
}

} // namespace egg
