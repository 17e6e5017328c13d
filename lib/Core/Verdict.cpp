//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Verdict.h"
#include "JSON.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace egg {

StringRef stringifyGrade(Grade grade) {
  switch (grade) {
  case Grade::Unverified:
    return "unverified";
  case Grade::Tested:
    return "tested";
  case Grade::Bounded:
    return "bounded";
  case Grade::Exact:
    return "exact";
  case Grade::Proved:
    return "proved";
  }
  llvm_unreachable("unknown grade");
}

std::optional<Grade> symbolizeGrade(StringRef name) {
  return StringSwitch<std::optional<Grade>>(name)
      .Case("unverified", Grade::Unverified)
      .Case("tested", Grade::Tested)
      .Case("bounded", Grade::Bounded)
      .Case("exact", Grade::Exact)
      .Case("proved", Grade::Proved)
      .Default(std::nullopt);
}

json::Value toJSONValue(const Evidence &evidence) {
  json::Object object{{"step", detail::textToJSON(evidence.step)},
                      {"statement", detail::textToJSON(evidence.statement)}};
  if (evidence.maxAbsoluteError)
    object["maxAbsoluteError"] =
        detail::numberToJSON(*evidence.maxAbsoluteError);
  if (evidence.maxRelativeError)
    object["maxRelativeError"] =
        detail::numberToJSON(*evidence.maxRelativeError);
  return object;
}

bool fromJSON(const json::Value &value, Evidence &evidence, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("step", evidence.step) &&
         map.map("statement", evidence.statement) &&
         detail::mapNumber(*value.getAsObject(), "maxAbsoluteError",
                           evidence.maxAbsoluteError, path) &&
         detail::mapNumber(*value.getAsObject(), "maxRelativeError",
                           evidence.maxRelativeError, path);
}

json::Value toJSONValue(const Verdict &verdict) {
  return json::Object{{"grade", stringifyGrade(verdict.grade)},
                      {"evidence", detail::arrayToJSON(verdict.evidence)},
                      {"skipped", detail::textsToJSON(verdict.skipped)}};
}

bool fromJSON(const json::Value &value, Verdict &verdict, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string name;
  if (!map || !map.map("grade", name) ||
      !map.map("evidence", verdict.evidence) ||
      !map.map("skipped", verdict.skipped))
    return false;
  std::optional<Grade> grade = symbolizeGrade(name);
  if (!grade) {
    path.field("grade").report(
        "expected unverified, tested, bounded, exact or proved");
    return false;
  }
  verdict.grade = *grade;
  return true;
}

std::string toJSON(const Verdict &verdict) {
  return detail::printIndented(toJSONValue(verdict));
}

Expected<Verdict> parseVerdict(StringRef text) {
  return detail::parseDocument<Verdict>(text, "verdict");
}

} // namespace egg
