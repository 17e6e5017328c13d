//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Files and directories that appear on disk whole or not at all: everything is
// written to a temporary sibling, flushed to the disk, and renamed.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SUPPORT_FILES_H
#define EGG_SUPPORT_FILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace egg {

/// The whole content of a file. The error names the path and the reason.
llvm::Expected<std::string> readFile(llvm::StringRef path);

/// Writes content to path, replacing what is there. On error (no such
/// directory, no permission, disk full) the old file is untouched and nothing
/// is left behind.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef content);

/// How a directory is known to be one that EGG made, and nothing else.
struct DirectoryMark {
  /// A file that each has, and whether content is what EGG writes there.
  std::string file;
  std::function<bool(llvm::StringRef)> isOurs;
  /// The names of all files that there may be, `file` among them.
  std::vector<std::string> names;
};

/// A directory under construction. Write files, then commit; without a commit
/// the destructor removes every trace.
class AtomicDirectory {
public:
  /// Starts a directory that commit will place at path. An existing directory
  /// there is replaced only if it is empty, or has the mark and holds nothing
  /// but regular files of the mark's names; anything else is an error, so that
  /// a mistyped path never deletes a user's files.
  static llvm::Expected<AtomicDirectory> create(llvm::StringRef path,
                                                DirectoryMark mark);

  AtomicDirectory(AtomicDirectory &&other) noexcept;
  AtomicDirectory &operator=(AtomicDirectory &&) = delete;
  AtomicDirectory(const AtomicDirectory &) = delete;
  ~AtomicDirectory();

  /// Writes one file; name may have directories ("kernels/a.ptx"), but not
  /// leave the directory.
  llvm::Error write(llvm::StringRef name, llvm::StringRef content);

  /// Where the files are until commit.
  llvm::StringRef temporaryPath() const { return temporary; }

  /// Places the directory; afterwards nothing more can be written.
  llvm::Error commit();

private:
  AtomicDirectory() = default;
  std::string target, temporary;
  DirectoryMark mark;
};

} // namespace egg

#endif // EGG_SUPPORT_FILES_H
