//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Verdict: how sure verification is that a schedule computes its payload, and
// the evidence.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_VERDICT_H
#define EGG_CORE_VERDICT_H

#include "egg/Core/Evidence.h"
#include "egg/Core/Rejection.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace egg {

/// Grades in increasing order; each includes the ones before it.
enum class Grade {
  /// No step has compared results.
  Unverified,
  /// The emulated kernels are free of faults, and their results agree within a
  /// tolerance on the inputs that were tried.
  Tested,
  /// The error against fp64 is within the precision policy.
  Bounded,
  /// Equal in exact arithmetic.
  Exact,
  /// Exact, and every kernel is shown to store the payload's own expressions.
  Proved
};
llvm::StringRef stringifyGrade(Grade grade);
std::optional<Grade> symbolizeGrade(llvm::StringRef name);
/// What the grade says of a schedule, in a sentence without a full stop.
llvm::StringRef explainGrade(Grade grade);
/// The same as symbolizeGrade for the value of an option: the error names the
/// grades that there are.
llvm::Expected<Grade> parseRequiredGrade(llvm::StringRef name);

struct Verdict {
  Grade grade = Grade::Unverified;
  std::vector<Evidence> evidence;
  /// Steps that could not run, and grades that were not reached, with the
  /// reason ("launch: no GPU").
  std::vector<std::string> skipped;
  /// Of what took part: "egg", "commit", "llvm", "libdevice", "ptxas".
  std::map<std::string, std::string> versions = {};

  Evidence &addEvidence(llvm::StringRef step, std::string statement);
  bool operator==(const Verdict &) const = default;
};

/// Indented JSON with a final newline, and back. "meaning" is for readers; what
/// is read back is the grade.
std::string toJSON(const Verdict &verdict);
llvm::Expected<Verdict> parseVerdict(llvm::StringRef text);

/// The same as parts of a larger document.
llvm::json::Value toJSONValue(const Verdict &verdict);
bool fromJSON(const llvm::json::Value &value, Verdict &verdict,
              llvm::json::Path path);

/// Why a verdict does not do where `least` is required; none where it does.
/// `option` is what the grade was required with, such as "require".
std::optional<Rejection> refuseBelow(const Verdict &verdict, Grade least,
                                     llvm::StringRef option);

} // namespace egg

#endif // EGG_CORE_VERDICT_H
