//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DiagnosticCollector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace egg;

/// Notes that a Rejection keeps.
static constexpr size_t kMaxNotes = 10;

std::string egg::printLocation(Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn();
  else if (!isa<UnknownLoc>(location))
    location.print(os);
  return text;
}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        auto add = [this](Diagnostic &part) {
          // "See current operation" repeats IR that the author knows.
          std::string message = part.str();
          if (!StringRef(message).starts_with("see current operation"))
            entries.push_back(
                {printLocation(part.getLocation()), message,
                 part.getSeverity() == DiagnosticSeverity::Error});
        };
        add(diagnostic);
        for (Diagnostic &note : diagnostic.getNotes())
          add(note);
        return success();
      }) {}

Rejection DiagnosticCollector::takeRejection(llvm::StringRef step,
                                             llvm::StringRef fallbackReason,
                                             llvm::StringRef remedy) {
  Rejection rejection;
  rejection.step = step.str();
  rejection.reason = fallbackReason.str();
  rejection.remedy = remedy.str();
  bool found = false;
  for (const Entry &entry : entries) {
    if (entry.isError && !found) {
      found = true;
      rejection.location = entry.location;
      // The step is a field of its own here.
      StringRef message = entry.message;
      message.consume_front(("[" + step + "] ").str());
      rejection.reason = message.str();
    } else if (found && rejection.notes.size() < kMaxNotes) {
      rejection.notes.push_back(entry.location.empty()
                                    ? entry.message
                                    : entry.location + ": " + entry.message);
    }
  }
  entries.clear();
  return rejection;
}
