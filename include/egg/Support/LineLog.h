//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// LineLog: a file that only grows, a record a line, and that a crash at any
// moment leaves readable.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SUPPORT_LINELOG_H
#define EGG_SUPPORT_LINELOG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace egg {

/// How a session treats its records.
enum class RecordMode {
  /// Writes new ones: the file is new or empty.
  Record,
  /// Repeats those that are there, then writes on.
  Resume,
  /// Repeats those that are there; the file is only read.
  Replay
};

class LineLog {
public:
  /// Opens the file, to append to it but for Replay, and creates it if missing.
  /// What a crash tore at its end is no line, and the next one takes its place:
  /// who wrote it never acted on it. Errors: anything but a regular file, a
  /// symbolic link unless it is only read, a second writer, a file with content
  /// in mode Record. One that is there and may not be written can be resumed:
  /// what is finished needs no more. Messages call the file `what` 'path'.
  static llvm::Expected<std::unique_ptr<LineLog>>
  open(llvm::StringRef path, RecordMode mode, llvm::StringRef what);
  ~LineLog();
  LineLog(const LineLog &) = delete;
  LineLog &operator=(const LineLog &) = delete;

  /// The lines that were there when it was opened, without their line ends.
  const std::vector<std::string> &lines() const { return present; }

  /// Appends a line, which has no line end in it, and waits until it is on the
  /// disk. Not in mode Replay.
  llvm::Error append(llvm::StringRef line);

  /// The error that append would end with where the file may not be written.
  llvm::Error checkWritable() const;

  llvm::StringRef path() const { return file; }
  RecordMode mode() const { return openMode; }

private:
  LineLog() = default;
  llvm::Error openToWrite();
  llvm::Error refuse(const llvm::Twine &why) const;
  std::string file, what;
  RecordMode openMode = RecordMode::Replay;
  int descriptor = -1;
  /// Why a file that is resumed can only be read.
  std::error_code readOnly;
  std::vector<std::string> present;
  /// Where the lines end, if something torn follows them.
  std::optional<int64_t> tornAt;
};

} // namespace egg

#endif // EGG_SUPPORT_LINELOG_H
