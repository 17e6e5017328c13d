//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ChildCase.h"
#include "egg/Support/Subprocess.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <csignal>

using namespace egg;
using namespace egg::fuzz;

static constexpr llvm::StringLiteral kProgramsMark = "@programs ";
static constexpr llvm::StringLiteral kStepMark = "@step ";
static constexpr llvm::StringLiteral kOutcomeMark = "@outcome ";

static std::string toText(const FuzzOutcome &outcome) {
  // A reason quotes programs, which can hold any bytes.
  llvm::json::Array skipped;
  for (const std::string &reason : outcome.skipped)
    skipped.push_back(llvm::json::fixUTF8(reason));
  llvm::json::Value value =
      llvm::json::Object{{"fate", int64_t(outcome.fate)},
                         {"step", outcome.step},
                         {"reason", llvm::json::fixUTF8(outcome.reason)},
                         {"grade", outcome.grade},
                         {"skipped", std::move(skipped)}};
  return llvm::formatv("{0}", value);
}

static std::optional<FuzzOutcome> parseOutcome(llvm::StringRef text) {
  auto value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return std::nullopt;
  FuzzOutcome outcome;
  outcome.fate = FuzzOutcome::Fate(
      object->getInteger("fate").value_or(int64_t(FuzzOutcome::Fate::Finding)));
  outcome.step = object->getString("step").value_or("").str();
  outcome.reason = object->getString("reason").value_or("").str();
  outcome.grade = object->getString("grade").value_or("").str();
  if (const llvm::json::Array *skipped = object->getArray("skipped"))
    for (const llvm::json::Value &reason : *skipped)
      outcome.skipped.push_back(reason.getAsString().value_or("").str());
  return outcome;
}

static ProcessLimits makeLimits(const FuzzOptions &options) {
  ProcessLimits limits;
  limits.wallSeconds = options.wallSeconds;
  limits.cpuSeconds = uint64_t(options.wallSeconds) + 1;
  limits.fileBytes = 0;
  limits.addressSpaceBytes = options.memoryBytes;
  return limits;
}

/// What is written behind the last mark; empty if there is none.
static llvm::StringRef findLast(llvm::StringRef output, llvm::StringRef mark) {
  size_t at = output.rfind(mark);
  return at == llvm::StringRef::npos ? "" : output.drop_front(at + mark.size());
}

/// The end of a child that gave no outcome.
static FuzzOutcome explainEnd(const ProcessResult &process,
                              llvm::StringRef steps) {
  FuzzOutcome outcome;
  outcome.step = findLast(steps, kStepMark).split('\n').first.str();
  if (outcome.step.empty())
    outcome.step = "generate";
  outcome.reason = process.ranOutOfTime() ? "no end within the limit of time"
                                          : process.describeEnd();
  // An assertion or an error of LLVM's tells itself before the signal.
  llvm::StringRef said =
      llvm::StringRef(process.standardError).rtrim().take_back(400);
  if (!said.empty())
    outcome.reason += ": " + llvm::json::fixUTF8(said);
  return outcome;
}

llvm::Expected<ChildCase>
egg::fuzz::runCase(llvm::function_ref<llvm::Expected<FuzzPrograms>()> make,
                   const mlir::DialectRegistry &registry,
                   const FuzzOptions &options) {
  auto body = [&](llvm::raw_ostream &os) {
    FuzzOutcome outcome;
    if (auto programs = make()) {
      os << kProgramsMark << programs->payload.size() << ' '
         << programs->schedule.size() << '\n'
         << programs->payload << programs->schedule;
      os.flush();
      outcome =
          evaluate(*programs, registry, options, [&](llvm::StringRef step) {
            os << kStepMark << step << '\n';
            os.flush();
          });
    } else {
      outcome.fate = FuzzOutcome::Fate::Refused;
      outcome.step = "generate";
      outcome.reason = llvm::toString(programs.takeError());
    }
    os << kOutcomeMark << toText(outcome);
    os.flush();
    return 0;
  };
  auto process = egg::runInChild(body, makeLimits(options));
  if (!process)
    return process.takeError();

  ChildCase result;
  llvm::StringRef output = process->standardOutput;
  if (output.consume_front(kProgramsMark)) {
    size_t payload, schedule;
    if (!output.consumeInteger(10, payload) && output.consume_front(" ") &&
        !output.consumeInteger(10, schedule) && output.consume_front("\n") &&
        payload <= output.size() && schedule <= output.size() - payload) {
      result.programs = {output.take_front(payload).str(),
                         output.substr(payload, schedule).str()};
      output = output.drop_front(payload + schedule);
    }
  }
  std::optional<FuzzOutcome> outcome;
  if (process->succeeded())
    outcome = parseOutcome(findLast(output, kOutcomeMark));
  result.outcome = outcome ? std::move(*outcome) : explainEnd(*process, output);
  result.outcome.seconds = process->wallSeconds;
  return result;
}
