//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Trajectory.h"
#include "JSON.h"
#include "egg/Support/Nesting.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace egg {

static Expected<json::Object> parseRecord(StringRef line, size_t number,
                                          StringRef path) {
  auto fail = [&](const Twine &what) {
    return createStringError(path + ":" + Twine(number) + ": " + what +
                             "; restore the file, or start another session");
  };
  // The parser recurses, and the file may be anybody's.
  if (findDeepNesting(line, kMaxNesting))
    return fail("the record is nested deeper than " + Twine(kMaxNesting) +
                " brackets");
  Expected<json::Value> value = json::parse(line);
  if (!value)
    return fail("the record is no JSON: " + toString(value.takeError()));
  json::Object *object = value->getAsObject();
  if (!object || !object->getString("type"))
    return fail("the record is no object with a \"type\"");
  return std::move(*object);
}

static Expected<std::vector<json::Object>>
parseRecords(ArrayRef<std::string> lines, StringRef path) {
  std::vector<json::Object> records;
  for (const std::string &line : lines) {
    Expected<json::Object> record = parseRecord(line, records.size() + 1, path);
    if (!record)
      return record.takeError();
    records.push_back(std::move(*record));
  }
  return records;
}

static constexpr StringLiteral kStopped = "stopped", kResult = "result",
                               kAttempt = "attempt";

static bool is(const json::Object &record, StringRef type) {
  return record.getString("type") == type;
}

/// It was not decided within the limits, and the session ended with that.
static bool isUndecidedStart(const json::Object &record) {
  const json::Object *refused = record.getObject("refused");
  return is(record, kAttempt) && record.getString("mode") == "start" &&
         refused && refused->getBoolean("undecided").value_or(false);
}

static bool isEnd(const json::Object &record) {
  return is(record, kStopped) || is(record, kResult) ||
         isUndecidedStart(record);
}

/// Where the session's last end begins: a start that was not decided, or a
/// result and, before it, why the session was stopped. One that was killed has
/// none, or the reason alone.
static size_t findEnd(ArrayRef<json::Object> records) {
  size_t end = records.size();
  if (end > 0 && isUndecidedStart(records[end - 1]))
    return end - 1;
  if (end > 0 && is(records[end - 1], kResult))
    --end;
  if (end > 0 && is(records[end - 1], kStopped))
    --end;
  return end;
}

static Expected<std::optional<Attempt>> readAttempt(const json::Object &record,
                                                    const Twine &place) {
  if (!is(record, kAttempt))
    return std::nullopt;
  Attempt attempt;
  json::Path::Root root(kAttempt);
  if (!fromJSON(json::Value(json::Object(record)), attempt, root))
    return createStringError(place + ": " + toString(root.getError()));
  return attempt;
}

static Expected<std::unique_ptr<LineLog>> openLog(StringRef path,
                                                  RecordMode mode) {
  return LineLog::open(path, mode, "trajectory");
}

Expected<std::vector<json::Object>> readTrajectory(StringRef path) {
  Expected<std::unique_ptr<LineLog>> log = openLog(path, RecordMode::Replay);
  if (!log)
    return log.takeError();
  return parseRecords((*log)->lines(), path);
}

Expected<std::unique_ptr<Trajectory>> Trajectory::open(StringRef path,
                                                       RecordMode mode) {
  std::unique_ptr<Trajectory> trajectory(new Trajectory);
  Expected<std::unique_ptr<LineLog>> log = openLog(path, mode);
  if (!log)
    return log.takeError();
  trajectory->log = std::move(*log);
  const std::vector<std::string> &lines = trajectory->log->lines();
  Expected<std::vector<json::Object>> records = parseRecords(lines, path);
  if (!records)
    return records.takeError();
  if (!records->empty())
    trajectory->recordedHeader = records->front();
  // Where a session went on after an end, or ended again, it was not the end.
  size_t end = findEnd(*records);
  for (auto [number, record] : enumerate(*records)) {
    Expected<std::optional<Attempt>> attempt =
        readAttempt(record, path + ":" + Twine(number + 1));
    if (!attempt)
      return attempt.takeError();
    Line line{number + 1, lines[number], std::move(*attempt)};
    if (number >= end && is(record, kStopped))
      trajectory->stopReason = record.getString("reason").value_or("").str();
    if (number >= end && is(record, kResult))
      trajectory->finished = !trajectory->stopReason;
    if (number >= end)
      trajectory->end.push_back(std::move(line));
    else if (!isEnd(record))
      trajectory->expected.push_back(std::move(line));
  }
  if (!trajectory->finished)
    if (Error error = trajectory->log->checkWritable())
      return std::move(error);
  return std::move(trajectory);
}

std::optional<std::string> Trajectory::recordedStop() const {
  if (mode() != RecordMode::Replay || repeats() || nextOfEnd)
    return std::nullopt;
  return stopReason;
}

Error Trajectory::otherCourse(size_t number) const {
  return createStringError(
      path() + ":" + Twine(number) +
      ": the session takes another course than the recorded one here; resume "
      "it with the same payload, options, prompts and EGG, or start another "
      "session");
}

Error Trajectory::add(json::Object record) {
  bool ends = isEnd(record), stops = is(record, kStopped);
  std::string line = formatv("{0}", json::Value(std::move(record)));
  bool replays = mode() == RecordMode::Replay;
  if (repeats()) {
    const Line &before = expected[next++];
    return line == before.text ? Error::success() : otherCourse(before.number);
  }
  if (ends && nextOfEnd < end.size()) {
    const Line &before = end[nextOfEnd];
    // Seconds that were spent do not come again.
    bool stopsToo = replays && stops && stopReason && nextOfEnd == 0;
    if (line == before.text || stopsToo) {
      ++nextOfEnd;
      return Error::success();
    }
    if (replays)
      return otherCourse(before.number);
  }
  if (replays)
    return createStringError(path() +
                             ": the session goes on where the recorded "
                             "one ends; replay it with the same EGG, "
                             "options and prompts");
  // What is written makes the recorded end one among others.
  nextOfEnd = end.size();
  return log->append(line);
}

Error Trajectory::finish() {
  if (log->mode() != RecordMode::Replay ||
      (next == expected.size() && nextOfEnd == end.size()))
    return Error::success();
  const Line &left = repeats() ? expected[next] : end[nextOfEnd];
  return createStringError(path() + ":" + Twine(left.number) +
                           ": the session ended before the recorded one");
}

const Attempt *Trajectory::recall(StringRef script, const Stage &stage) const {
  if (!repeats())
    return nullptr;
  const std::optional<Attempt> &attempt = expected[next].attempt;
  return attempt && attempt->script == script && attempt->stage == stage
             ? &*attempt
             : nullptr;
}

std::optional<bool> Trajectory::measures() const {
  if (!recordedHeader)
    return std::nullopt;
  if (std::optional<bool> said = recordedHeader->getBoolean("measures"))
    return said;
  std::optional<bool> measures;
  for (const Line &line : expected) {
    if (!line.attempt)
      continue;
    // One that is refused on the GPU held it.
    if (line.attempt->gpuSeconds > 0)
      return true;
    if (line.attempt->accepted())
      measures = measures.value_or(false) ||
                 line.attempt->assessment().measuredSeconds.has_value();
  }
  return measures;
}

std::optional<size_t> Trajectory::findLine(int64_t attempt) const {
  for (const Line &line : expected)
    if (line.attempt && line.attempt->id == attempt)
      return line.number;
  return std::nullopt;
}

} // namespace egg
