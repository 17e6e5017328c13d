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

Evidence &Verdict::addEvidence(StringRef step, std::string statement) {
  Evidence &added = evidence.emplace_back();
  added.step = step.str();
  added.statement = std::move(statement);
  return added;
}

StringRef explainGrade(Grade grade) {
  switch (grade) {
  case Grade::Unverified:
    return "no results were compared with the payload's";
  case Grade::Tested:
    return "at the extents of the evidence the kernels ran thread by thread "
           "without a fault, and their results are the payload's within a "
           "tolerance";
  case Grade::Bounded:
    return "at the extents of the evidence the kernels ran thread by thread "
           "without a fault, and are no further from fp64 than the precision "
           "policy allows";
  case Grade::Exact:
    return "at the extents of the evidence the kernels ran thread by thread "
           "without a fault, are no further from fp64 than the precision "
           "policy allows, and compute the payload's very formulas: bit for "
           "bit in exact arithmetic";
  case Grade::Proved:
    return "the same as exact, and for all inputs at the payload's own extents "
           "every kernel was shown to store, at each element of its results, "
           "what the payload's operations give: bit for bit, before it is "
           "lowered";
  }
  llvm_unreachable("unknown grade");
}

Expected<Grade> parseRequiredGrade(StringRef name) {
  if (std::optional<Grade> grade = symbolizeGrade(name))
    return *grade;
  return createStringError(
      "unknown grade '" + name +
      "' for require: use unverified, tested, bounded, exact or proved");
}

/// What can be done for a verdict of that grade.
static std::string adviseOn(Grade least, StringRef option) {
  std::string lower = (" or take the schedule as it is with " + option).str();
  switch (least) {
  case Grade::Unverified:
  case Grade::Tested:
    return "do what the notes on skipped steps say," + lower + "=unverified";
  case Grade::Bounded:
    return "use a schedule that adds in another order or a wider type," +
           lower + "=tested";
  case Grade::Exact:
    return "do what the notes on skipped steps say," + lower +
           " and a lower grade";
  case Grade::Proved:
    return "do what the notes on skipped steps say (schedules of reductions, "
           "products and scans cannot be proved)," +
           lower + "=exact";
  }
  llvm_unreachable("unknown grade");
}

std::optional<Rejection> refuseBelow(const Verdict &verdict, Grade least,
                                     StringRef option) {
  if (verdict.grade >= least)
    return std::nullopt;
  Rejection rejection;
  rejection.step = "verify";
  rejection.reason = ("the verdict is '" + stringifyGrade(verdict.grade) + "'" +
                      (verdict.grade == Grade::Unverified
                           ? " (" + explainGrade(verdict.grade) + ")"
                           : llvm::Twine("")) +
                      ", and '" + stringifyGrade(least) + "' is required")
                         .str();
  rejection.remedy = adviseOn(least, option);
  for (const std::string &skipped : verdict.skipped)
    rejection.notes.push_back("skipped: " + skipped);
  return rejection;
}

json::Value toJSONValue(const Verdict &verdict) {
  json::Object object{{"grade", stringifyGrade(verdict.grade)},
                      {"meaning", explainGrade(verdict.grade)},
                      {"evidence", detail::arrayToJSON(verdict.evidence)},
                      {"skipped", detail::textsToJSON(verdict.skipped)}};
  if (verdict.versions.empty())
    return object;
  json::Object versions;
  for (const auto &[name, version] : verdict.versions)
    versions[name] = detail::textToJSON(version);
  object["versions"] = std::move(versions);
  return object;
}

bool fromJSON(const json::Value &value, Verdict &verdict, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string name;
  if (!map || !map.map("grade", name) ||
      !map.map("evidence", verdict.evidence) ||
      !map.map("skipped", verdict.skipped) ||
      !map.mapOptional("versions", verdict.versions))
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
