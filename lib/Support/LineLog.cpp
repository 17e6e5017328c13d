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

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

static Error logError(const llvm::Twine &action, StringRef what, StringRef path,
                      std::error_code code = lastError()) {
  return llvm::createStringError(code, "cannot " + action + " " + what + " '" +
                                           path + "': " + code.message());
}

Error LineLog::refuse(const llvm::Twine &why) const {
  return llvm::createStringError(what + " '" + file + "' " + why);
}

Error LineLog::openToWrite() {
  descriptor = ::open(
      file.c_str(),
      O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
  if (descriptor >= 0) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
      return refuse("is being written by another process; wait for it, or use "
                    "another file");
    return Error::success();
  }
  std::error_code code = lastError();
  // Whoever made it could have anything written to, or created.
  if (code == std::errc::too_many_symbolic_link_levels)
    return refuse("is a symbolic link, which is not written through; name "
                  "the file itself");
  bool isForbidden = code == std::errc::permission_denied ||
                     code == std::errc::operation_not_permitted ||
                     code == std::errc::read_only_file_system;
  if (!isForbidden || openMode != RecordMode::Resume ||
      !llvm::sys::fs::exists(file))
    return logError("open", what, file, code);
  readOnly = code;
  return Error::success();
}

llvm::Expected<std::unique_ptr<LineLog>>
LineLog::open(StringRef path, RecordMode mode, StringRef what) {
  std::unique_ptr<LineLog> log(new LineLog);
  log->file = path.str();
  log->what = what.str();
  log->openMode = mode;
  if (mode != RecordMode::Replay)
    if (Error error = log->openToWrite())
      return std::move(error);
  // A device could be read forever.
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return log->refuse("is no regular file; name one");
  llvm::Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  if (mode == RecordMode::Record && !text->empty())
    return log->refuse("holds a session already; resume it, or choose another "
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

Error LineLog::checkWritable() const {
  if (!readOnly)
    return Error::success();
  return refuse("cannot be written to: " + readOnly.message() +
                "; change that, or go on with a copy");
}

Error LineLog::append(StringRef line) {
  assert(!line.contains('\n') && "a record is one line");
  assert(openMode != RecordMode::Replay && "the file is only read");
  if (Error error = checkWritable())
    return error;
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
