//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Keys: where they may come from, and how they are kept from going elsewhere.
// Only the environment variable that a provider names, or a file that only its
// owner can read: never an argument.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_APIKEY_H
#define EGG_LLM_APIKEY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace egg {

/// Text that does not print. It lies in memory of its own that children do not
/// get, core dumps do not hold, and that is overwritten in the end.
class Secret {
public:
  Secret() = default;
  explicit Secret(llvm::StringRef text);
  Secret(Secret &&other) noexcept;
  Secret &operator=(Secret &&other) noexcept;
  Secret(const Secret &) = delete;
  Secret &operator=(const Secret &) = delete;
  ~Secret();

  bool empty() const { return length == 0; }
  /// The text itself; only for handing to the transport.
  llvm::StringRef reveal() const { return {data, length}; }
  /// The text with every occurrence of the secret replaced by "(secret)", also
  /// with characters written as JSON escapes, and of its first characters, from
  /// 8 on: texts are cut for messages.
  std::string redact(llvm::StringRef text) const;

private:
  char *data = nullptr;
  size_t length = 0, capacity = 0;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Secret &secret);

/// The key in an environment variable, which is then removed from this
/// process's environment, so that no child inherits it; empty if it is unset.
/// A key of anything but printable ASCII, or of fewer than 8 characters, is an
/// error.
llvm::Expected<Secret> takeKeyFromEnvironment(const std::string &variable);

/// The key in a file: regular, owned by the user, without permissions for
/// others (0600), at most 4 KiB; white space around it is dropped.
llvm::Expected<Secret> readKeyFile(llvm::StringRef path);

/// What a child may have of the environment unless told: PATH, HOME, LANG, ...
llvm::ArrayRef<llvm::StringRef> inheritedVariables();

/// NAME=value of the inherited variables and of `more`, where set. An error for
/// a variable that some provider's key is in.
llvm::Expected<std::vector<std::string>>
childEnvironment(llvm::ArrayRef<std::string> more);

/// NAME=value of all variables but those that some provider's key is in: for
/// programs of our own, which need what the user set for CUDA and Python.
std::vector<std::string> environmentWithoutKeys();

} // namespace egg

#endif // EGG_LLM_APIKEY_H
