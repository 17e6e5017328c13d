//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Trajectory.h"
#include "JSON.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace egg {

static Expected<json::Object> parseRecord(StringRef line, size_t number,
                                          StringRef path) {
  auto fail = [&](const Twine &what) {
    return createStringError(path + ":" + Twine(number) + ": " + what +
                             "; restore the file, or start another session");
  };
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
  bool replays = mode == RecordMode::Replay;
  Expected<std::vector<json::Object>> records = parseRecords(lines, path);
  if (!records)
    return records.takeError();
  // Where a session went on after them, they were not its end.
  auto isEnd = [](const json::Object &record) {
    return is_contained({"stopped", "result"}, *record.getString("type"));
  };
  size_t end = records->size();
  while (replays && end > 0 && isEnd((*records)[end - 1]))
    --end;
  for (auto [number, record] : enumerate(*records)) {
    StringRef type = *record.getString("type");
    if (isEnd(record) && (!replays || number < end))
      continue;
    trajectory->expected.emplace_back(number + 1, lines[number]);
    if (type != "attempt")
      continue;
    Attempt attempt;
    json::Path::Root root("attempt");
    if (!fromJSON(json::Value(json::Object(record)), attempt, root))
      return createStringError(path + ":" + Twine(number + 1) + ": " +
                               toString(root.getError()));
    trajectory->attempts.emplace(std::pair(attempt.script, attempt.stage.str()),
                                 attempt);
  }
  return std::move(trajectory);
}

Error Trajectory::add(json::Object record) {
  std::string line = formatv("{0}", json::Value(std::move(record)));
  if (next == expected.size()) {
    if (log->mode() != RecordMode::Replay)
      return log->append(line);
    return createStringError(path() +
                             ": the session goes on where the recorded "
                             "one ends; replay it with the same EGG, "
                             "options and prompts");
  }
  const auto &[number, before] = expected[next++];
  if (line == before)
    return Error::success();
  return createStringError(
      path() + ":" + Twine(number) +
      ": the session takes another course than the recorded one here; resume "
      "it with the same payload, options, prompts and EGG, or start another "
      "session");
}

Error Trajectory::finish() {
  if (log->mode() != RecordMode::Replay || next == expected.size())
    return Error::success();
  return createStringError(path() + ":" + Twine(expected[next].first) +
                           ": the session ended before the recorded one");
}

const Attempt *Trajectory::recall(StringRef script, const Stage &stage) const {
  auto found = attempts.find({script.str(), stage.str()});
  return found == attempts.end() ? nullptr : &found->second;
}

} // namespace egg
