//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Evidence.h"
#include "JSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace egg {

std::vector<std::string>
describeErrors(const std::vector<ResultError> &errors) {
  // By result and distribution, in the order they come.
  std::map<int64_t, std::vector<ResultError>> results;
  for (const ResultError &error : errors) {
    std::vector<ResultError> &seen = results[error.result];
    auto known = find_if(seen, [&](const ResultError &other) {
      return other.inputs == error.inputs;
    });
    if (known == seen.end()) {
      seen.push_back(error);
      continue;
    }
    known->maxAbsolute = std::max(known->maxAbsolute, error.maxAbsolute);
    known->own = std::max(known->own, error.own);
  }
  std::vector<std::string> lines;
  for (const auto &[number, seen] : results) {
    std::string line = "result " + std::to_string(number);
    if (!seen.front().name.empty())
      line += " '" + seen.front().name + "'";
    line += ", largest error and the payload's own:";
    for (const ResultError &error : seen)
      line +=
          formatv("{0} {1} {2:e2} ({3:e2})", &error == &seen.front() ? "" : ",",
                  error.inputs, error.maxAbsolute, error.own);
    lines.push_back(std::move(line));
  }
  return lines;
}

static json::Value toJSONValue(const CheckedExtents &extents) {
  return json::Object{{"variant", detail::textToJSON(extents.variant)},
                      {"arguments", detail::arrayToJSON(extents.arguments)}};
}

static bool fromJSON(const json::Value &value, CheckedExtents &extents,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("variant", extents.variant) &&
         map.map("arguments", extents.arguments);
}

static json::Value toJSONValue(const ResultError &error) {
  return json::Object{{"result", error.result},
                      {"name", detail::textToJSON(error.name)},
                      {"variant", detail::textToJSON(error.variant)},
                      {"inputs", detail::textToJSON(error.inputs)},
                      {"maxAbsolute", detail::numberToJSON(error.maxAbsolute)},
                      {"maxRelative", detail::numberToJSON(error.maxRelative)},
                      {"own", detail::numberToJSON(error.own)},
                      {"allowed", detail::numberToJSON(error.allowed)}};
}

static bool fromJSON(const json::Value &value, ResultError &error,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("result", error.result) ||
      !map.map("name", error.name) || !map.map("variant", error.variant) ||
      !map.map("inputs", error.inputs))
    return false;
  for (auto [field, number] : {std::pair{"maxAbsolute", &error.maxAbsolute},
                               {"maxRelative", &error.maxRelative},
                               {"own", &error.own},
                               {"allowed", &error.allowed}}) {
    const json::Value *found = value.getAsObject()->get(field);
    if (!found) {
      path.field(field).report("missing value");
      return false;
    }
    if (!detail::numberFromJSON(*found, *number, path.field(field)))
      return false;
  }
  return true;
}

static json::Value toJSONValue(const ExactBound &bound) {
  json::Object object{{"primes", json::Array(bound.primes)},
                      {"degree", detail::numberToJSON(bound.degree)}};
  if (bound.inOneField)
    object["inOneField"] = *bound.inOneField;
  if (bound.inBoth)
    object["inBoth"] = *bound.inBoth;
  return object;
}

static bool fromJSON(const json::Value &value, ExactBound &bound,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  std::optional<double> degree;
  if (!map || !map.map("primes", bound.primes) ||
      !detail::mapNumber(*value.getAsObject(), "degree", degree, path) ||
      !map.mapOptional("inOneField", bound.inOneField) ||
      !map.mapOptional("inBoth", bound.inBoth))
    return false;
  bound.degree = degree.value_or(0);
  return true;
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
  if (!evidence.extents.empty())
    object["extents"] = detail::arrayToJSON(evidence.extents);
  if (!evidence.seeds.empty())
    object["seeds"] = json::Array(evidence.seeds);
  if (!evidence.distributions.empty())
    object["distributions"] = detail::textsToJSON(evidence.distributions);
  if (evidence.runs)
    object["runs"] = evidence.runs;
  if (!evidence.errors.empty())
    object["errors"] = detail::arrayToJSON(evidence.errors);
  if (evidence.bound)
    object["bound"] = toJSONValue(*evidence.bound);
  return object;
}

bool fromJSON(const json::Value &value, Evidence &evidence, json::Path path) {
  json::ObjectMapper map(value, path);
  // What earlier versions did not write may be absent.
  return map && map.map("step", evidence.step) &&
         map.map("statement", evidence.statement) &&
         detail::mapNumber(*value.getAsObject(), "maxAbsoluteError",
                           evidence.maxAbsoluteError, path) &&
         detail::mapNumber(*value.getAsObject(), "maxRelativeError",
                           evidence.maxRelativeError, path) &&
         map.mapOptional("extents", evidence.extents) &&
         map.mapOptional("seeds", evidence.seeds) &&
         map.mapOptional("distributions", evidence.distributions) &&
         map.mapOptional("runs", evidence.runs) &&
         map.mapOptional("errors", evidence.errors) &&
         map.mapOptional("bound", evidence.bound);
}

} // namespace egg
