//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Guard/RunOnCopy.h"
#include "Forward.h"
#include "mlir/Parser/Parser.h"
#include <unistd.h>

using namespace mlir;
using namespace egg;

static constexpr llvm::StringLiteral kMark = "EGG-COPY-RESULT\n";

LogicalResult egg::checkLimits(double seconds, int64_t memoryMiB,
                               Location location) {
  // Written so that NaN fails too.
  if (!(seconds > 0))
    return emitError(location)
           << "time-limit must be a positive number of seconds";
  if (memoryMiB < 1)
    return emitError(location)
           << "memory-limit is " << memoryMiB << "; use at least 1 MiB";
  return success();
}

static std::string describeEnd(const CopyRun &run, const ProcessResult &result,
                               StringRef step) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Where nothing of its own had begun.
  os << (step.empty() ? "reading the module" : step);
  if (result.ranOutOfTime())
    os << " needs more than " << llvm::format("%.6g", run.seconds)
       << " s; raise time-limit, or " << run.ifSlow;
  else if (result.end == ProcessResult::End::OutOfMemory)
    os << " needs more than " << run.memoryMiB
       << " MiB of memory; raise memory-limit";
  else
    os << " " << result.describeEnd() << "; " << run.ifCrashed;
  return text;
}

/// An error for a child that gave no result.
static LogicalResult reportEnd(ModuleOp module, const CopyRun &run,
                               const ProcessResult &result, StringRef step) {
  InFlightDiagnostic error =
      emitError(module.getLoc(), describeEnd(run, result, step));
  // The last lines often are the reason.
  SmallVector<StringRef> lines;
  StringRef(result.standardError).trim().split(lines, '\n', -1, false);
  for (StringRef line : ArrayRef(lines).take_back(4))
    error.attachNote() << "it said: " << line.take_front(400);
  return error;
}

FailureOr<std::string>
egg::runOnCopy(ModuleOp module, const CopyRun &run,
               llvm::function_ref<LogicalResult(ModuleOp, StepListener,
                                                llvm::raw_ostream &)>
                   work) {
  MLIRContext *parent = module.getContext();
  std::string bytes = toBytecode(module);
  if (bytes.empty())
    return module.emitError("this module cannot be copied to a child process");
  ProcessLimits limits;
  limits.wallSeconds = run.seconds;
  limits.cpuSeconds = uint64_t(run.seconds) + 1;
  limits.addressSpaceBytes = uint64_t(run.memoryMiB) << 20;
  limits.fileBytes = 0;
  limits.outputBytes = *limits.addressSpaceBytes;
  Progress progress;
  auto result = runInChild(
      [&](llvm::raw_ostream &os) {
        // The threads of the parent's context are not there.
        MLIRContext context(parent->getDialectRegistry(),
                            MLIRContext::Threading::DISABLED);
        context.allowUnregisteredDialects(parent->allowsUnregisteredDialects());
        context.printOpOnDiagnostic(false);
        llvm::json::Array diagnostics;
        ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
          diagnostics.push_back(toJSON(diagnostic));
          return success();
        });
        std::string output;
        llvm::raw_string_ostream into(output);
        auto copy = parseSourceString<ModuleOp>(bytes, &context);
        bool done =
            copy &&
            succeeded(
                work(*copy, [&](StringRef step) { progress.set(step); }, into));
        os << kMark << llvm::json::Value(std::move(diagnostics)) << '\n'
           << output;
        os.flush();
        // Destroying what a hostile program left behind could still crash.
        ::_exit(done ? 0 : 1);
        return 0;
      },
      limits);
  if (!result)
    return module.emitError("no child process could be started: ")
           << llvm::toString(result.takeError());
  StringRef output = result->standardOutput;
  if (result->end != ProcessResult::End::Exited || !output.consume_front(kMark))
    return reportEnd(module, run, *result, progress.get());
  auto [diagnostics, made] = output.split('\n');
  if (llvm::Error error = reportDiagnostics(diagnostics, module.getLoc()))
    return module.emitError(llvm::toString(std::move(error)));
  if (result->exitCode != 0)
    return failure();
  return made.str();
}
