//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// SimtFault: what the CPU execution of a kernel found wrong, and where.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_EMULATOR_SIMTFAULT_H
#define EGG_EMULATOR_SIMTFAULT_H

#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>

namespace egg {

/// A kernel broke a rule of the machine it is meant for. The reason says what
/// happened; the fields say where.
class SimtFault : public llvm::ErrorInfo<SimtFault> {
public:
  enum class Kind {
    /// An index at or past the extent, or an address outside the buffer.
    OutOfBounds,
    /// A read of memory that nothing has written.
    UninitializedRead,
    /// A result element that no thread wrote.
    UnwrittenOutput,
    /// A write to a buffer the kernel takes as input.
    WriteToInput,
    /// Two threads touch an element with no barrier between, one writing.
    DataRace,
    /// Threads wait at different barriers, or some have returned.
    DivergentBarrier,
    /// Lanes of a warp do not meet in one shuffle.
    DivergentShuffle,
    /// An address of one state space used as one of another.
    WrongSpace,
    /// An address that is not a multiple of what the access promises or needs.
    Misaligned,
    /// Threads wait, or poll, for what can no longer come.
    Deadlock,
    /// Data of an asynchronous operation used, or its operands overwritten,
    /// before a wait.
    MissingWait,
    /// No fence between accesses through different proxies, or before the
    /// registers of an asynchronous product.
    MissingFence,
    /// An instruction used in a way that the machine does not define.
    InvalidOperation
  };

  Kind kind = Kind::OutOfBounds;
  /// Name of the kernel.
  std::string kernel;
  /// The operation and its source location; empty where there is none.
  std::string op, location;
  std::array<int64_t, 3> block = {0, 0, 0}, thread = {0, 0, 0};
  /// True when block and thread mean something.
  bool hasThread = false;
  /// What happened.
  std::string reason;

  static char ID; // NOLINT(readability-identifier-naming): llvm::ErrorInfo
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// The kind in words, such as "out-of-bounds".
llvm::StringRef stringifyFaultKind(SimtFault::Kind kind);

} // namespace egg

#endif // EGG_EMULATOR_SIMTFAULT_H
