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

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace egg {

/// Grades in increasing order; each includes the ones before it.
enum class Grade {
  /// No step has compared results.
  Unverified,
  /// Results agree within a tolerance on the inputs that were tried.
  Tested,
  /// The error against fp64 is within the precision policy.
  Bounded,
  /// Equal in exact arithmetic, and the emulated kernel is free of faults.
  Exact,
  /// Exact, and every rewrite carries a proof.
  Proved
};
llvm::StringRef stringifyGrade(Grade grade);
std::optional<Grade> symbolizeGrade(llvm::StringRef name);

/// What one step of the verification showed.
struct Evidence {
  /// The step: "accept", "apply", "numeric", ...
  std::string step;
  /// What was done and found, in a sentence.
  std::string statement;
  /// Largest absolute error, and error relative to the result's scale, where
  /// the step compared numbers.
  std::optional<double> maxAbsoluteError, maxRelativeError;
  bool operator==(const Evidence &) const = default;
};

struct Verdict {
  Grade grade = Grade::Unverified;
  std::vector<Evidence> evidence;
  /// Steps that could not run here, with the reason ("launch: no GPU").
  std::vector<std::string> skipped;
  bool operator==(const Verdict &) const = default;
};

/// Indented JSON with a final newline, and back. Errors that are not finite
/// are kept as the strings "nan", "inf", "-inf".
std::string toJSON(const Verdict &verdict);
llvm::Expected<Verdict> parseVerdict(llvm::StringRef text);

/// The same as parts of a larger document.
llvm::json::Value toJSONValue(const Evidence &evidence);
llvm::json::Value toJSONValue(const Verdict &verdict);
bool fromJSON(const llvm::json::Value &value, Evidence &evidence,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Verdict &verdict,
              llvm::json::Path path);

} // namespace egg

#endif // EGG_CORE_VERDICT_H
