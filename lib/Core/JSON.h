//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the JSON round trips of the Core values share.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_CORE_JSON_H
#define EGG_LIB_CORE_JSON_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace egg::detail {

/// A string that may hold any bytes (tool output) as valid JSON text.
llvm::json::Value textToJSON(llvm::StringRef text);

/// JSON has no infinities: those become "nan", "inf", "-inf".
llvm::json::Value numberToJSON(double number);
bool numberFromJSON(const llvm::json::Value &value, double &number,
                    llvm::json::Path path);

/// Reads an optional number field of an object.
bool mapNumber(const llvm::json::Object &object, llvm::StringRef field,
               std::optional<double> &number, llvm::json::Path path);

std::string printIndented(const llvm::json::Value &value);

template <typename Range> llvm::json::Array arrayToJSON(const Range &range) {
  llvm::json::Array array;
  for (const auto &element : range)
    array.push_back(toJSONValue(element));
  return array;
}

inline llvm::json::Array textsToJSON(const std::vector<std::string> &texts) {
  llvm::json::Array array;
  for (const std::string &text : texts)
    array.push_back(textToJSON(text));
  return array;
}

/// Parses a whole document; `what` names it in error messages.
template <typename T>
llvm::Expected<T> parseDocument(llvm::StringRef text, llvm::StringRef what) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        what + " is not JSON: " + llvm::toString(value.takeError()));
  llvm::json::Path::Root root(what);
  T result;
  if (!fromJSON(*value, result, root))
    return root.getError();
  return result;
}

} // namespace egg::detail

#endif // EGG_LIB_CORE_JSON_H
