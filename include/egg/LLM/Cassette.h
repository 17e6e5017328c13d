//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Cassette: requests and their answers in a JSONL file, so that a session runs
// again bit for bit without asking anybody. One record a line, appended and
// flushed to the disk before the answer is handed on; a last line that a crash
// tore is ignored.
//
//   {"answer": {...} or "error": {...}, "hash": "<hashPrompt>", "model": ...,
//    "occurrence": 0, "provider": ..., "request": {...}}
//
// The n-th request of one hash gets the n-th answer. Nothing secret is in a
// request, an answer or an error, so none is in a cassette.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_CASSETTE_H
#define EGG_LLM_CASSETTE_H

#include "egg/LLM/Budget.h"
#include "egg/Support/LineLog.h"
#include <functional>
#include <map>
#include <variant>

namespace egg {

struct CassetteRecord {
  std::string hash;
  int64_t occurrence = 0;
  std::string provider, model;
  ChatRequest request;
  std::variant<ChatAnswer, ChatError::Facts> outcome;
  bool operator==(const CassetteRecord &) const = default;
};

llvm::json::Value toJSONValue(const CassetteRecord &record);
bool fromJSON(const llvm::json::Value &value, CassetteRecord &record,
              llvm::json::Path path);

/// The records of a file, in order. A torn last line is left out; any other
/// line that is no record is an error with its number.
llvm::Expected<std::vector<CassetteRecord>> readCassette(llvm::StringRef path);

/// An open cassette; several clients (one for each model) may share it.
class Cassette {
public:
  /// Replay: what is not in the file is an error. Resume: what is in the file
  /// is replayed, the rest asked and appended; errors at the file's end that
  /// are not the model's (a lost connection, a ceiling) are asked again.
  static llvm::Expected<std::shared_ptr<Cassette>> open(llvm::StringRef path,
                                                        RecordMode mode);

  RecordMode mode() const { return log->mode(); }
  llvm::StringRef path() const { return log->path(); }
  /// Who answered first in the file; empty if nothing was recorded.
  llvm::StringRef firstProvider() const { return provider; }
  llvm::StringRef firstModel() const { return model; }

  /// Books all that the file held when it was opened: answers, and what calls
  /// without one may have cost, also where they were asked again.
  void book(Budget &budget) const;

  /// Takes the next record of the hash; null when there is none (left).
  const CassetteRecord *next(llvm::StringRef hash);
  /// How many requests of the hash were taken or appended.
  int64_t occurrences(llvm::StringRef hash) const;
  /// Appends and flushes; the record's occurrence is set here.
  llvm::Error append(CassetteRecord record);

private:
  Cassette() = default;
  std::unique_ptr<LineLog> log;
  std::string provider, model;
  std::map<std::string, std::map<int64_t, CassetteRecord>> records;
  std::map<std::string, int64_t> taken;
  struct Cost {
    std::string provider, model, answeredBy;
    ChatUsage usage;
    int64_t requests;
  };
  std::vector<Cost> costs;
};

/// Asks `inner` and records (Record, Resume), but not what a budget forbade to
/// send. In mode Replay it never asks.
std::unique_ptr<ChatClient>
createRecordingClient(std::unique_ptr<ChatClient> inner,
                      std::shared_ptr<Cassette> cassette);

/// Why a recorded session ended before its next call; nothing if it did not.
using EndOfRecords = std::function<std::optional<std::string>()>;

/// Answers from the cassette alone, as this provider and model; by default as
/// those that answered first in it. MissingRecording names the hash, the
/// occurrence, and role and first line of the last message; where `end` gives a
/// reason a request without an answer is OverBudget for that reason.
std::unique_ptr<ChatClient>
createReplayClient(std::shared_ptr<Cassette> cassette,
                   llvm::StringRef provider = {}, llvm::StringRef model = {},
                   EndOfRecords end = {});

} // namespace egg

#endif // EGG_LLM_CASSETTE_H
