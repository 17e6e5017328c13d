//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "mlir/IR/Location.h"

using namespace mlir;

namespace egg {

static std::string describe(Location location) {
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
        .str();
  return "";
}

/// The note's text, after its place where that is in another file than the
/// error's.
static std::string describeNote(const Diagnostic &note, Location error) {
  auto there = note.getLocation()->findInstanceOf<FileLineColLoc>();
  auto here = error->findInstanceOf<FileLineColLoc>();
  if (!there || !here || there.getFilename() == here.getFilename())
    return note.str();
  return describe(there) + ": " + note.str();
}

/// Splits "[accept] text" into step and text.
static std::pair<std::string, std::string> splitStep(StringRef message,
                                                     StringRef step) {
  size_t end = message.find(']');
  if (!message.starts_with("[") || end == StringRef::npos)
    return {step.str(), message.str()};
  return {message.slice(1, end).str(),
          message.drop_front(end + 1).ltrim().str()};
}

llvm::Error runStep(MLIRContext *context, StringRef step,
                    function_ref<LogicalResult()> fn) {
  Rejection rejection;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
        return success();
      if (rejection.reason.empty()) {
        std::tie(rejection.step, rejection.reason) =
            splitStep(diagnostic.str(), step);
        rejection.location = describe(diagnostic.getLocation());
      } else {
        rejection.notes.push_back(diagnostic.str());
      }
      for (Diagnostic &note : diagnostic.getNotes()) {
        // The printed operation can be the whole module.
        std::string text = describeNote(note, diagnostic.getLocation());
        if (!StringRef(text).starts_with("see current operation"))
          rejection.notes.push_back(std::move(text));
      }
      return success();
    });
    result = fn();
  }
  if (succeeded(result))
    return llvm::Error::success();
  if (rejection.reason.empty()) {
    rejection.step = step.str();
    rejection.reason = "the step failed without a diagnostic";
  }
  return llvm::make_error<RejectionError>(std::move(rejection));
}

llvm::Error inStep(llvm::Error error, StringRef step) {
  if (!error)
    return error;
  return llvm::make_error<RejectionError>(toRejection(std::move(error), step));
}

} // namespace egg
