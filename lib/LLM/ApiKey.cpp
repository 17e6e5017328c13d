//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/ApiKey.h"
#include "egg/LLM/Provider.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>

using namespace llvm;

namespace egg {

Secret::Secret(StringRef text) {
  if (text.empty())
    return;
  size_t page = size_t(::sysconf(_SC_PAGESIZE));
  capacity = (text.size() + page - 1) / page * page;
  void *memory = ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    report_bad_alloc_error("no memory for a key");
  // Forked children see zeros, core dumps nothing. Kernels that lack either
  // still keep the rest of the promises.
  (void)::madvise(memory, capacity, MADV_WIPEONFORK);
  (void)::madvise(memory, capacity, MADV_DONTDUMP);
  data = static_cast<char *>(memory);
  length = text.size();
  memcpy(data, text.data(), length);
}

Secret::Secret(Secret &&other) noexcept
    : data(std::exchange(other.data, nullptr)),
      length(std::exchange(other.length, 0)),
      capacity(std::exchange(other.capacity, 0)) {}

Secret &Secret::operator=(Secret &&other) noexcept {
  std::swap(data, other.data);
  std::swap(length, other.length);
  std::swap(capacity, other.capacity);
  return *this;
}

Secret::~Secret() {
  if (!data)
    return;
  ::explicit_bzero(data, capacity);
  ::munmap(data, capacity);
}

/// So much of a secret's beginning is one where a text was cut; and no key is
/// shorter.
static constexpr size_t kTelling = 8;

/// One character of a text as JSON may write it, and how many it takes.
static std::pair<char, size_t> readCharacter(StringRef text) {
  unsigned code;
  if (text.starts_with("\\u00") && text.size() >= 6 &&
      !text.substr(4, 2).getAsInteger(16, code))
    return {char(code), 6};
  if (text.size() >= 2 && text[0] == '\\' &&
      StringRef("\"\\/").contains(text[1]))
    return {text[1], 2};
  return {text[0], 1};
}

/// How much of the text is the secret, or enough of its beginning; 0 if none.
static size_t matchSecret(StringRef text, StringRef secret) {
  size_t taken = 0, matched = 0;
  while (matched < secret.size() && taken < text.size()) {
    auto [character, length] = readCharacter(text.drop_front(taken));
    // A backslash may also be meant as one.
    if (character != secret[matched])
      std::tie(character, length) = std::pair(text[taken], size_t(1));
    if (character != secret[matched])
      break;
    taken += length;
    ++matched;
  }
  return matched >= std::min(kTelling, secret.size()) ? taken : 0;
}

std::string Secret::redact(StringRef text) const {
  if (empty())
    return text.str();
  std::string result;
  while (!text.empty()) {
    size_t taken = matchSecret(text, reveal());
    if (taken)
      result += "(secret)";
    else
      result += text.front();
    text = text.drop_front(std::max<size_t>(taken, 1));
  }
  return result;
}

raw_ostream &operator<<(raw_ostream &os, const Secret &secret) {
  return os << (secret.empty() ? "(no secret)" : "(secret)");
}

/// A key in a header line must not be able to end it.
static Expected<Secret> checkedKey(StringRef text, const Twine &where) {
  text = text.trim();
  if (text.empty())
    return createStringError(inconvertibleErrorCode(),
                             where + " is empty; put a key there");
  if (!all_of(text, [](char c) { return c > ' ' && c < 0x7f; }))
    return createStringError(inconvertibleErrorCode(),
                             where +
                                 " has characters that no key has (white "
                                 "space, or not ASCII); copy the key again");
  // One of two letters would be taken out of half the words of an answer.
  if (text.size() < kTelling)
    return createStringError(inconvertibleErrorCode(),
                             where + " has fewer than " + Twine(kTelling) +
                                 " characters, and what is so short cannot be "
                                 "kept out of answers; use a longer key, or "
                                 "none where the server wants none");
  return Secret(text);
}

Expected<Secret> takeKeyFromEnvironment(const std::string &variable) {
  char *value = ::getenv(variable.c_str());
  if (!value || !*value)
    return Secret();
  Expected<Secret> key = checkedKey(value, "the variable " + variable);
  ::explicit_bzero(value, strlen(value));
  ::unsetenv(variable.c_str());
  return key;
}

Expected<Secret> readKeyFile(StringRef path) {
  auto fail = [&](const Twine &what) {
    return createStringError(inconvertibleErrorCode(),
                             "key file '" + path + "' " + what);
  };
  std::string name = path.str();
  int fd = ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return fail(Twine("cannot be read: ") + strerror(errno));
  struct stat status;
  char text[4097];
  ssize_t size = -1;
  bool known = ::fstat(fd, &status) == 0;
  if (known && S_ISREG(status.st_mode))
    size = ::read(fd, text, sizeof(text));
  ::close(fd);
  if (!known || !S_ISREG(status.st_mode))
    return fail("is no regular file; name one that holds the key");
  if (status.st_uid != ::geteuid())
    return fail("belongs to another user; make a copy of your own");
  if (status.st_mode & 077)
    return fail("can be used by others (mode " +
                utostr(status.st_mode >> 6 & 7) +
                utostr(status.st_mode >> 3 & 7) + utostr(status.st_mode & 7) +
                "); run: chmod 600 '" + path + "', and consider a new key");
  if (size < 0)
    return fail("cannot be read");
  if (size_t(size) == sizeof(text))
    return fail("has over 4096 bytes; a key is shorter");
  Expected<Secret> key =
      checkedKey(StringRef(text, size_t(size)), "key file '" + path + "'");
  ::explicit_bzero(text, sizeof(text));
  return key;
}

ArrayRef<StringRef> inheritedVariables() {
  static constexpr StringRef names[] = {"PATH",     "HOME",   "LANG", "LC_ALL",
                                        "LC_CTYPE", "TZ",     "USER", "LOGNAME",
                                        "TERM",     "TMPDIR", "SHELL"};
  return names;
}

Expected<std::vector<std::string>>
childEnvironment(ArrayRef<std::string> more) {
  std::vector<std::string> environment, names;
  for (StringRef name : inheritedVariables())
    names.push_back(name.str());
  for (const std::string &name : more) {
    for (const ProviderConfig &provider : builtinProviders())
      if (provider.keyVariable == name)
        return createStringError(
            inconvertibleErrorCode(),
            "the variable " + name + " holds a key of provider '" +
                provider.name +
                "' and is not passed on; let the command read its key from a "
                "file of its own");
    names.push_back(name);
  }
  for (const std::string &name : names)
    if (const char *value = ::getenv(name.c_str()))
      environment.push_back(name + "=" + value);
  return environment;
}

std::vector<std::string> environmentWithoutKeys() {
  std::vector<std::string> environment;
  for (char **entry = environ; *entry; ++entry) {
    StringRef name = StringRef(*entry).split('=').first;
    if (none_of(builtinProviders(), [&](const ProviderConfig &provider) {
          return provider.keyVariable == name;
        }))
      environment.push_back(*entry);
  }
  return environment;
}

} // namespace egg
