//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SessionFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace fs = llvm::sys::fs;

namespace egg {

static bool isEmpty(StringRef directory) {
  std::error_code code;
  fs::directory_iterator first(directory, code);
  return !code && first == fs::directory_iterator();
}

Error openSessionFolder(StringRef directory, RecordMode mode) {
  if (mode == RecordMode::Replay)
    return Error::success();
  if (mode == RecordMode::Record) {
    if (std::error_code code = fs::create_directories(directory))
      return createStringError(code, "cannot make the session's directory '" +
                                         directory + "': " + code.message());
    return Error::success();
  }
  SmallString<128> records(directory);
  sys::path::append(records, "trajectory.jsonl");
  // A name that was mistyped shall not begin a session that costs again.
  if (!fs::exists(records) && !fs::is_symlink_file(records) &&
      !isEmpty(directory))
    return createStringError(
        "there is no session to resume in '" + directory + "': " +
        (fs::is_directory(directory) ? "it has no trajectory.jsonl"
                                     : "there is no such directory") +
        "; name the directory of a session, or record a new one");
  return Error::success();
}

Answerer whoAnswered(const Trajectory &trajectory, const Cassette &cassette) {
  Answerer before;
  if (const json::Object *header = trajectory.header()) {
    before.provider = header->getString("provider").value_or("").str();
    StringRef agent = header->getString("agent").value_or("");
    if (agent.consume_front("llm: "))
      before.model = agent.str();
  }
  if (before.provider.empty())
    before.provider = cassette.firstProvider().str();
  if (before.model.empty())
    before.model = cassette.firstModel().str();
  return before;
}

Expected<Answerer> whoAnswers(const ModelConfig &config, const Answerer &before,
                              StringRef directory) {
  Answerer now{config.provider, config.http.model};
  if (!config.mailbox.empty())
    now.provider = "mailbox";
  if (!config.exec.empty())
    now.provider = "exec";
  if (now.provider.empty())
    now.provider = before.provider;
  if (now.model.empty())
    now.model = before.model;
  auto differ = [](StringRef a, StringRef b) {
    return !a.empty() && !b.empty() && a != b;
  };
  if (differ(now.provider, before.provider) || differ(now.model, before.model))
    return createStringError(
        "in the session in '" + directory + "' model '" + before.model +
        "' of provider '" + before.provider + "' answered, and now it is '" +
        now.model + "' of '" + now.provider +
        "'; go on with who answered before, or start another session");
  return now;
}

Error checkMeasures(const Trajectory &trajectory, bool measures,
                    StringRef directory) {
  if (trajectory.measures().value_or(measures) == measures)
    return Error::success();
  return createStringError(
      "the session in '" + directory + "' " +
      (measures ? "has predicted times, and now a GPU would measure them; "
                  "resume it without the option measure"
                : "has times measured on a GPU, and now they would be "
                  "predicted; resume it where there is a GPU, with the option "
                  "measure") +
      ", or start another session");
}

} // namespace egg
