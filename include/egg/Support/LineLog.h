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
#include <string>
#include <vector>

namespace egg {

/// The whole lines of a log, without their line ends; what a crash tore at the
/// end is left out. An error for anything but a regular file.
llvm::Expected<std::vector<std::string>> readLineLog(llvm::StringRef path);

class LineLog {
public:
  /// Opens the file to append to it, and creates it if missing. A torn end is
  /// cut off: who wrote it never acted on it. Writers hold a lock; a second
  /// one is an error.
  static llvm::Expected<std::unique_ptr<LineLog>> open(llvm::StringRef path);
  ~LineLog();
  LineLog(const LineLog &) = delete;
  LineLog &operator=(const LineLog &) = delete;

  /// The lines that were there when it was opened.
  const std::vector<std::string> &lines() const { return present; }

  /// Appends a line, which has no line end in it, and waits until it is on the
  /// disk.
  llvm::Error append(llvm::StringRef line);

  llvm::StringRef path() const { return file; }

private:
  LineLog() = default;
  std::string file;
  int descriptor = -1;
  std::vector<std::string> present;
};

} // namespace egg

#endif // EGG_SUPPORT_LINELOG_H
