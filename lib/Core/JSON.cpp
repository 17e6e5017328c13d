//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "JSON.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace egg::detail {

json::Value textToJSON(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

json::Value numberToJSON(double number) {
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number > 0 ? "inf" : "-inf";
  return number;
}

bool numberFromJSON(const json::Value &value, double &number, json::Path path) {
  if (auto text = value.getAsString()) {
    if (*text == "nan")
      number = std::numeric_limits<double>::quiet_NaN();
    else if (*text == "inf")
      number = std::numeric_limits<double>::infinity();
    else if (*text == "-inf")
      number = -std::numeric_limits<double>::infinity();
    else {
      path.report("expected number, \"nan\", \"inf\" or \"-inf\"");
      return false;
    }
    return true;
  }
  return json::fromJSON(value, number, path);
}

bool mapNumber(const json::Object &object, StringRef field,
               std::optional<double> &number, json::Path path) {
  number.reset();
  const json::Value *value = object.get(field);
  if (!value)
    return true;
  return numberFromJSON(*value, number.emplace(), path.field(field));
}

std::string printIndented(const json::Value &value) {
  std::string text;
  raw_string_ostream os(text);
  os << formatv("{0:2}", value) << "\n";
  return text;
}

} // namespace egg::detail
