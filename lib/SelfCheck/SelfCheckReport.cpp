//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The self-check's result as a table and as JSON.
//
//===----------------------------------------------------------------------===//
#include "egg/SelfCheck/SelfCheck.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using namespace egg;

llvm::StringRef egg::stringifyFate(MutantResult::Fate fate) {
  switch (fate) {
  case MutantResult::Fate::Refused:
    return "refused";
  case MutantResult::Fate::Neutral:
    return "neutral";
  case MutantResult::Fate::Survived:
    return "survived";
  }
  llvm_unreachable("all fates are listed");
}

int64_t SelfCheckResult::count(MutantResult::Fate fate) const {
  return std::count_if(mutants.begin(), mutants.end(),
                       [&](const MutantResult &m) { return m.fate == fate; });
}

std::string egg::formatTable(const SelfCheckResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::vector<std::string> classes;
  for (const MutantResult &mutant : result.mutants)
    if (classes.empty() || classes.back() != mutant.workload)
      classes.push_back(mutant.workload);
  os << llvm::left_justify("mutation", 20);
  for (const std::string &name : classes)
    os << ' ' << name;
  os << '\n';
  for (const Mutation &mutation : getMutations()) {
    std::string line;
    bool any = false;
    for (const std::string &name : classes) {
      int64_t refused = 0, counted = 0;
      for (const MutantResult &mutant : result.mutants)
        if (mutant.workload == name && mutant.mutation == mutation.name &&
            mutant.fate != MutantResult::Fate::Neutral) {
          ++counted;
          refused += mutant.fate == MutantResult::Fate::Refused;
        }
      any |= counted != 0;
      std::string cell = counted == 0 ? "-"
                                      : std::to_string(refused) + "/" +
                                            std::to_string(counted);
      size_t left = (name.size() - std::min(cell.size(), name.size())) / 2;
      cell.insert(0, left, ' ');
      cell.resize(std::max(cell.size(), name.size()), ' ');
      line += ' ' + cell;
    }
    if (any)
      os << llvm::left_justify(mutation.name, 20) << line << '\n';
  }
  os << result.count(MutantResult::Fate::Refused) << " mutants refused, "
     << result.count(MutantResult::Fate::Survived) << " survived; "
     << result.count(MutantResult::Fate::Neutral) << " more change no result; "
     << result.falseRefusals.size() << " false refusals\n";
  for (const MutantResult &mutant : result.mutants)
    if (mutant.fate == MutantResult::Fate::Survived)
      os << "survived: " << mutant.workload << ", " << mutant.mutation << ": "
         << mutant.what << "; " << mutant.reason << '\n';
  for (const auto &[name, reason] : result.falseRefusals)
    os << "refused without a fault: " << name << ": " << reason << '\n';
  return text;
}

std::string egg::toJSON(const SelfCheckResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("passed", result.passed());
    json.attributeArray("mutants", [&] {
      for (const MutantResult &mutant : result.mutants)
        json.object([&] {
          json.attribute("workload", mutant.workload);
          json.attribute("mutation", mutant.mutation);
          json.attribute("what", mutant.what);
          json.attribute("fate", stringifyFate(mutant.fate));
          json.attribute("step", mutant.step);
          json.attribute("reason", mutant.reason);
        });
    });
    json.attributeArray("false_refusals", [&] {
      for (const auto &[name, reason] : result.falseRefusals)
        json.object([&, &name = name, &reason = reason] {
          json.attribute("workload", name);
          json.attribute("reason", reason);
        });
    });
  });
  os << '\n';
  return text;
}
