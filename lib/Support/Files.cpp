//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using llvm::Error;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace egg {

static Error fileError(const Twine &action, StringRef name,
                       std::error_code code) {
  return llvm::createStringError(code, "cannot " + action + " '" + name +
                                           "': " + code.message());
}

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

llvm::Expected<std::string> readFile(StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile(name, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fileError("read", name, buffer.getError());
  return (*buffer)->getBuffer().str();
}

/// Writes and flushes a new file; close errors count, since network and quota
/// file systems report a full disk only there.
static std::error_code writeNewFile(int fd, StringRef content) {
  std::error_code code;
  const char *position = content.data();
  size_t left = content.size();
  while (left && !code) {
    ssize_t written = ::write(fd, position, left);
    if (written < 0) {
      if (errno != EINTR)
        code = lastError();
      continue;
    }
    position += written;
    left -= written;
  }
  // Some special file systems cannot flush; that is no failure to write.
  if (!code && ::fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP)
    code = lastError();
  if (::close(fd) != 0 && !code)
    code = lastError();
  return code;
}

/// "<directory>/.<name>.tmp-%%%%%%%%", in the directory of the target so that
/// the rename stays within one file system.
static llvm::SmallString<256> temporaryModel(StringRef target) {
  llvm::SmallString<256> model(path::parent_path(target));
  path::append(model, "." + path::filename(target) + ".tmp-%%%%%%%%");
  return model;
}

/// Writes to a device or pipe: a rename would put a file in its place.
static Error writeInPlace(StringRef name, StringRef content) {
  std::error_code code;
  llvm::raw_fd_ostream os(name, code, fs::CD_OpenExisting, fs::FA_Write,
                          fs::OF_None);
  if (code)
    return fileError("write", name, code);
  os << content;
  os.close();
  if (os.has_error()) {
    code = os.error();
    os.clear_error();
    return fileError("write", name, code);
  }
  return Error::success();
}

/// Writes a file whole or not at all; messages call it `shown`.
static Error writeWhole(StringRef given, StringRef content, StringRef shown) {
  // A link stays, and what it points to is replaced.
  llvm::SmallString<256> name = given;
  if (fs::is_symlink_file(given) && fs::exists(given))
    (void)fs::real_path(given, name);
  if (fs::exists(name) && !fs::is_regular_file(name) && !fs::is_directory(name))
    return writeInPlace(name, content);
  int fd = -1;
  llvm::SmallString<256> temporary;
  if (auto code =
          fs::createUniqueFile(temporaryModel(name), fd, temporary, fs::OF_None,
                               fs::all_read | fs::owner_write))
    return fileError("write", shown, code);
  std::error_code code = writeNewFile(fd, content);
  if (!code)
    code = fs::rename(temporary, name);
  if (code) {
    // The first error is the one to report.
    (void)fs::remove(temporary);
    return fileError("write", shown, code);
  }
  return Error::success();
}

Error writeFileAtomically(StringRef name, StringRef content) {
  return writeWhole(name, content, name);
}

/// Whether an existing entry at the target may be replaced.
static Error checkReplaceable(StringRef target, const DirectoryMark &mark) {
  // status does not follow a link: one to nothing is an entry too.
  fs::file_status status;
  if (fs::status(target, status, /*follow=*/false) ==
      std::errc::no_such_file_or_directory)
    return Error::success();
  if (!fs::is_directory(target))
    return llvm::createStringError(
        "cannot create directory '" + target +
        "': a file of that name exists; remove it or choose another name");
  auto refuse = [&](const Twine &why) {
    return llvm::createStringError("will not replace directory '" + target +
                                   "': " + why + "; choose another directory");
  };
  bool empty = true, marked = false;
  std::string foreign;
  std::error_code code;
  for (fs::directory_iterator entry(target, code, /*follow_symlinks=*/false),
       end;
       !code && entry != end; entry.increment(code)) {
    empty = false;
    StringRef name = path::filename(entry->path());
    bool regular = !fs::status(entry->path(), status, /*follow=*/false) &&
                   status.type() == fs::file_type::regular_file;
    if (!regular || !llvm::is_contained(mark.names, name)) {
      // The same one on every file system.
      if (foreign.empty() || name < foreign)
        foreign = name.str();
    } else if (name == mark.file) {
      llvm::Expected<std::string> content = readFile(entry->path());
      if (!content)
        return content.takeError();
      marked = mark.isOurs(*content);
    }
  }
  if (code)
    return fileError("read directory", target, code);
  if (empty)
    return Error::success();
  if (!marked)
    return refuse("it is not empty and has no " + mark.file +
                  " of EGG's, so EGG did not make it");
  if (!foreign.empty())
    return refuse("it holds '" + foreign + "', which EGG did not make");
  return Error::success();
}

llvm::Expected<AtomicDirectory> AtomicDirectory::create(StringRef target,
                                                        DirectoryMark mark) {
  // "out/" and "out" are the same directory and need the same sibling.
  llvm::SmallString<256> absolute(target);
  if (auto code = fs::make_absolute(absolute))
    return fileError("create directory", target, code);
  path::remove_dots(absolute, /*remove_dot_dot=*/true);
  while (absolute.size() > 1 && path::is_separator(absolute.back()))
    absolute.pop_back();
  if (Error error = checkReplaceable(absolute, mark))
    return std::move(error);
  if (auto code = fs::create_directories(path::parent_path(absolute)))
    return fileError("create directory", path::parent_path(absolute), code);

  for (int attempt = 0; attempt < 128; ++attempt) {
    llvm::SmallString<256> temporary;
    fs::createUniquePath(temporaryModel(absolute), temporary,
                         /*MakeAbsolute=*/false);
    std::error_code code =
        fs::create_directory(temporary, /*IgnoreExisting=*/false);
    if (code == std::errc::file_exists)
      continue;
    if (code)
      return fileError("create directory", temporary, code);
    AtomicDirectory directory;
    directory.target = absolute.str().str();
    directory.temporary = temporary.str().str();
    directory.mark = std::move(mark);
    return directory;
  }
  return fileError("create a sibling of", absolute,
                   std::make_error_code(std::errc::file_exists));
}

AtomicDirectory::AtomicDirectory(AtomicDirectory &&other) noexcept
    : target(std::move(other.target)), temporary(std::move(other.temporary)),
      mark(std::move(other.mark)) {
  other.temporary.clear();
}

AtomicDirectory::~AtomicDirectory() {
  if (!temporary.empty())
    (void)fs::remove_directories(temporary);
}

Error AtomicDirectory::write(StringRef name, StringRef content) {
  assert(!temporary.empty() && "write after commit");
  llvm::SmallString<256> relative(name);
  path::remove_dots(relative, /*remove_dot_dot=*/true);
  if (relative.empty() || path::is_absolute(relative) ||
      *path::begin(relative) == "..")
    return llvm::createStringError("file name '" + name +
                                   "' leaves the directory '" + target + "'");
  llvm::SmallString<256> file(temporary);
  path::append(file, relative);
  if (auto code = fs::create_directories(path::parent_path(file)))
    return fileError("create directory", path::parent_path(file), code);
  // The temporary directory's name says nothing to whoever asked for it.
  llvm::SmallString<256> shown(target);
  path::append(shown, relative);
  return writeWhole(file, content, shown);
}

Error AtomicDirectory::commit() {
  assert(!temporary.empty() && "commit twice");
  // What is there may have changed since create.
  if (Error error = checkReplaceable(target, mark))
    return error;
  ::chmod(temporary.c_str(), 0755);
  // The old directory moves aside first: rename does not replace a directory
  // that has files.
  std::string aside;
  if (fs::exists(target)) {
    aside = temporary + ".old";
    if (auto code = fs::rename(target, aside))
      return fileError("replace directory", target, code);
  }
  if (auto code = fs::rename(temporary, target)) {
    if (!aside.empty())
      (void)fs::rename(aside, target);
    return fileError("create directory", target, code);
  }
  temporary.clear();
  if (!aside.empty())
    (void)fs::remove_directories(aside);
  return Error::success();
}

} // namespace egg
