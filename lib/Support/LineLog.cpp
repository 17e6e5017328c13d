//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/LineLog.h"
#include "egg/Support/Files.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using llvm::Error;
using llvm::StringRef;

namespace egg {

static Error logError(const llvm::Twine &action, StringRef path) {
  std::error_code code(errno, std::generic_category());
  return llvm::createStringError(code, "cannot " + action + " '" + path +
                                           "': " + code.message());
}

/// A device could be read forever.
static llvm::Expected<std::string> readWhole(StringRef path) {
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return llvm::createStringError("'" + path +
                                   "' is no regular file; name one");
  return readFile(path);
}

static std::vector<std::string> splitLines(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.take_front(text.rfind('\n') + 1)
      .split(lines, '\n', -1,
             /*KeepEmpty=*/false);
  return {lines.begin(), lines.end()};
}

llvm::Expected<std::vector<std::string>> readLineLog(StringRef path) {
  llvm::Expected<std::string> text = readWhole(path);
  if (!text)
    return text.takeError();
  return splitLines(*text);
}

llvm::Expected<std::unique_ptr<LineLog>> LineLog::open(StringRef path) {
  std::unique_ptr<LineLog> log(new LineLog);
  log->file = path.str();
  log->descriptor =
      ::open(log->file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (log->descriptor < 0)
    return logError("open", path);
  if (::flock(log->descriptor, LOCK_EX | LOCK_NB) != 0)
    return llvm::createStringError(
        "'" + path +
        "' is being written by another process; wait for it, or "
        "use another file");
  llvm::Expected<std::string> text = readWhole(path);
  if (!text)
    return text.takeError();
  if (::ftruncate(log->descriptor, off_t(StringRef(*text).rfind('\n') + 1)))
    return logError("repair the end of", path);
  log->present = splitLines(*text);
  return std::move(log);
}

LineLog::~LineLog() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Error LineLog::append(StringRef line) {
  assert(!line.contains('\n') && "a record is one line");
  std::string whole = (line + "\n").str();
  StringRef left = whole;
  while (!left.empty()) {
    ssize_t written = ::write(descriptor, left.data(), left.size());
    if (written < 0) {
      if (errno == EINTR)
        continue;
      return logError("append to", file);
    }
    left = left.drop_front(size_t(written));
  }
  // Some special file systems cannot flush; that is no failure to write.
  if (::fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
    return logError("flush", file);
  return Error::success();
}

} // namespace egg
