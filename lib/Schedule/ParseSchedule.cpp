//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CheckSelections.h"
#include "SyntaxHints.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Support/Nesting.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace egg {

static constexpr size_t kMaxBytes = 8 << 20;
/// The parser's time grows with the square of a number's digits.
static constexpr size_t kMaxDigits = 1000;
/// The parser makes room for all results before the one that is named.
static constexpr uint64_t kMaxResultNumber = 1000;
/// Notes to one error.
static constexpr size_t kMaxNotes = 5;

/// Where a number of more digits than the limit begins.
static std::optional<size_t> findLongNumber(StringRef text, size_t limit) {
  for (size_t start = 0; start < text.size();) {
    size_t digits = text.drop_front(start).take_while(llvm::isDigit).size();
    if (digits > limit)
      return start;
    start += digits + 1;
  }
  return std::nullopt;
}

/// Where a result beyond the limit is named: '%x#70000'.
static std::optional<size_t> findLargeResultNumber(StringRef text,
                                                   uint64_t limit) {
  for (size_t at = text.find('#'); at != StringRef::npos;
       at = text.find('#', at + 1)) {
    if (at == 0 || !(llvm::isAlnum(text[at - 1]) ||
                     StringRef("_$.-").contains(text[at - 1])))
      continue;
    StringRef digits = text.drop_front(at + 1).take_while(llvm::isDigit);
    uint64_t number = 0;
    if (!digits.empty() && (digits.getAsInteger(10, number) || number > limit))
      return at;
  }
  return std::nullopt;
}

/// Where the first one is that ends no line and is no tab: it would reach the
/// reader's terminal.
static size_t findControlCharacter(StringRef text) {
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char c = text[i];
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
      return i;
  }
  return StringRef::npos;
}

static OwningOpRef<ModuleOp> parse(StringRef text, StringRef name,
                                   MLIRContext *context, bool verify) {
  auto sourceMgr = std::make_shared<llvm::SourceMgr>();
  sourceMgr->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(context, verify));
}

/// Runs a step of upstream's; what it reports becomes one error, at the place
/// of the first, with the further ones as notes. What helps there is one, given
/// the text.
static LogicalResult inOneError(MLIRContext *context, Location start,
                                StringRef what, StringRef text,
                                function_ref<LogicalResult()> step) {
  SmallVector<std::pair<Location, std::string>> errors;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
        return failure();
      errors.emplace_back(diagnostic.getLocation(), diagnostic.str());
      return success();
    });
    if (succeeded(step()))
      return success();
  }
  if (errors.empty())
    errors.emplace_back(start, "the parser does not say why");
  auto place = dyn_cast<FileLineColLoc>(errors.front().first);
  InFlightDiagnostic diag = emitError(errors.front().first)
                            << "[accept] " << what << ": "
                            << explainSyntaxError(text, errors.front().second,
                                                  place ? place.getLine() : 1,
                                                  place ? place.getColumn() : 1)
                            << "; correct it here";
  if (place) {
    std::string hint = findSyntaxHint(text, errors.front().second,
                                      place.getLine(), place.getColumn());
    if (!hint.empty())
      diag.attachNote(place) << hint;
  }
  for (auto &[location, error] :
       ArrayRef(errors).drop_front().take_front(kMaxNotes))
    diag.attachNote(location) << error;
  return diag;
}

static LogicalResult refuseOtherText(Location start, StringRef what) {
  return emitError(start)
         << "[accept] the schedule is " << what
         << "; it must be 'module attributes "
            "{transform.with_named_sequence, "
         << kScheduleAttrName << " = " << kScheduleVersion << " : i64, "
         << kTargetAttrName << " = \"sm_90a\", " << kPayloadAttrName
         << " = \"...\"} { ... }' with a transform.named_sequence @algorithm; "
            "egg-propose writes one";
}

/// Whether the text is no MLIR of a schedule at all, of which the parser would
/// refuse the first word, whatever that is. Comments are an empty module.
static bool isOtherText(StringRef text) {
  if (text.contains("module") || text.contains("transform."))
    return false;
  for (StringRef line : llvm::split(text, '\n'))
    if (line = line.trim(); !line.empty() && !line.starts_with("//"))
      return true;
  return false;
}

/// Refuses text that is not one module: the parser wraps one around it, of
/// which nothing could be said at a place in the file.
static LogicalResult checkIsModule(ModuleOp schedule, Location start) {
  auto place = dyn_cast<FileLineColLoc>(schedule.getLoc());
  if (!place || place.getLine() > 0)
    return success();
  return refuseOtherText(start, schedule.getBody()->empty() ? "empty"
                                                            : "not one module");
}

/// Verifies the ops inside sequences one by one, innermost first, then the
/// whole. Upstream's verifier of a sequence asks its ops for their effects
/// before it has looked at them, and crashes on one that lacks operands.
static LogicalResult verifyInsideOut(ModuleOp schedule) {
  WalkResult result = schedule.walk([](Operation *op) {
    if (isa<ModuleOp, transform::NamedSequenceOp>(op))
      return WalkResult::advance();
    return failed(op->getName().verifyInvariants(op)) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
  });
  return failure(result.wasInterrupted() || failed(verify(schedule)));
}

FailureOr<OwningOpRef<ModuleOp>> parseSchedule(StringRef text, StringRef name,
                                               MLIRContext *context) {
  auto start = FileLineColLoc::get(context, name, 1, 1);
  if (text.size() > kMaxBytes)
    return emitError(start)
           << "[accept] the schedule has " << text.size() << " bytes; at most "
           << kMaxBytes << " are accepted";
  auto refuseAt = [&](size_t offset, unsigned column = 1) {
    unsigned line = 1 + text.take_front(offset).count('\n');
    return emitError(FileLineColLoc::get(context, name, line, column))
           << "[accept] ";
  };
  if (text.starts_with("\xef\xbb\xbf"))
    return refuseAt(0) << "the file begins with a byte-order mark; save it as "
                          "UTF-8 without one";
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return refuseAt(0) << "the file is UTF-16; save it as UTF-8";
  // Without a column the line itself is not printed.
  if (size_t offset = findControlCharacter(text); offset != StringRef::npos)
    return refuseAt(offset, /*column=*/0)
           << "the control character \\x"
           << llvm::toHex(text.substr(offset, 1), /*LowerCase=*/true)
           << " is in this line; remove it";
  if (std::optional<size_t> offset = findDeepNesting(text, kMaxNesting))
    return refuseAt(*offset)
           << "the schedule is nested deeper than " << kMaxNesting
           << " brackets here; a schedule needs fewer than ten";
  if (std::optional<size_t> offset = findLongAlias(text, kMaxAlias))
    return refuseAt(*offset)
           << "the alias that is defined here has more than " << kMaxAlias
           << " bytes with the aliases in it written out; no attribute or type "
              "of a schedule is so long";
  if (std::optional<size_t> offset = findLongNumber(text, kMaxDigits))
    return refuseAt(*offset)
           << "a number here has more than " << kMaxDigits
           << " digits; no number of a schedule needs more than twenty";
  if (std::optional<size_t> offset =
          findLargeResultNumber(text, kMaxResultNumber))
    return refuseAt(*offset)
           << "a result beyond number " << kMaxResultNumber
           << " is named here; no op of a schedule has so many";
  if (isOtherText(text))
    return refuseOtherText(start, "not one module");
  OwningOpRef<ModuleOp> schedule;
  if (failed(inOneError(context, start, "the schedule does not parse", text,
                        [&] {
                          // Knobs are judged before the verifier does it with
                          // a message that does not say which.
                          schedule = parse(text, name, context,
                                           /*verify=*/false);
                          return success(bool(schedule));
                        })) ||
      failed(checkIsModule(*schedule, start)) ||
      failed(checkSelections(*schedule)) ||
      failed(inOneError(context, start, "the schedule is not valid",
                        /*text=*/"",
                        [&] { return verifyInsideOut(*schedule); })) ||
      failed(acceptSchedule(*schedule)))
    return failure();
  return schedule;
}

FailureOr<std::string> readScheduleText(StringRef path, Location where) {
  if (path.empty())
    return emitError(where)
           << "[accept] no schedule is given; write schedule=FILE";
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return emitError(where) << "[accept] cannot read schedule file '" << path
                            << "': " << buffer.getError().message()
                            << "; give the path of a schedule.mlir";
  return (*buffer)->getBuffer().str();
}

} // namespace egg
