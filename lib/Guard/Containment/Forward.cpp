//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Forward.h"
#include "egg/Guard/RunOnCopy.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include <sys/mman.h>

using namespace mlir;
using namespace egg;

/// Set in a child only.
static Progress *childProgress = nullptr;

Progress::Progress() {
  void *page = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  text = page == MAP_FAILED ? nullptr : static_cast<char *>(page);
}

Progress::~Progress() {
  if (text)
    ::munmap(text, kSize);
}

void Progress::enterChild() { childProgress = this; }

void Progress::set(StringRef line) {
  if (!text)
    return;
  line = line.take_front(kSize - 1);
  std::copy(line.begin(), line.end(), text);
  text[line.size()] = 0;
}

static std::string printLocation(Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  LocationAttr(location).print(os);
  return text;
}

Location egg::parseLocation(StringRef text, Location fallback) {
  // Where the text is no location the fallback is all that there is.
  ScopedDiagnosticHandler quiet(fallback.getContext(),
                                [](Diagnostic &) { return success(); });
  Attribute attribute = parseAttribute(text, fallback.getContext());
  auto location = dyn_cast_or_null<LocationAttr>(attribute);
  return location ? Location(location) : fallback;
}

llvm::json::Object egg::toJSON(Diagnostic &diagnostic) {
  llvm::json::Array notes;
  for (Diagnostic &note : diagnostic.getNotes())
    notes.push_back(toJSON(note));
  return llvm::json::Object{{"severity", int64_t(diagnostic.getSeverity())},
                            {"location", llvm::json::fixUTF8(printLocation(
                                             diagnostic.getLocation()))},
                            {"message", llvm::json::fixUTF8(diagnostic.str())},
                            {"notes", std::move(notes)}};
}

static void report(const llvm::json::Object &object, Location fallback) {
  auto severity =
      DiagnosticSeverity(object.getInteger("severity")
                             .value_or(int64_t(DiagnosticSeverity::Error)));
  InFlightDiagnostic diagnostic = fallback.getContext()->getDiagEngine().emit(
      parseLocation(object.getString("location").value_or(""), fallback),
      severity);
  diagnostic << object.getString("message").value_or("");
  if (const llvm::json::Array *notes = object.getArray("notes"))
    for (const llvm::json::Value &note : *notes)
      if (const llvm::json::Object *inner = note.getAsObject())
        diagnostic.attachNote(
            parseLocation(inner->getString("location").value_or(""), fallback))
            << inner->getString("message").value_or("");
}

std::string egg::toBytecode(Operation *op) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  return failed(writeBytecodeToFile(op, os)) ? std::string() : bytes;
}

Operation *egg::fromBytecode(StringRef bytes, Block &block,
                             MLIRContext *context) {
  // What it refers to may be outside of the operation; it was verified there.
  ParserConfig config(context, /*verifyAfterParse=*/false);
  if (failed(parseSourceString(bytes, &block, config)) || block.empty())
    return nullptr;
  return &block.front();
}

llvm::Error egg::reportDiagnostics(StringRef text, Location fallback) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed)
    return parsed.takeError();
  if (const llvm::json::Array *all = parsed->getAsArray())
    for (const llvm::json::Value &one : *all)
      if (const llvm::json::Object *object = one.getAsObject())
        report(*object, fallback);
  return llvm::Error::success();
}

void egg::noteProgress(StringRef what, Location where) {
  if (childProgress)
    childProgress->set(printLocation(where) + "\n" + what.str());
}
