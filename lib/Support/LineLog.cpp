//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/LineLog.h"
#include "egg/Support/Files.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using llvm::Error;
using llvm::StringRef;

namespace egg {

static Error logError(const llvm::Twine &action, StringRef what,
                      StringRef path) {
  std::error_code code(errno, std::generic_category());
  return llvm::createStringError(code, "cannot " + action + " " + what + " '" +
                                           path + "': " + code.message());
}

llvm::Expected<std::unique_ptr<LineLog>>
LineLog::open(StringRef path, RecordMode mode, StringRef what) {
  std::unique_ptr<LineLog> log(new LineLog);
  log->file = path.str();
  log->what = what.str();
  log->openMode = mode;
  auto refuse = [&](const llvm::Twine &why) {
    return llvm::createStringError(what + " '" + path + "' " + why);
  };
  if (mode != RecordMode::Replay) {
    log->descriptor = ::open(log->file.c_str(),
                             O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC |
                                 O_NOFOLLOW | O_NONBLOCK,
                             0644);
    // Whoever made it could have anything written to, or created.
    if (log->descriptor < 0 && errno == ELOOP)
      return refuse("is a symbolic link, which is not written through; name "
                    "the file itself");
    if (log->descriptor < 0)
      return logError("open", what, path);
    if (::flock(log->descriptor, LOCK_EX | LOCK_NB) != 0)
      return refuse("is being written by another process; wait for it, or use "
                    "another file");
  }
  // A device could be read forever.
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return refuse("is no regular file; name one");
  llvm::Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  if (mode == RecordMode::Record && !text->empty())
    return refuse("holds a session already; resume it, or choose another "
                  "directory or file");
  StringRef left = *text;
  while (left.contains('\n')) {
    auto [line, rest] = left.split('\n');
    log->present.push_back(line.str());
    left = rest;
  }
  if (!left.empty())
    log->tornAt = text->size() - left.size();
  return std::move(log);
}

LineLog::~LineLog() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Error LineLog::append(StringRef line) {
  assert(!line.contains('\n') && "a record is one line");
  assert(openMode != RecordMode::Replay && "the file is only read");
  if (tornAt && ::ftruncate(descriptor, off_t(*tornAt)) != 0)
    return logError("repair the end of", what, file);
  tornAt.reset();
  std::string whole = (line + "\n").str();
  StringRef left = whole;
  while (!left.empty()) {
    ssize_t written = ::write(descriptor, left.data(), left.size());
    if (written < 0) {
      if (errno == EINTR)
        continue;
      return logError("append to", what, file);
    }
    left = left.drop_front(size_t(written));
  }
  // Some special file systems cannot flush; that is no failure to write.
  if (::fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
    return logError("flush", what, file);
  return Error::success();
}

} // namespace egg
