//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Status and Result: how the runtime reports errors. It has no LLVM in it, so
// that it fits in a small shared library; these stand for Error and Expected.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_RUNTIME_STATUS_H
#define EGG_RUNTIME_STATUS_H

#include "egg-c/Runtime.h"
#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace egg::runtime {

/// A code of the C API and, unless it is EGG_OK, one line that says what went
/// wrong, where, and what to do next.
struct [[nodiscard]] Status {
  EggStatus code = EGG_OK;
  std::string message;

  static Status success() { return {}; }
  bool ok() const { return code == EGG_OK; }
};

/// A value or the Status that says why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::in_place_index<0>, std::move(value)) {}
  Result(Status status) : storage(std::in_place_index<1>, std::move(status)) {
    assert(!std::get<1>(storage).ok() && "a success needs a value");
  }

  bool ok() const { return storage.index() == 0; }
  T &value() { return std::get<0>(storage); }
  const T &value() const { return std::get<0>(storage); }
  const Status &status() const { return std::get<1>(storage); }

private:
  std::variant<T, Status> storage;
};

} // namespace egg::runtime

#endif // EGG_RUNTIME_STATUS_H
