//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the search writes into the trajectory: of itself, and of what an agent
// said.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SESSION_SEARCH_RECORDS_H
#define EGG_LIB_SESSION_SEARCH_RECORDS_H

#include "egg/Session/Search.h"

namespace egg {

/// What makes the session another one. Of what older records lack, a recorded
/// header has what it had.
llvm::json::Object makeHeader(const ProposalRequest &request,
                              const SearchServices &services,
                              const SearchOptions &options);

llvm::json::Object makeRecord(const Stage &stage, const Judgement &judgement);
llvm::json::Object makeRecord(const Attempt &refused,
                              const Diagnosis &diagnosis);

} // namespace egg

#endif // EGG_LIB_SESSION_SEARCH_RECORDS_H
