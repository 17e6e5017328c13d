//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/Cassette.h"
#include "egg/LLM/JsonText.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace egg {

json::Value toJSONValue(const CassetteRecord &record) {
  json::Object object{{"hash", record.hash},
                      {"occurrence", record.occurrence},
                      {"provider", json::fixUTF8(record.provider)},
                      {"model", json::fixUTF8(record.model)},
                      {"request", toJSONValue(record.request)}};
  if (auto *answer = std::get_if<ChatAnswer>(&record.outcome))
    object["answer"] = toJSONValue(*answer);
  else
    object["error"] = toJSONValue(std::get<ChatError::Facts>(record.outcome));
  return object;
}

bool fromJSON(const json::Value &value, CassetteRecord &record,
              json::Path path) {
  json::ObjectMapper map(value, path);
  std::optional<ChatAnswer> answer;
  std::optional<ChatError::Facts> error;
  if (!map || !map.map("hash", record.hash) ||
      !map.map("occurrence", record.occurrence) ||
      !map.map("provider", record.provider) ||
      !map.map("model", record.model) || !map.map("request", record.request) ||
      !map.mapOptional("answer", answer) || !map.mapOptional("error", error))
    return false;
  if (answer.has_value() == error.has_value()) {
    path.report("expected either 'answer' or 'error'");
    return false;
  }
  if (answer)
    record.outcome = std::move(*answer);
  else
    record.outcome = std::move(*error);
  if (record.occurrence < 0) {
    path.field("occurrence").report("expected a number from 0");
    return false;
  }
  if (record.hash !=
      hashPrompt(record.request, record.provider, record.model)) {
    path.field("hash").report("this is not the hash of the request");
    return false;
  }
  return true;
}

static Expected<std::vector<CassetteRecord>>
parseRecords(ArrayRef<std::string> lines, StringRef path) {
  std::vector<CassetteRecord> records;
  JsonLimits limits;
  limits.maxBytes = size_t(64) << 20;
  for (const std::string &line : lines) {
    auto fail = [&](const Twine &reason) {
      return createStringError("cassette '" + path + "' line " +
                               Twine(records.size() + 1) + ": " + reason +
                               "; restore the file, or record the session "
                               "again");
    };
    Expected<json::Value> value = parseUntrustedJson(line, limits);
    if (!value)
      return fail(toString(value.takeError()));
    json::Path::Root root("record");
    CassetteRecord record;
    if (!fromJSON(*value, record, root))
      return fail(toString(root.getError()));
    records.push_back(std::move(record));
  }
  return records;
}

static Expected<std::unique_ptr<LineLog>> openLog(StringRef path,
                                                  RecordMode mode) {
  return LineLog::open(path, mode, "cassette");
}

Expected<std::vector<CassetteRecord>> readCassette(StringRef path) {
  auto log = openLog(path, RecordMode::Replay);
  if (!log)
    return log.takeError();
  return parseRecords((*log)->lines(), path);
}

/// Whether a record is of something that the model did: those that are not are
/// asked again when a session goes on.
static bool isOfModel(const CassetteRecord &record) {
  auto *facts = std::get_if<ChatError::Facts>(&record.outcome);
  return !facts || facts->kind == ChatErrorKind::BadAnswer;
}

Expected<std::shared_ptr<Cassette>> Cassette::open(StringRef path,
                                                   RecordMode mode) {
  std::shared_ptr<Cassette> cassette(new Cassette);
  auto log = openLog(path, mode);
  if (!log)
    return log.takeError();
  cassette->log = std::move(*log);
  // An answer that cannot be recorded is not paid for.
  if (Error error = cassette->log->checkWritable())
    return std::move(error);
  Expected<std::vector<CassetteRecord>> records =
      parseRecords(cassette->log->lines(), path);
  if (!records)
    return records.takeError();
  if (!records->empty()) {
    cassette->provider = records->front().provider;
    cassette->model = records->front().model;
  }
  for (const CassetteRecord &record : *records) {
    Cost cost{record.provider, record.model, {}, {}, 0};
    if (auto *answer = std::get_if<ChatAnswer>(&record.outcome)) {
      cost.answeredBy = answer->model;
      cost.usage = answer->usage;
      cost.requests = answer->attempts;
    } else {
      const auto &facts = std::get<ChatError::Facts>(record.outcome);
      cost.answeredBy = facts.model;
      cost.usage = facts.usage;
      cost.requests = facts.attempts;
    }
    if (cost.requests)
      cassette->costs.push_back(std::move(cost));
  }
  if (mode == RecordMode::Resume)
    while (!records->empty() && !isOfModel(records->back()))
      records->pop_back();
  for (CassetteRecord &record : *records) {
    auto &slot = cassette->records[record.hash];
    // Of a session that was resumed: the error was asked again.
    if (auto found = slot.find(record.occurrence);
        found != slot.end() && isOfModel(found->second))
      return createStringError(inconvertibleErrorCode(),
                               "cassette '" + path + "' holds two answers to " +
                                   "occurrence " + Twine(record.occurrence) +
                                   " of prompt " + record.hash +
                                   "; restore the file, or record again");
    slot[record.occurrence] = std::move(record);
  }
  return cassette;
}

void Cassette::book(Budget &budget) const {
  for (const Cost &cost : costs)
    budget.book(cost.usage, cost.provider, cost.model, cost.answeredBy,
                cost.requests);
}

int64_t Cassette::occurrences(StringRef hash) const {
  auto found = taken.find(hash.str());
  return found == taken.end() ? 0 : found->second;
}

const CassetteRecord *Cassette::next(StringRef hash) {
  auto found = records.find(hash.str());
  if (found == records.end())
    return nullptr;
  auto record = found->second.find(occurrences(hash));
  if (record == found->second.end())
    return nullptr;
  ++taken[hash.str()];
  return &record->second;
}

Error Cassette::append(CassetteRecord record) {
  record.occurrence = taken[record.hash]++;
  if (Error error = log->append(canonicalJSON(toJSONValue(record))))
    return error;
  if (provider.empty()) {
    provider = record.provider;
    model = record.model;
  }
  return Error::success();
}

static Expected<ChatAnswer> replay(const CassetteRecord &record) {
  if (auto *answer = std::get_if<ChatAnswer>(&record.outcome))
    return *answer;
  return makeChatError(std::get<ChatError::Facts>(record.outcome));
}

static Error missing(const Cassette &cassette, const ChatRequest &request,
                     StringRef hash) {
  const ChatMessage &last = request.messages.back();
  StringRef line = StringRef(last.text).split('\n').first;
  return makeChatError(
      ChatErrorKind::MissingRecording,
      "cassette '" + cassette.path() + "' has no answer to occurrence " +
          Twine(cassette.occurrences(hash)) + " of prompt " + hash + " (" +
          stringifyRole(last.role) + ": '" +
          json::fixUTF8(line.take_front(80)) + "')",
      "record the session again: its prompts, its model or its settings have "
      "changed");
}

namespace {
class RecordingClient : public ChatClient {
public:
  RecordingClient(std::unique_ptr<ChatClient> inner,
                  std::shared_ptr<Cassette> cassette)
      : inner(std::move(inner)), cassette(std::move(cassette)) {}

  StringRef provider() const override { return inner->provider(); }
  StringRef model() const override { return inner->model(); }

private:
  Expected<ChatAnswer> ask(const ChatRequest &request) override {
    std::string hash = hashPrompt(request, provider(), model());
    if (const CassetteRecord *record = cassette->next(hash)) {
      inner->passOver(request);
      return replay(*record);
    }
    if (cassette->mode() == RecordMode::Replay)
      return missing(*cassette, request, hash);
    CassetteRecord record;
    record.hash = hash;
    record.provider = provider().str();
    record.model = model().str();
    record.request = request;
    Expected<ChatAnswer> answer = inner->complete(request);
    if (answer) {
      record.outcome = *answer;
    } else {
      ChatError::Facts facts = takeFacts(answer.takeError());
      // Nothing happened; the session says why it stopped.
      if (facts.kind == ChatErrorKind::OverBudget && !facts.attempts)
        return makeChatError(std::move(facts));
      record.outcome = std::move(facts);
    }
    // An answer that is not on the disk is not handed on, or a resumed session
    // would differ.
    if (Error error = cassette->append(record))
      return std::move(error);
    return replay(record);
  }

  std::unique_ptr<ChatClient> inner;
  std::shared_ptr<Cassette> cassette;
};

class ReplayClient : public ChatClient {
public:
  ReplayClient(std::shared_ptr<Cassette> cassette, StringRef provider,
               StringRef model, EndOfRecords end)
      : cassette(std::move(cassette)), askedProvider(provider),
        askedModel(model), end(std::move(end)) {}

  StringRef provider() const override { return askedProvider; }
  StringRef model() const override { return askedModel; }

private:
  Expected<ChatAnswer> ask(const ChatRequest &request) override {
    std::string hash = hashPrompt(request, provider(), model());
    const CassetteRecord *record = cassette->next(hash);
    if (record && isOfModel(*record))
      return replay(*record);
    // A lost connection, say: resumed after it, the session was stopped.
    if (std::optional<std::string> reason =
            end ? end() : std::optional<std::string>())
      return makeChatError(ChatErrorKind::OverBudget, *reason);
    return record ? replay(*record) : missing(*cassette, request, hash);
  }

  std::shared_ptr<Cassette> cassette;
  std::string askedProvider, askedModel;
  EndOfRecords end;
};
} // namespace

std::unique_ptr<ChatClient>
createRecordingClient(std::unique_ptr<ChatClient> inner,
                      std::shared_ptr<Cassette> cassette) {
  return std::make_unique<RecordingClient>(std::move(inner),
                                           std::move(cassette));
}

std::unique_ptr<ChatClient>
createReplayClient(std::shared_ptr<Cassette> cassette, StringRef provider,
                   StringRef model, EndOfRecords end) {
  StringRef shownProvider =
      provider.empty() ? cassette->firstProvider() : provider;
  StringRef shownModel = model.empty() ? cassette->firstModel() : model;
  return std::make_unique<ReplayClient>(cassette, shownProvider, shownModel,
                                        std::move(end));
}

} // namespace egg
