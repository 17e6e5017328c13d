//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a failed answer of an agent means for the search.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SESSION_SEARCH_ANSWERFAULT_H
#define EGG_LIB_SESSION_SEARCH_ANSWERFAULT_H

#include "llvm/Support/Error.h"
#include <string>

namespace egg {

struct AnswerFault {
  std::string message;
  /// A budget is spent: no more can be asked.
  bool isSpent = false;
};

/// A spent budget stops the search, an answer that nobody can use is recorded
/// and the search goes on. What ends it, for nothing can be answered any more,
/// stays an error.
llvm::Expected<AnswerFault> sortFault(llvm::Error error);

} // namespace egg

#endif // EGG_LIB_SESSION_SEARCH_ANSWERFAULT_H
