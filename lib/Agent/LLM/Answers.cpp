//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "egg/Agent/SafeText.h"
#include "egg/LLM/JsonText.h"

using namespace llvm;

namespace egg {

/// Texts are kept as they were meant, but for what nobody can see.
static constexpr size_t kMaxWords = 4000;

template <typename Value, typename Read>
static Expected<Value> parseAnswer(StringRef text, Read read) {
  Expected<json::Value> document = parseUntrustedJson(text);
  if (!document)
    return document.takeError();
  json::Path::Root root("answer");
  json::ObjectMapper map(*document, root);
  Value value;
  if (!map || !read(map, value))
    return root.getError();
  return value;
}

Expected<Judgement> parseJudgement(StringRef text) {
  Expected<Judgement> judgement = parseAnswer<Judgement>(
      text, [](json::ObjectMapper &map, Judgement &value) {
        return map.map("worth_optimizing", value.worthOptimizing) &&
               map.map("bottleneck", value.bottleneck) &&
               map.map("method", value.method) && map.map("plan", value.plan) &&
               map.map("expected_speedup", value.expectedSpeedup);
      });
  if (!judgement)
    return judgement;
  for (std::string *words :
       {&judgement->bottleneck, &judgement->method, &judgement->plan})
    *words = safeText(*words, kMaxWords);
  return judgement;
}

Expected<Diagnosis> parseDiagnosis(StringRef text) {
  Expected<Diagnosis> diagnosis = parseAnswer<Diagnosis>(
      text, [](json::ObjectMapper &map, Diagnosis &value) {
        return map.map("critical_issue", value.criticalIssue) &&
               map.map("why", value.why) && map.map("plan", value.plan);
      });
  if (!diagnosis)
    return diagnosis;
  for (std::string *words :
       {&diagnosis->criticalIssue, &diagnosis->why, &diagnosis->plan})
    *words = safeText(*words, kMaxWords);
  return diagnosis;
}

Expected<ScriptAnswer> parseScriptAnswer(StringRef text) {
  Expected<ScriptAnswer> answer = parseAnswer<ScriptAnswer>(
      text, [](json::ObjectMapper &map, ScriptAnswer &value) {
        return map.map("script", value.script) &&
               map.map("rationale", value.rationale);
      });
  if (answer)
    answer->rationale = safeText(answer->rationale, kMaxWords);
  return answer;
}

} // namespace egg
