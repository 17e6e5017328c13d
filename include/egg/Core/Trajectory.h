//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Trajectory: the record of a session, one JSON object a line, written before
// anything is done with it. A session is a function of its payload, options,
// answers and outcomes; so the same session, run again, writes the same lines,
// and one that was interrupted goes on where its last line ends.
//
// Every record has "type":
//   session     version, payload, options, "agent" (the model), "provider" (who
//               serves it) and "measures" (whether a GPU tells the times; older
//               records lack both): what makes it another session
//   stage       "stage": it begins
//   judgement   the analyst's answer
//   attempt     an Attempt, with its outcome
//   diagnosis   the debugger's answer about the attempt "attempt"
//   agent_error "error": what was wrong with an answer
//   declined    "rationale": why the coder proposes nothing more
//   stage_end   "reason", "best": the number of the best attempt
//   hand_over   a HandOver
//   stopped     "reason": a budget or a fault ended the session early
//   result      "best", and its PTX's hash
//
// The last two end a session, and so does a start that could not be checked
// within the limits: resumed, it is tried again. One that was stopped, resumed
// and stopped again has several such ends, of which the last one counts.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_TRAJECTORY_H
#define EGG_CORE_TRAJECTORY_H

#include "egg/Core/Attempt.h"
#include "egg/Support/LineLog.h"

namespace egg {

class Trajectory {
public:
  /// Resume: what the file holds must come again, line by line; then it grows.
  /// An end need not come again: a larger budget goes on from there; where the
  /// same one comes again nothing is written. What may not be written can be
  /// resumed if the session is finished, for that writes nothing. Replay: all
  /// it holds must come again, and nothing else, but the reason for a stop,
  /// which may tell of clocks.
  static llvm::Expected<std::unique_ptr<Trajectory>> open(llvm::StringRef path,
                                                          RecordMode mode);

  /// Records, or, where the file has a record already, compares. A difference
  /// is an error that names the line.
  llvm::Error add(llvm::json::Object record);

  /// The file's first record when it was opened; null if there was none.
  const llvm::json::Object *header() const {
    return recordedHeader ? &*recordedHeader : nullptr;
  }

  /// Whether the file's last record was the result of a session that was not
  /// stopped: there is nothing to go on with.
  bool isFinished() const { return finished; }

  /// Whether records are left that must come again.
  bool repeats() const { return next < expected.size(); }

  /// Replay: why the recorded session stopped, if it did so before its next
  /// record.
  std::optional<std::string> recordedStop() const;

  /// To be called at the session's end: a replay must have come to it.
  llvm::Error finish();

  /// The attempt that must come again next, if it has this script at this
  /// stage, or null. A session that is resumed takes its outcome; a replay
  /// evaluates again, but for what a GPU showed, which cannot be repeated.
  const Attempt *recall(llvm::StringRef script, const Stage &stage) const;

  /// Whether the recorded session measures, by its header or, in older ones, by
  /// its attempts; none where there is no saying.
  std::optional<bool> measures() const;

  /// The number of the line with that attempt, if the file had it when it was
  /// opened.
  std::optional<size_t> findLine(int64_t attempt) const;

  RecordMode mode() const { return log->mode(); }

  llvm::StringRef path() const { return log->path(); }

private:
  Trajectory() = default;
  llvm::Error otherCourse(size_t number) const;
  std::unique_ptr<LineLog> log;
  struct Line {
    /// Its number in the file.
    size_t number;
    std::string text;
    std::optional<Attempt> attempt;
  };
  /// Lines that must come again, in order, and those of the end that may.
  std::vector<Line> expected, end;
  size_t next = 0, nextOfEnd = 0;
  std::optional<llvm::json::Object> recordedHeader;
  /// Of the last end.
  std::optional<std::string> stopReason;
  bool finished = false;
};

/// Reads all records. Errors name the line.
llvm::Expected<std::vector<llvm::json::Object>>
readTrajectory(llvm::StringRef path);

} // namespace egg

#endif // EGG_CORE_TRAJECTORY_H
