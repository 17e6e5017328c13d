//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rejection: why a step refused a proposal, in terms its author can act on. A
// recorded result, not an error of the program.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_REJECTION_H
#define EGG_CORE_REJECTION_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace egg {

struct Rejection {
  /// The step that refused: "accept", "legality", "apply", "numeric",
  /// "lower", "assemble", "launch", ...
  std::string step;
  /// Where: "schedule.mlir:12:5", a kernel's or an op's name; may be empty.
  std::string location;
  /// What is wrong.
  std::string reason;
  /// What would help; may be empty.
  std::string remedy;
  /// Further diagnostics, in order.
  std::vector<std::string> notes;
  /// The step came to a limit of time or memory before it could tell: the
  /// proposal may be right. It is not taken, but there is nothing to mend.
  bool undecided = false;
  bool operator==(const Rejection &) const = default;

  /// One readable text: "apply refused at k.mlir:3:1: <reason>; <remedy>" and
  /// the notes, one a line.
  std::string str() const;
};

/// Indented JSON with a final newline, and back.
std::string toJSON(const Rejection &rejection);
llvm::Expected<Rejection> parseRejection(llvm::StringRef text);

/// The same as part of a larger document.
llvm::json::Value toJSONValue(const Rejection &rejection);
bool fromJSON(const llvm::json::Value &value, Rejection &rejection,
              llvm::json::Path path);

/// A Rejection travelling as an llvm::Error.
class RejectionError : public llvm::ErrorInfo<RejectionError> {
public:
  static char ID; // NOLINT(readability-identifier-naming): llvm::ErrorInfo
  explicit RejectionError(Rejection rejection)
      : rejection(std::move(rejection)) {}
  const Rejection &get() const { return rejection; }
  void log(llvm::raw_ostream &os) const override { os << rejection.str(); }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  Rejection rejection;
};

/// Takes the error apart: its Rejection if it carries one, else a Rejection of
/// `step` with the error's message as the reason.
Rejection toRejection(llvm::Error error, llvm::StringRef step);

} // namespace egg

#endif // EGG_CORE_REJECTION_H
