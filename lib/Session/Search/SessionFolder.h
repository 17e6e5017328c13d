//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What must hold of a session's folder before anything is asked: that it is
// there to go on with, that who answers is who answered, and that times are of
// the same kind.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SESSION_SEARCH_SESSIONFOLDER_H
#define EGG_LIB_SESSION_SEARCH_SESSIONFOLDER_H

#include "egg/Core/Trajectory.h"
#include "egg/LLM/Cassette.h"
#include "egg/LLM/ModelClient.h"

namespace egg {

/// Makes the folder of a new session; of one that is resumed it must be there,
/// with its records, or empty as one is that was killed at once.
llvm::Error openSessionFolder(llvm::StringRef directory, RecordMode mode);

/// Who answers in a session; empty where it is not known.
struct Answerer {
  std::string provider, model;
};

/// Who answered, by the header, or, where that does not say, the first answer.
Answerer whoAnswered(const Trajectory &trajectory, const Cassette &cassette);

/// Who is to answer by the configuration, and, for what it leaves out, who
/// answered before. The error names both where they differ: what another model
/// says is another session.
llvm::Expected<Answerer> whoAnswers(const ModelConfig &config,
                                    const Answerer &before,
                                    llvm::StringRef directory);

/// Measured times cannot be compared with predicted ones: an error where the
/// records have the one kind, and now it would be the other.
llvm::Error checkMeasures(const Trajectory &trajectory, bool measures,
                          llvm::StringRef directory);

} // namespace egg

#endif // EGG_LIB_SESSION_SEARCH_SESSIONFOLDER_H
