//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ScriptParts: the text of a schedule file cut into the parts that are decided
// at different times, and joined again. It cuts text, not IR, so that comments
// survive, and it accepts nothing: that is the Schedule library's.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_SCRIPTPARTS_H
#define EGG_AGENT_SCRIPTPARTS_H

#include "egg/Core/Stage.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace egg {

struct ScriptPart {
  enum class Kind {
    /// Definitions of attribute aliases (#map = ...), which come first.
    Aliases,
    /// Text before the first op of the schedule: comments, `module attributes
    /// {...} {`; and the closing bracket after the last.
    Opening,
    Closing,
    /// A func.func that a substitution uses; @substitution; @algorithm.
    Function,
    Substitution,
    Algorithm,
    /// Of a kernel's module: `module @name ... {`, its sequences, and `}`.
    KernelOpening,
    Sequence,
    KernelClosing,
    /// Anything else that parses.
    Other
  };
  Kind kind = Kind::Other;
  /// The kernel's name for the parts of its module, else the symbol's.
  std::string name;
  /// Sequence: its name, "tensor_tiling".
  std::string sequence;
  /// From the end of the part before: with the comments above it.
  std::string text;
  bool operator==(const ScriptPart &) const = default;
};

/// The parts in the order of the text. Joined they are the text.
struct ScriptParts {
  std::vector<ScriptPart> parts;
  bool operator==(const ScriptParts &) const = default;

  /// Names of the kernels' modules, in order.
  std::vector<std::string> kernels() const;
  bool hasKernel(llvm::StringRef kernel) const;

  /// The text of a stage, indented as if it stood alone: of the algorithm, its
  /// aliases, functions and @substitution too. Empty if the script has none.
  std::string get(const Stage &stage) const;

  /// Puts `text` in place of the stage's parts, whatever it is; the aliases
  /// that an algorithm begins with go where they may be. False if the script
  /// has no such kernel.
  bool replace(const Stage &stage, llvm::StringRef text);

  /// Removes a kernel's module; false if there is none.
  bool removeKernel(llvm::StringRef kernel);

  /// Adds a kernel's module before the closing bracket.
  void append(llvm::StringRef module);
};

/// A larger schedule, or a larger answer for one stage, is not looked at.
inline constexpr size_t kMaxScriptBytes = 8 << 20;
inline constexpr size_t kMaxAnswerScriptBytes = 64 << 10;

/// Cuts the text of a schedule file. Untrusted text: the error says where it
/// is too large, nested too deeply, or does not parse. Nothing is verified.
llvm::Expected<ScriptParts> splitScript(llvm::StringRef script,
                                        mlir::MLIRContext *context);

/// What a script that does not parse seems to have for the stage: for who is
/// to mend it. All of it where the stage is not found.
std::string findStageText(llvm::StringRef script, const Stage &stage);

/// The text again, byte for byte if nothing was replaced.
std::string joinScript(const ScriptParts &parts);

/// Puts what an agent answered for a stage into the script. The answer is the
/// stage's sequence (for the algorithm with functions and @substitution before
/// it, and kernels' modules after it), or a whole schedule or kernel's module,
/// of which the stage's part is taken. Text that does not parse goes in as it
/// is, since the check that refuses it says what is wrong and where. Errors:
/// the script itself cannot be cut, has no such kernel, or the answer is empty
/// or larger than kMaxAnswerScriptBytes.
llvm::Expected<std::string> spliceAnswer(llvm::StringRef script,
                                         const Stage &stage,
                                         llvm::StringRef answer,
                                         mlir::MLIRContext *context);

} // namespace egg

#endif // EGG_AGENT_SCRIPTPARTS_H
