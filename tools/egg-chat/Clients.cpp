//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Clients.h"
#include "egg/LLM/Cassette.h"

using namespace llvm;

namespace egg {

Expected<std::unique_ptr<ChatClient>>
createClient(const ChatOptions &options, Budget &budget,
             std::unique_ptr<HttpTransport> &transport) {
  int cassettes = !options.record.empty() + !options.replay.empty() +
                  !options.resume.empty();
  if (cassettes > 1)
    return createStringError("give one of --record, --replay and --resume");
  if (!options.replay.empty()) {
    auto cassette = Cassette::open(options.replay, RecordMode::Replay);
    if (!cassette)
      return cassette.takeError();
    return createBudgetedClient(createReplayClient(std::move(*cassette),
                                                   options.model.provider,
                                                   options.model.http.model),
                                budget);
  }
  auto answerer = createModelClient(options.model, &budget, transport);
  if (!answerer)
    return answerer;
  auto client = createBudgetedClient(std::move(*answerer), budget);
  if (!cassettes)
    return client;
  bool resumes = !options.resume.empty();
  auto cassette =
      Cassette::open(resumes ? options.resume : options.record,
                     resumes ? RecordMode::Resume : RecordMode::Record);
  if (!cassette)
    return cassette.takeError();
  (*cassette)->book(budget);
  return createRecordingClient(std::move(client), std::move(*cassette));
}

} // namespace egg
