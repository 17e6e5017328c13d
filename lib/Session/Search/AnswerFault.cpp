//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AnswerFault.h"
#include "egg/LLM/ChatError.h"

using namespace llvm;

namespace egg {

Expected<AnswerFault> sortFault(Error error) {
  AnswerFault fault;
  Error rest = handleErrors(
      std::move(error),
      [&](std::unique_ptr<ChatError> chat) -> Error {
        fault.message = chat->message();
        switch (chat->kind()) {
        case ChatErrorKind::OverBudget:
          fault.isSpent = true;
          return Error::success();
        case ChatErrorKind::BadAnswer:
        case ChatErrorKind::Refused:
        case ChatErrorKind::Truncated:
          return Error::success();
        default:
          return Error(std::move(chat));
        }
      },
      [&](const ErrorInfoBase &other) { fault.message = other.message(); });
  if (rest)
    return std::move(rest);
  return fault;
}

} // namespace egg
