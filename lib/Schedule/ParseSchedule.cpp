//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Schedule/Schedule.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace egg {

static constexpr size_t kMaxBytes = 8 << 20;
static constexpr int64_t kMaxNesting = 64;

/// The parser recurses on brackets and signs, so a hostile text could exhaust
/// the stack; returns the offset where it nests too deeply, if it does.
static std::optional<size_t> findDeepNesting(StringRef text) {
  int64_t depth = 0, signs = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    char previous = i ? text[i - 1] : '\0';
    char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        if (text[i] == '\\')
          ++i;
    } else if (c == '/' && next == '/') {
      while (i < text.size() && text[i] != '\n')
        ++i;
    } else if (StringRef("([{<").contains(c)) {
      ++depth;
    } else if (StringRef(")]}").contains(c) ||
               (c == '>' && previous != '-' && next != '=')) {
      depth = std::max<int64_t>(0, depth - 1);
    }
    if (c == '-' && next != '>')
      ++signs;
    else if (!llvm::isSpace(c))
      signs = 0;
    if (depth > kMaxNesting || signs > kMaxNesting)
      return i;
  }
  return std::nullopt;
}

FailureOr<OwningOpRef<ModuleOp>> parseSchedule(StringRef text, StringRef name,
                                               MLIRContext *context) {
  auto start = FileLineColLoc::get(context, name, 1, 1);
  if (text.size() > kMaxBytes)
    return emitError(start)
           << "[accept] the schedule has " << text.size() << " bytes; at most "
           << kMaxBytes << " are accepted";
  if (std::optional<size_t> offset = findDeepNesting(text)) {
    unsigned line = 1 + text.take_front(*offset).count('\n');
    return emitError(FileLineColLoc::get(context, name, line, 1))
           << "[accept] the schedule is nested deeper than " << kMaxNesting
           << " brackets here; a schedule needs fewer than ten";
  }
  auto sourceMgr = std::make_shared<llvm::SourceMgr>();
  sourceMgr->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
  OwningOpRef<ModuleOp> schedule =
      parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(context));
  if (!schedule)
    return emitError(start) << "[accept] the schedule does not parse; correct "
                               "the syntax where the error above points";
  if (failed(acceptSchedule(*schedule)))
    return failure();
  return schedule;
}

FailureOr<OwningOpRef<ModuleOp>> readSchedule(StringRef path,
                                              MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return emitError(UnknownLoc::get(context))
           << "[accept] cannot read schedule file '" << path
           << "': " << buffer.getError().message()
           << "; give the path of a schedule.mlir";
  return parseSchedule((*buffer)->getBuffer(), path, context);
}

} // namespace egg
