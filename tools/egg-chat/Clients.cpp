//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Clients.h"
#include "egg/LLM/Cassette.h"

using namespace llvm;

namespace egg {

Expected<std::unique_ptr<ChatClient>>
createClient(const ChatOptions &options, const Budget &budget,
             std::unique_ptr<HttpTransport> &transport) {
  int cassettes = !options.record.empty() + !options.replay.empty() +
                  !options.resume.empty();
  if (cassettes > 1)
    return createStringError("give one of --record, --replay and --resume");
  if (!options.replay.empty()) {
    auto cassette = Cassette::open(options.replay, RecordMode::Replay);
    if (!cassette)
      return cassette.takeError();
    return createReplayClient(std::move(*cassette), options.model.provider,
                              options.model.http.model);
  }
  auto answerer = createModelClient(options.model, &budget, transport);
  if (!answerer || !cassettes)
    return answerer;
  bool resumes = !options.resume.empty();
  auto cassette =
      Cassette::open(resumes ? options.resume : options.record,
                     resumes ? RecordMode::Resume : RecordMode::Record);
  if (!cassette)
    return cassette.takeError();
  return createRecordingClient(std::move(*answerer), std::move(*cassette));
}

} // namespace egg
