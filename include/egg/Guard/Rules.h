//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What stands before an upstream transform op: its rule, found by the op's
// name, and what the rule has to say about the payload.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_GUARD_RULES_H
#define EGG_GUARD_RULES_H

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace egg {

/// What a rule found out about one application of a transform op.
class Findings {
public:
  struct Finding {
    /// The operation of the payload that the reason is about.
    mlir::Operation *payload;
    /// Why, and what to do instead.
    std::string reason;
  };

  /// The op would crash or make a wrong program.
  void refuse(mlir::Operation *payload, const llvm::Twine &reason) {
    refused.push_back({payload, reason.str()});
  }
  /// The op is right only if something holds that nothing here can show.
  void leaveOpen(mlir::Operation *payload, const llvm::Twine &reason) {
    open.push_back({payload, reason.str()});
  }

  llvm::SmallVector<Finding> refused, open;
};

/// Looks at the payload that `op` is about to transform.
using Check = void (*)(mlir::transform::TransformOpInterface op,
                       mlir::transform::TransformState &state,
                       Findings &findings);

/// What is known about an upstream transform op.
struct Rule {
  enum class Kind {
    /// Leaves the meaning of every payload as it is, as far as is known.
    Sound,
    /// Does so where `check` finds nothing.
    Guarded,
    /// Rests on a claim of the script's author, or was not examined.
    Unknown,
  };
  llvm::StringLiteral name;
  Kind kind;
  Check check = nullptr;
  /// Why it is unknown.
  llvm::StringLiteral note = "";
};

/// The rule of the op with that full name ("transform.structured.pad"), or
/// null.
const Rule *findRule(llvm::StringRef name);

} // namespace egg

#endif // EGG_GUARD_RULES_H
