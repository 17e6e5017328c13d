//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Rejection.h"
#include "JSON.h"

using namespace llvm;

namespace egg {

char RejectionError::ID;

std::string Rejection::str() const {
  std::string text = step + " refused";
  if (!location.empty())
    text += " at " + location;
  text += ": " + reason;
  if (!remedy.empty())
    text += "; " + remedy;
  for (const std::string &note : notes)
    text += "\n  note: " + note;
  return text;
}

Rejection toRejection(Error error, StringRef step) {
  Rejection result;
  bool found = false;
  std::string others;
  handleAllErrors(
      std::move(error),
      [&](const RejectionError &rejection) {
        if (!found)
          result = rejection.get();
        else
          result.notes.push_back(rejection.get().str());
        found = true;
      },
      [&](const ErrorInfoBase &info) {
        if (!others.empty())
          others += "; ";
        others += info.message();
      });
  if (!found) {
    result.step = step.str();
    result.reason = others;
  } else if (!others.empty()) {
    result.notes.push_back(others);
  }
  return result;
}

json::Value toJSONValue(const Rejection &rejection) {
  json::Object object{{"step", detail::textToJSON(rejection.step)},
                      {"location", detail::textToJSON(rejection.location)},
                      {"reason", detail::textToJSON(rejection.reason)},
                      {"remedy", detail::textToJSON(rejection.remedy)},
                      {"notes", detail::textsToJSON(rejection.notes)}};
  if (rejection.undecided)
    object["undecided"] = true;
  return object;
}

bool fromJSON(const json::Value &value, Rejection &rejection, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("step", rejection.step) &&
         map.map("location", rejection.location) &&
         map.map("reason", rejection.reason) &&
         map.map("remedy", rejection.remedy) &&
         map.map("notes", rejection.notes) &&
         map.mapOptional("undecided", rejection.undecided);
}

std::string toJSON(const Rejection &rejection) {
  return detail::printIndented(toJSONValue(rejection));
}

Expected<Rejection> parseRejection(StringRef text) {
  return detail::parseDocument<Rejection>(text, "rejection");
}

} // namespace egg
