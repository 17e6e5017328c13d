//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Child processes with limits: everything that runs untrusted scripts, may
// crash, or may never end, runs in one. A crash is a result, not an error.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SUPPORT_SUBPROCESS_H
#define EGG_SUPPORT_SUBPROCESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace egg {

/// What a child may use; nothing set means no limit.
struct ProcessLimits {
  /// Wall-clock time; when it is over the child's whole process group ends.
  std::optional<double> wallSeconds;
  /// Processor time of the child.
  std::optional<uint64_t> cpuSeconds;
  /// Address space in bytes. A function in a child of an AddressSanitizer build
  /// runs without: the sanitizer itself takes terabytes of it.
  std::optional<uint64_t> addressSpaceBytes;
  /// Size of any file the child writes, in bytes.
  std::optional<uint64_t> fileBytes;
  /// Open files.
  std::optional<uint64_t> openFiles;
  /// Processes and threads of the user; 0 keeps the child from starting any.
  /// The kernel does not hold the superuser to it.
  std::optional<uint64_t> processes;
  /// Bytes kept of each output stream; a child that writes more is ended.
  uint64_t outputBytes = uint64_t(64) << 20;
};

/// How a child ended, and what it wrote.
struct ProcessResult {
  enum class End {
    /// By itself, with exitCode.
    Exited,
    /// By a signal (a crash, or a limit on processor time or file size).
    Signalled,
    /// Ended because wallSeconds were over.
    TimedOut,
    /// Ended because it wrote more than outputBytes to one stream.
    TooMuchOutput,
    /// A function (runInChild) that reached addressSpaceBytes. A program shows
    /// it in its own way.
    OutOfMemory,
    /// A function (runInChild with addressSpaceBytes) whose stack was full.
    StackOverflow
  };
  End end = End::Exited;
  /// The exit code if end is Exited.
  int exitCode = 0;
  /// The signal's number if end is Signalled.
  int signal = 0;
  std::string standardOutput, standardError;
  double wallSeconds = 0;
  /// Largest resident set of the child in bytes.
  uint64_t peakMemoryBytes = 0;

  bool succeeded() const { return end == End::Exited && exitCode == 0; }
  /// Whether wallSeconds or cpuSeconds were over.
  bool ranOutOfTime() const;
  /// How it ended, as a phrase: "exited with code 1", "crashed: Segmentation
  /// fault", "was stopped after 2 s".
  std::string describeEnd() const;
};

struct ProcessRequest {
  /// Path, or a name looked up on PATH.
  std::string program;
  /// Arguments, without the program itself.
  std::vector<std::string> arguments;
  /// Fed to standard input, which then ends.
  std::string input;
  /// NAME=value pairs that replace the environment; unset: inherited.
  std::optional<std::vector<std::string>> environment;
  /// Unset: that of the parent.
  std::string workingDirectory;
  ProcessLimits limits;
};

/// Runs a program to its end. An Error means it could not be started; how it
/// ended is in the result. No other open file of the parent is inherited, and
/// whatever the child itself started ends with it.
llvm::Expected<ProcessResult> runProcess(const ProcessRequest &request);

/// Is told the name of each step of a child's work as it begins.
using StepListener = llvm::function_ref<void(llvm::StringRef)>;

/// Runs a function in a forked copy of this process; what it writes to the
/// stream arrives as standardOutput and its return value as exitCode. Only the
/// calling thread exists in the copy: the function must not wait for other
/// threads (an MLIRContext made in the parent must have multithreading
/// disabled).
llvm::Expected<ProcessResult>
runInChild(llvm::function_ref<int(llvm::raw_ostream &)> body,
           const ProcessLimits &limits);

} // namespace egg

#endif // EGG_SUPPORT_SUBPROCESS_H
